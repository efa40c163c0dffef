package optimum

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// Export is an exported folder whose weights were found.
type Export struct {
	weights []weight
	Bytes   int64 // that Write writes, about
}

// Open finds the weights of the model in dir, which has config.json too. All that
// the model's sizes ask for must be there, and nothing else.
func Open(dir string) (Export, error) {
	e, err := open(dir)
	if err != nil {
		return Export{}, fmt.Errorf("read the weights of an exported model: %w", err)
	}
	return e, nil
}

func open(dir string) (Export, error) {
	c, err := readConfig(filepath.Join(dir, "config.json"))
	if err != nil {
		return Export{}, err
	}
	all := map[string]weight{}
	for _, part := range []struct{ file, prefix string }{{encoderFile, "model.encoder."}, {decoderFile, ""}} {
		g, err := readGraph(filepath.Join(dir, part.file))
		if err != nil {
			return Export{}, err
		}
		found, err := g.find(part.prefix)
		if err != nil {
			return Export{}, err
		}
		if encoders, ok := all[embedding]; ok {
			if err := same(encoders, found[embedding]); err != nil {
				return Export{}, err
			}
		}
		maps.Copy(all, found)
	}
	// The output matrix of most models is the embedding, which is told apart by its
	// place alone.
	if out, ok := all[output]; ok && c.Tied && out.offset == all[embedding].offset {
		delete(all, output)
	}
	return c.choose(dir, all)
}

const (
	embedding = "model.shared.weight"
	output    = "lm_head.weight"
)

// same refuses an encoder and a decoder of different models. Where the numbers are
// of the same kind they are compared.
func same(a, b weight) error {
	differ := fmt.Errorf("the embeddings in %s and %s differ: the graphs are of different models", filepath.Base(a.file), filepath.Base(b.file))
	if !slices.Equal(a.shape, b.shape) {
		return differ
	}
	if a.kind != b.kind {
		return nil
	}
	x, err := a.open()
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := b.open()
	if err != nil {
		return err
	}
	defer y.Close()
	p, q := make([]byte, 1<<20), make([]byte, 1<<20)
	for left := a.size; left > 0; left -= int64(len(p)) {
		p, q = p[:min(left, int64(len(p)))], q[:min(left, int64(len(q)))]
		if err := errors.Join(readFull(x, p, a), readFull(y, q, b)); err != nil {
			return err
		}
		if !bytes.Equal(p, q) {
			return differ
		}
	}
	return nil
}

func (w weight) open() (*os.File, error) {
	f, err := openFile(w.file)
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(w.offset, io.SeekStart); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func readFull(f io.Reader, p []byte, w weight) error {
	if _, err := io.ReadFull(f, p); err != nil {
		return fmt.Errorf("read %s of %s: %w: the file is cut short; export the model again", w.name, w.file, err)
	}
	return nil
}

// Write writes the weights into a file of safetensors. came, where not nil, is told
// how many bytes more are written.
func (e Export) Write(ctx context.Context, path string, came func(int64)) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	header, err := e.header()
	if err != nil {
		return err
	}
	if _, err := f.Write(header); err != nil {
		return err
	}
	buffer := make([]byte, 1<<20)
	for _, w := range e.weights {
		if err := w.copy(ctx, f, buffer, came); err != nil {
			return err
		}
	}
	return f.Sync()
}

func (w weight) copy(ctx context.Context, to io.Writer, buffer []byte, came func(int64)) error {
	from, err := w.open()
	if err != nil {
		return err
	}
	defer from.Close()
	for left := w.size; left > 0; {
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		p := buffer[:min(left, int64(len(buffer)))]
		if err := readFull(from, p, w); err != nil {
			return err
		}
		if _, err := to.Write(p); err != nil {
			return err
		}
		left -= int64(len(p))
		if came != nil {
			came(int64(len(p)))
		}
	}
	return nil
}

// header is the length and the JSON object that a file of safetensors begins with.
func (e Export) header() ([]byte, error) {
	type entry struct {
		Kind    string   `json:"dtype"`
		Shape   []int64  `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	all, at := map[string]any{"__metadata__": map[string]string{"format": "pt"}}, int64(0)
	for _, w := range e.weights {
		all[w.name] = entry{w.kind, w.shape, [2]int64{at, at + w.size}}
		at += w.size
	}
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	text = append(text, bytes.Repeat([]byte(" "), -len(text)&7)...)
	return append(binary.LittleEndian.AppendUint64(nil, uint64(len(text))), text...), nil
}
