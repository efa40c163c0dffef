package model

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxPickle bounds the description of the tensors; the largest real one is
// below 1 MB.
const maxPickle = 16 << 20

// What a file of torch.save begins with that is older than PyTorch 1.6: a
// pickle of the number 0x1950a86a20f9469cfc6c.
var legacyTorch = []byte("\x80\x02\x8a\x0a\x6c\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19")

// readTorch finds the tensors of a pytorch_model.bin: a zip archive of one
// folder with data.pkl, a pickle that describes the tensors, and data/KEY, the
// bytes of each storage. Archives written by PyTorch store these uncompressed, so
// tensors are used where they lie in the file.
func readTorch(r io.ReaderAt, size int64, path string) ([]entry, error) {
	archive, err := zip.NewReader(r, size)
	if err != nil {
		return nil, explainNoZip(r, size, path, err)
	}
	records := make(map[string]*zip.File, len(archive.File))
	root, found := "", false
	for _, f := range archive.File {
		if _, dup := records[f.Name]; dup {
			return nil, fmt.Errorf("read %s: record %q is in the archive twice: %s", path, f.Name, damaged)
		}
		records[f.Name] = f
		base, ok := strings.CutSuffix(f.Name, "data.pkl")
		if !ok || (base != "" && !strings.HasSuffix(base, "/")) {
			continue
		}
		if found {
			return nil, fmt.Errorf("read %s: both %q and %q describe tensors: %s", path, root+"data.pkl", f.Name, damaged)
		}
		root, found = base, true
	}
	if !found {
		return nil, fmt.Errorf("read %s: no data.pkl in the archive: not a file of torch.save", path)
	}
	if _, ok := records[root+"constants.pkl"]; ok {
		return nil, fmt.Errorf("read %s: this is a TorchScript program, not a file of weights: save model.state_dict()", path)
	}
	if err := checkByteOrder(records[root+"byteorder"], path); err != nil {
		return nil, err
	}
	pickled, err := readRecord(records[root+"data.pkl"], maxPickle, path)
	if err != nil {
		return nil, err
	}
	tensors, err := readStateDict(pickled)
	if err != nil {
		return nil, fmt.Errorf("read %s, %sdata.pkl: %w", path, root, err)
	}
	return placeTensors(tensors, records, root, size, path)
}

func explainNoZip(r io.ReaderAt, size int64, path string, err error) error {
	start := firstBytes(r, size)
	switch {
	case lfsPointer(start):
		return fmt.Errorf("read %s: this is a Git LFS pointer, not the weights: fetch the real file (git lfs pull)", path)
	case bytes.HasPrefix(start, legacyTorch):
		return fmt.Errorf("read %s: it is in the format of PyTorch before 1.6, which is not supported: load it in PyTorch and save it again, best as model.safetensors", path)
	case bytes.HasPrefix(start, []byte("PK\x03\x04")) && errors.Is(err, zip.ErrFormat):
		return fmt.Errorf("read %s: no zip directory at the end of its %d bytes: %s", path, size, damaged)
	}
	return fmt.Errorf("read %s as a file of torch.save: %w", path, err)
}

func checkByteOrder(f *zip.File, path string) error {
	if f == nil {
		return nil // written before PyTorch 2.1, on a little-endian machine like all of ours
	}
	order, err := readRecord(f, 64, path)
	if err != nil {
		return err
	}
	if string(order) != "little" {
		return fmt.Errorf("read %s: byte order %q is not supported: export it as model.safetensors", path, order)
	}
	return nil
}

// readRecord reads a small record whole; archive/zip verifies its checksum.
func readRecord(f *zip.File, limit uint64, path string) ([]byte, error) {
	if err := checkStored(f, path); err != nil {
		return nil, err
	}
	if f.UncompressedSize64 > limit {
		return nil, fmt.Errorf("read %s: record %q has %d bytes, the limit is %d", path, f.Name, f.UncompressedSize64, limit)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("read %s, record %q: %w: %s", path, f.Name, err, damaged)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, int64(limit)+1))
	if err != nil {
		return nil, fmt.Errorf("read %s, record %q: %w: %s", path, f.Name, err, damaged)
	}
	return data, nil
}

func checkStored(f *zip.File, path string) error {
	if f.Method != zip.Store {
		return fmt.Errorf("read %s: record %q is compressed, so it cannot be used in place: unpack and pack the archive without compression (zip -0), or export it as model.safetensors",
			path, f.Name)
	}
	if f.Flags&1 != 0 {
		return fmt.Errorf("read %s: record %q is encrypted", path, f.Name)
	}
	if f.CompressedSize64 != f.UncompressedSize64 {
		return fmt.Errorf("read %s: record %q is stored but has two sizes, %d and %d: %s",
			path, f.Name, f.CompressedSize64, f.UncompressedSize64, damaged)
	}
	return nil
}

func placeTensors(tensors []pickledTensor, records map[string]*zip.File, root string, size int64, path string) ([]entry, error) {
	entries := make([]entry, 0, len(tensors))
	starts := make(map[string]int64)
	for _, t := range tensors {
		name := root + "data/" + t.from.key
		f := records[name]
		if f == nil {
			return nil, fmt.Errorf("read %s: tensor %q: no record %q in the archive: %s", path, t.name, name, damaged)
		}
		// A storage's class and length are said anew by each of its tensors.
		width := dtypeSizes[t.from.dtype]
		if f.UncompressedSize64%uint64(width) != 0 || f.UncompressedSize64/uint64(width) != uint64(t.from.elems) {
			return nil, fmt.Errorf("read %s: tensor %q: record %q has %d bytes, but %d elements of %s are claimed: %s",
				path, t.name, name, f.UncompressedSize64, t.from.elems, t.from.dtype, damaged)
		}
		start, known := starts[name]
		if !known {
			if err := checkStored(f, path); err != nil {
				return nil, err
			}
			var err error
			if start, err = f.DataOffset(); err != nil {
				return nil, fmt.Errorf("read %s, record %q: %w: %s", path, name, err, damaged)
			}
			if start < 0 || start > size || f.UncompressedSize64 > uint64(size-start) {
				return nil, fmt.Errorf("read %s: record %q at byte %d is longer than the rest of the file: %s", path, name, start, damaged)
			}
			starts[name] = start
		}
		entries = append(entries, entry{
			name:  t.name,
			dtype: t.from.dtype,
			shape: t.shape,
			off:   start + int64(t.first)*width,
			bytes: int64(t.elems) * width,
			elems: t.elems,
		})
	}
	return entries, nil
}
