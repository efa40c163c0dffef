package sentencepiece

import (
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
)

// charsMap is the precompiled character map of a normaliser: a Darts-clone
// double array whose values are offsets into a run of NUL-terminated
// replacements. In the file: the array's size in bytes (uint32, little endian),
// the array (uint32, little endian), the replacements.
type charsMap struct {
	units        []uint32
	replacements string
}

func newCharsMap(data []byte) (charsMap, error) {
	if len(data) == 0 {
		return charsMap{}, nil
	}
	if len(data) < 4 {
		return charsMap{}, errors.New("character map is cut off")
	}
	size := uint64(binary.LittleEndian.Uint32(data))
	data = data[4:]
	if size == 0 || size%4 != 0 || size >= uint64(len(data)) {
		return charsMap{}, fmt.Errorf("character map of %d bytes says that its trie has %d", len(data), size)
	}
	m := charsMap{units: make([]uint32, size/4), replacements: string(data[size:])}
	for i := range m.units {
		m.units[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return m, nil
}

// A unit of the double array: bits 0-7 the label, bit 8 whether a value hangs
// here, bits 10-30 the offset to the children, bit 9 whether that offset is in
// steps of 256; a value unit has bit 31 set and the value below it.
const (
	unitLabel    = 1<<31 | 0xFF
	unitHasValue = 1 << 8
	unitValue    = 1<<31 - 1
)

func unitOffset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }

// longest finds the longest rule that text begins with and gives what it is
// replaced by and the length of what it replaces, 0 where no rule matches.
// Whatever a broken map holds, it stays within the array.
func (m *charsMap) longest(text string) (replacement string, size int) {
	if len(m.units) == 0 {
		return "", 0
	}
	var value uint32
	node := unitOffset(m.units[0])
	for i := 0; i < len(text); i++ {
		node ^= uint32(text[i])
		if uint64(node) >= uint64(len(m.units)) {
			break
		}
		unit := m.units[node]
		if unit&unitLabel != uint32(text[i]) {
			break
		}
		node ^= unitOffset(unit)
		if unit&unitHasValue != 0 {
			if uint64(node) >= uint64(len(m.units)) {
				break
			}
			value, size = m.units[node]&unitValue, i+1
		}
	}
	if size == 0 || uint64(value) >= uint64(len(m.replacements)) {
		return "", 0
	}
	replacement, _, _ = strings.Cut(m.replacements[value:], "\x00")
	return replacement, size
}
