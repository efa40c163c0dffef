package memory

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"dragoman/inference/checksum"
	"dragoman/inference/mapped"
)

// index is one file of units.
type index struct {
	file     string // that the units are from
	segments []segment
}

// indexMagic begins an index on disk; the number changes with what it holds.
const indexMagic = "dragoman memory 1\n"

// writeIndex writes segments, each behind its length, and a checksum of all.
func writeIndex(out io.Writer, units iter.Seq2[Unit, error]) error {
	sum := checksum.NewWriter()
	w := bufio.NewWriter(io.MultiWriter(out, sum))
	_, _ = w.WriteString(indexMagic) // w keeps its first error
	var b builder
	flush := func() {
		if len(b.units) > 0 {
			data := b.bytes()
			_ = binary.Write(w, binary.LittleEndian, uint64(len(data)))
			_, _ = w.Write(data)
			b = builder{}
		}
	}
	for u, err := range units {
		if err != nil {
			return err
		}
		if b.add(u); b.full() {
			flush()
		}
	}
	flush()
	_ = binary.Write(w, binary.LittleEndian, uint64(0))
	if err := w.Flush(); err != nil {
		return err
	}
	total := sum.Sum()
	_, err := out.Write(total[:])
	return err
}

// readIndex finds the segments in what writeIndex wrote.
func readIndex(file string, data []byte) (*index, error) {
	var sum checksum.Sum
	if len(data) < len(indexMagic)+len(sum) || string(data[:len(indexMagic)]) != indexMagic {
		return nil, errIndex
	}
	content := data[:len(data)-len(sum)]
	if checksum.Of(content) != checksum.Sum(data[len(content):]) {
		return nil, errIndex
	}
	x := &index{file: file}
	rest := content[len(indexMagic):]
	for {
		if len(rest) < 8 {
			return nil, errIndex
		}
		n := binary.LittleEndian.Uint64(rest)
		rest = rest[8:]
		if n == 0 {
			return x, nil
		}
		if n > uint64(len(rest)) {
			return nil, errIndex
		}
		s, err := newSegment(rest[:n])
		if err != nil {
			return nil, err
		}
		x.segments, rest = append(x.segments, s), rest[n:]
	}
}

// indexOf makes an index in memory.
func indexOf(file string, units iter.Seq2[Unit, error]) (*index, error) {
	var b bytes.Buffer
	if err := writeIndex(&b, units); err != nil {
		return nil, err
	}
	return readIndex(file, b.Bytes())
}

// mapIndex reads an index from the disk, where its pages stay until they are
// looked at.
func mapIndex(file, path string) (*index, error) {
	m, err := mapped.Open(path)
	if err != nil {
		return nil, err
	}
	x, err := readIndex(file, m.Bytes())
	if err != nil {
		_ = m.Close()
		return nil, err
	}
	m.Release() // reading them all was for the checksum
	runtime.AddCleanup(x, func(m *mapped.File) { _ = m.Close() }, m)
	return x, nil
}

// Files below this size are read anew by each process; above it they are
// indexed once.
const smallFile = 256 << 10

// store keeps indexes of large files in a folder, which may be "" for none.
type store string

// Names in a store.
const (
	indexSuffix = ".units"
	tempSuffix  = ".tmp"
)

// load makes the index of a file, or finds it.
func (s store) load(name string, r io.Reader) ([]*index, error) {
	path := s.path(name)
	if path != "" {
		if x, err := mapIndex(name, path); err == nil {
			return []*index{x}, nil
		}
		x, err := s.make(name, path, r)
		var broken *FileError
		switch {
		case err == nil:
			return []*index{x}, nil
		case errors.As(err, &broken):
			return nil, err
		}
		// No room, or no right to write there: the memory of the process must do.
		slog.Warn("Translation memory cannot be indexed on the disk", "err", err)
		again, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer again.Close()
		r = again
	}
	x, err := indexOf(name, scanTMX(name, r))
	if err != nil {
		return nil, err
	}
	return []*index{x}, nil
}

// path is where the index of a file as it is now lies, "" where it has none.
func (s store) path(name string) string {
	info, err := os.Stat(name)
	if s == "" || err != nil || info.Size() < smallFile {
		return ""
	}
	key := checksum.Of([]byte(fmt.Sprintf("%s\x00%d\x00%d\x00%s", name, info.Size(), info.ModTime().UnixNano(), indexMagic)))
	return filepath.Join(string(s), hex.EncodeToString(key[:])+indexSuffix)
}

// make writes an index and reads it.
func (s store) make(name, path string, r io.Reader) (*index, error) {
	if err := os.MkdirAll(string(s), 0o700); err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(string(s), "*"+tempSuffix)
	if err != nil {
		return nil, err
	}
	defer os.Remove(temp.Name()) // gone where it was renamed
	err = writeIndex(temp, scanTMX(name, r))
	if closed := temp.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		return nil, err
	}
	return mapIndex(name, path)
}

// sweep removes the indexes of what is no longer there: they hold the texts.
func (s store) sweep(kept []*index) {
	if s == "" {
		return
	}
	used := map[string]bool{}
	for _, x := range kept {
		used[filepath.Base(s.path(x.file))] = true
	}
	found, _ := os.ReadDir(string(s)) // where it cannot be read nothing was written
	for _, e := range found {
		left := strings.HasSuffix(e.Name(), indexSuffix) && !used[e.Name()]
		if info, err := e.Info(); err == nil && strings.HasSuffix(e.Name(), tempSuffix) {
			left = time.Since(info.ModTime()) > time.Hour // of a process that was killed
		}
		if left {
			if err := os.Remove(filepath.Join(string(s), e.Name())); err != nil {
				slog.Debug("Index of a translation memory that is gone is left", "err", err)
			}
		}
	}
}
