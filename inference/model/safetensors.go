package model

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"
)

// entry is where a tensor lies in a file. Several names may share a place.
type entry struct {
	name  string
	dtype DType
	shape []int
	off   int64 // of the first element, from the file's start, bytes
	bytes int64
	elems int
}

// maxHeader is the limit that the safetensors reference implementation sets.
const maxHeader = 100_000_000

// readSafetensors reads the header of a safetensors file: eight bytes of
// length, little-endian, then a JSON object from name to element type, shape
// and the half-open range of bytes after the header. The ranges must cover
// everything after the header once, as the format demands; so a file that is
// cut short, or longer than it says, is found without reading the weights.
func readSafetensors(r io.ReaderAt, size int64, path string) ([]entry, error) {
	if size < 8 {
		return nil, fmt.Errorf("read %s: %d bytes are too few for a safetensors file: %s", path, size, damaged)
	}
	var prefix [8]byte
	if _, err := r.ReadAt(prefix[:], 0); err != nil {
		return nil, fmt.Errorf("read %s at byte 0: %w", path, err)
	}
	length := binary.LittleEndian.Uint64(prefix[:])
	if length > maxHeader {
		if start := firstBytes(r, size); lfsPointer(start) {
			return nil, fmt.Errorf("read %s: this is a Git LFS pointer, not the weights: fetch the real file (git lfs pull)", path)
		}
		return nil, fmt.Errorf("read %s: the header claims %d bytes, the limit is %d: not a safetensors file, or damaged", path, length, maxHeader)
	}
	if int64(length) > size-8 {
		return nil, fmt.Errorf("read %s: the header claims %d bytes but only %d follow it: %s", path, length, size-8, damaged)
	}
	header := make([]byte, length)
	if _, err := r.ReadAt(header, 8); err != nil {
		return nil, fmt.Errorf("read %s at byte 8: %w", path, err)
	}
	entries, err := parseHeader(header, path)
	if err != nil {
		return nil, err
	}
	return entries, placeEntries(entries, 8+int64(length), size, path)
}

func firstBytes(r io.ReaderAt, size int64) []byte {
	start := make([]byte, min(size, 64))
	n, _ := r.ReadAt(start, 0)
	return start[:n]
}

// parseHeader leaves each entry's offset relative to the end of the header.
func parseHeader(header []byte, path string) ([]entry, error) {
	if !utf8.Valid(header) {
		return nil, fmt.Errorf("read %s: the header, bytes 8 to %d, is not UTF-8: %s", path, 8+len(header), damaged)
	}
	dec := json.NewDecoder(bytes.NewReader(header))
	broken := func(err error) error {
		return fmt.Errorf("read %s: broken JSON in the header at byte %d: %w: %s", path, 8+dec.InputOffset(), err, damaged)
	}
	if tok, err := dec.Token(); err != nil {
		return nil, broken(err)
	} else if tok != json.Delim('{') {
		return nil, fmt.Errorf("read %s: the header at byte 8 is not a JSON object: %s", path, damaged)
	}
	var entries []entry
	seen := make(map[string]struct{})
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, broken(err)
		}
		name, ok := tok.(string)
		if !ok {
			return nil, broken(fmt.Errorf("a tensor's name is not a string"))
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, broken(err)
		}
		if name == "__metadata__" {
			continue // notes for people and tools, such as the framework's name
		}
		if _, dup := seen[name]; dup {
			return nil, fmt.Errorf("read %s: tensor %q is listed twice, again before byte %d: %s", path, name, 8+dec.InputOffset(), damaged)
		}
		seen[name] = struct{}{}
		e, err := parseEntry(name, value)
		if err != nil {
			return nil, fmt.Errorf("read %s: tensor %q: %w: %s", path, name, err, damaged)
		}
		entries = append(entries, e)
	}
	if _, err := dec.Token(); err != nil {
		return nil, broken(err)
	}
	// Writers pad the header with spaces; anything else is not a header.
	if rest := bytes.TrimRight(header[dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, fmt.Errorf("read %s: %d bytes after the header's end at byte %d: %s", path, len(rest), 8+dec.InputOffset(), damaged)
	}
	return entries, nil
}

func parseEntry(name string, value json.RawMessage) (entry, error) {
	var raw struct {
		DType   DType   `json:"dtype"`
		Shape   []int   `json:"shape"`
		Offsets []int64 `json:"data_offsets"`
	}
	if err := json.Unmarshal(value, &raw); err != nil {
		return entry{}, err
	}
	if raw.DType == "" || raw.Shape == nil || len(raw.Offsets) != 2 {
		return entry{}, fmt.Errorf("dtype, shape or data_offsets is missing")
	}
	begin, end := raw.Offsets[0], raw.Offsets[1]
	if begin < 0 || end < begin {
		return entry{}, fmt.Errorf("data_offsets %v are no range", raw.Offsets)
	}
	elems, want, err := extent(raw.DType, raw.Shape)
	if err != nil {
		return entry{}, err
	}
	if end-begin != want {
		return entry{}, fmt.Errorf("data_offsets %v hold %d bytes, but shape %v of %s needs %d",
			raw.Offsets, end-begin, raw.Shape, raw.DType, want)
	}
	return entry{name: name, dtype: raw.DType, shape: raw.Shape, off: begin, bytes: want, elems: elems}, nil
}

// placeEntries makes offsets absolute after checking that the tensors lie one
// after the other from the header's end, at byte start, to the file's end.
func placeEntries(entries []entry, start, size int64, path string) error {
	slices.SortFunc(entries, func(a, b entry) int {
		// By end too: an empty tensor may begin where the next one does.
		return cmp.Or(cmp.Compare(a.off, b.off), cmp.Compare(a.bytes, b.bytes))
	})
	var next int64 // relative to start
	last := "the header"
	for i := range entries {
		e := &entries[i]
		switch {
		case e.off > size-start || e.bytes > size-start-e.off:
			return fmt.Errorf("read %s: tensor %q ends at byte %d, the file has %d: %s",
				path, e.name, uint64(start)+uint64(e.off)+uint64(e.bytes), size, damaged)
		case e.off < next:
			return fmt.Errorf("read %s: tensors %q and %q both claim byte %d: %s", path, last, e.name, start+e.off, damaged)
		case e.off > next:
			return fmt.Errorf("read %s: bytes %d to %d before tensor %q belong to no tensor: %s",
				path, start+next, start+e.off, e.name, damaged)
		}
		next, last = e.off+e.bytes, e.name
		e.off += start
	}
	if start+next != size {
		return fmt.Errorf("read %s: %d bytes after the last tensor, from byte %d on: %s", path, size-start-next, start+next, damaged)
	}
	return nil
}
