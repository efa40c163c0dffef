package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
)

// Expected are the processor's outputs for golden sources, thinned: source by
// source, output by output. They are kept so that a start need not have the
// processor compute again what it gave before.
type Expected [][][]float32

// A file of them is the SHA-256 of what follows, the key's SHA-256, and numbers of
// four bytes, little-endian: how many sources; for each how many outputs; for each
// how many values, and the values.
const expectedMost = 64 << 20 // bytes

func expectedFile(dir, key string) string {
	sum := sha256.Sum256([]byte(key))
	return filepath.Join(dir, fmt.Sprintf("expected-%x", sum[:8]))
}

// Save keeps them in dir for a key, which names everything that they depend on.
func (e Expected) Save(dir, key string) error {
	sum := sha256.Sum256([]byte(key))
	body := append([]byte(nil), sum[:]...)
	number := func(n int) { body = binary.LittleEndian.AppendUint32(body, uint32(n)) }
	number(len(e))
	for _, outputs := range e {
		number(len(outputs))
		for _, values := range outputs {
			number(len(values))
			for _, v := range values {
				body = binary.LittleEndian.AppendUint32(body, math.Float32bits(v))
			}
		}
	}
	whole := sha256.Sum256(body)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("keep what a device is compared with: %w", err)
	}
	temp, err := os.CreateTemp(dir, ".expected-")
	if err != nil {
		return fmt.Errorf("keep what a device is compared with: %w", err)
	}
	_, err = temp.Write(append(whole[:], body...))
	if closing := temp.Close(); err == nil {
		err = closing
	}
	if err == nil {
		err = os.Rename(temp.Name(), expectedFile(dir, key))
	}
	if err != nil {
		os.Remove(temp.Name())
		return fmt.Errorf("keep what a device is compared with: %w", err)
	}
	return nil
}

// LoadExpected returns what Save kept, false where there is nothing sound.
func LoadExpected(dir, key string) (e Expected, ok bool) {
	path := expectedFile(dir, key)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > expectedMost {
		return nil, false
	}
	content, err := os.ReadFile(path)
	if err != nil || len(content) < 2*sha256.Size {
		return nil, false
	}
	whole, sum := sha256.Sum256(content[sha256.Size:]), sha256.Sum256([]byte(key))
	if !bytes.Equal(whole[:], content[:sha256.Size]) || !bytes.Equal(sum[:], content[sha256.Size:2*sha256.Size]) {
		return nil, false
	}
	rest := content[2*sha256.Size:] // sound from here on, by its sum
	number := func() int {
		n := binary.LittleEndian.Uint32(rest)
		rest = rest[4:]
		return int(n)
	}
	e = make(Expected, number())
	for i := range e {
		e[i] = make([][]float32, number())
		for j := range e[i] {
			e[i][j] = make([]float32, number())
			for k := range e[i][j] {
				e[i][j][k] = math.Float32frombits(uint32(number()))
			}
		}
	}
	return e, true
}
