package ir

import (
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math"
)

// alignment keeps every constant on a cache line of its own, so that kernels
// may read it with aligned loads straight from the mapped file.
const alignment = 64

// Span is where a constant lies in the binary file, in bytes.
type Span struct {
	Offset, Size int64
}

// Weights appends constants to the binary file of one or more graphs. A key
// that was written before is not written again. The first failure is kept and
// returned by Err; everything after it does nothing.
type Weights struct {
	out   io.Writer
	size  int64
	spans map[string]Span
	err   error
}

// NewWeights makes a file that is written to out from its beginning.
func NewWeights(out io.Writer) *Weights {
	return &Weights{out: out, spans: map[string]Span{}}
}

// Err is the first failure of a write, or nil.
func (w *Weights) Err() error { return w.err }

// Size is the number of bytes written.
func (w *Weights) Size() int64 { return w.size }

// Spans are where the constants are, by key.
func (w *Weights) Spans() map[string]Span { return maps.Clone(w.spans) }

// Add writes the constant called key by calling fill with a writer that must
// get exactly size bytes, and tells where it lies.
func (w *Weights) Add(key string, size int64, fill func(io.Writer) error) Span {
	if span, ok := w.spans[key]; ok {
		if span.Size != size && w.err == nil {
			w.err = fmt.Errorf("ir: constant %s is asked for with %d bytes and was written with %d", key, size, span.Size)
		}
		return span
	}
	if w.err != nil {
		return Span{}
	}
	if pad := -w.size & (alignment - 1); pad != 0 {
		w.write(make([]byte, pad))
	}
	span := Span{Offset: w.size, Size: size}
	if w.err == nil {
		if err := fill(writerFunc(w.write)); err != nil && w.err == nil {
			w.err = err
		}
	}
	if written := w.size - span.Offset; w.err == nil && written != size {
		w.err = fmt.Errorf("ir: constant %s has %d bytes, %d were written", key, size, written)
	}
	w.spans[key] = span
	return span
}

func (w *Weights) write(p []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(p)
	w.size += int64(n)
	if err != nil {
		w.err = fmt.Errorf("ir: write constants: %w", err)
	}
	return n, w.err
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

func float32Bytes(values []float32) []byte {
	b := make([]byte, 0, 4*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b
}

func int64Bytes(values []int64) []byte {
	b := make([]byte, 0, 8*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return b
}
