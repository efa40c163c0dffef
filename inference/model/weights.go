package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// format is a kind of weights file: how a single file and an index of
// several are called, and how one file's tensors are found.
type format struct {
	single, index string
	read          func(r io.ReaderAt, size int64, path string) ([]entry, error)
}

var formats = []format{
	{"model.safetensors", "model.safetensors.index.json", readSafetensors},
	{"pytorch_model.bin", "pytorch_model.bin.index.json", readTorch},
}

func (c *Checkpoint) openWeights() error {
	var tried []string
	for _, f := range formats {
		for _, name := range []string{f.single, f.index} {
			path := filepath.Join(c.Dir, name)
			if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
				tried = append(tried, name)
				continue
			}
			if name == f.single {
				return c.openFile(path, f)
			}
			return c.openShards(path, f)
		}
	}
	return fmt.Errorf("open checkpoint: no weights in %s: none of %s is there", c.Dir, strings.Join(tried, ", "))
}

// openFile maps one file and adds its tensors.
func (c *Checkpoint) openFile(path string, f format) error {
	m, err := openMapping(path)
	if err != nil {
		return err
	}
	c.weights = append(c.weights, m)
	entries, err := f.read(m.file, m.stamp.size, path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if other, dup := c.tensors[e.name]; dup {
			return fmt.Errorf("tensor %q is both in %s and in %s: the checkpoint is mixed from two exports", e.name, other.src.path, path)
		}
		c.tensors[e.name] = Tensor{Name: e.name, DType: e.dtype, Shape: e.shape, src: m, off: e.off, elems: e.elems}
	}
	return nil
}

// openShards opens every file that an index names and checks that each tensor
// is in the file where the index has it.
func (c *Checkpoint) openShards(path string, f format) error {
	index, err := readSmallFile(path, maxIndex)
	if err != nil {
		return err
	}
	c.small = append(c.small, index)
	where, err := parseIndex(index)
	if err != nil {
		return err
	}
	shards := slices.Compact(slices.Sorted(maps.Values(where)))
	for _, shard := range shards {
		// The index is outside input: it must not reach other folders.
		if shard == "." || shard != filepath.Base(shard) || !filepath.IsLocal(shard) || strings.ContainsAny(shard, `/\:`) {
			return fmt.Errorf("%s names the file %q: only plain names in its own folder are allowed", path, shard)
		}
	}
	for _, shard := range shards {
		if err := c.openFile(filepath.Join(c.Dir, shard), f); err != nil {
			return fmt.Errorf("%s: %w", f.index, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(where)) {
		t, ok := c.tensors[name]
		if !ok || t.src.stamp.name != where[name] {
			return fmt.Errorf("%s has tensor %q in %s, but it is not there: the checkpoint is incomplete or mixed from two exports",
				path, name, where[name])
		}
	}
	return nil
}

// parseIndex reads the object weight_map, from tensor to file name, token by
// token: a name listed twice must not go unseen.
func parseIndex(index *smallFile) (map[string]string, error) {
	o, err := parseObject(index)
	if err != nil {
		return nil, err
	}
	raw, ok := o.value("weight_map")
	if !ok {
		return nil, o.refuse("weight_map", "is missing: without it the weights cannot be found")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	if tok, err := dec.Token(); err != nil || tok != json.Delim('{') {
		return nil, o.refuse("weight_map", "is not an object")
	}
	where := make(map[string]string)
	for dec.More() {
		tok, err := dec.Token()
		if err != nil {
			return nil, jsonError(index.path, err)
		}
		name := tok.(string) // what an object's keys are
		var file string
		if err := dec.Decode(&file); err != nil {
			return nil, o.refuse("weight_map", fmt.Sprintf("has no file name for tensor %q", name))
		}
		if _, dup := where[name]; dup {
			return nil, o.refuse("weight_map", fmt.Sprintf("lists tensor %q twice", name))
		}
		where[name] = file
	}
	if len(where) == 0 {
		return nil, o.refuse("weight_map", "is empty")
	}
	return where, nil
}
