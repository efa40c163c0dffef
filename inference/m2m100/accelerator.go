package m2m100

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"dragoman/inference/mapped"
	"dragoman/inference/openvino"
)

// ErrHung is the error of an inference that did not end in time.
var ErrHung = errors.New("the device did not finish in time")

// errClosed is the error of an accelerator that was given back meanwhile.
var errClosed = errors.New("the device is closed")

// Accelerator is the encoder on a device besides the processor: one graph of
// fixed length for each bucket, all of them ready. It is safe for concurrent
// use; texts take turns.
type Accelerator struct {
	Target Target
	// Imported counts the graphs that came from the store.
	Imported int

	limit   time.Duration
	weights *mapped.File

	mu      sync.Mutex // guards what follows, and the device
	encoder *staticEncoder
	core    *openvino.Core // nil unless it is the accelerator's own
	closed  bool
	hung    bool // an inference has not ended: nothing that it uses may be given back
}

// Step is how far opening an accelerator is.
type Step struct {
	Graph, Of int // the graph that is being opened, counted from 1
	Bucket    int // its length in tokens
}

// OpenAccelerator takes the encoder's graphs for a device from the store, or
// compiles them and puts them there. limit is how long an inference may take.
// The checkpoint must stay open as long as the accelerator.
func OpenAccelerator(ctx context.Context, o Options, t Target, limit time.Duration, progress func(Step)) (*Accelerator, error) {
	if err := Prepare(ctx, o); err != nil {
		return nil, err
	}
	weights, err := mapped.Open(filepath.Join(o.Dir, weightsFile))
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	a := &Accelerator{Target: t, limit: limit, weights: weights}
	if err := a.open(ctx, o, progress); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	weights.Release()
	return a, nil
}

func (a *Accelerator) open(ctx context.Context, o Options, progress func(Step)) error {
	table, err := newEmbedding(o.Checkpoint)
	if err != nil {
		return err
	}
	g, err := newGraphs(o, a.Target, a.weights.Bytes())
	if err != nil {
		return err
	}
	a.encoder = newStaticEncoder(g, o.Checkpoint.Config, table)
	buckets := bucketsOf(o.Checkpoint.Config)
	for i, size := range buckets {
		if err := ctx.Err(); err != nil {
			return err
		}
		progress(Step{i + 1, len(buckets), size})
		b, err := a.encoder.bucket(ctx, size)
		if err != nil {
			return err
		}
		if b.graph.imported() {
			a.Imported++
		}
		b.graph.release()
	}
	return nil
}

// Own has Close give the core that the accelerator was opened with back, too.
func (a *Accelerator) Own(core *openvino.Core) { a.core = core }

// encode runs a source and packs the outputs into p.
func (a *Accelerator) encode(ctx context.Context, source []int32, p *packing) (encoded, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed || a.hung {
		return encoded{}, errClosed
	}
	return a.encoder.encodeInto(ctx, source, p, a.infer)
}

// infer runs a request in a goroutine of its own: what hangs in a driver cannot
// be ended, only left behind.
func (a *Accelerator) infer(q *openvino.InferRequest) error {
	ended := make(chan error, 1)
	go func() { ended <- q.Infer() }()
	timer := time.NewTimer(a.limit)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
	}
	a.hung = true
	go func() {
		<-ended
		a.mu.Lock()
		defer a.mu.Unlock()
		a.hung = false
		if a.closed {
			a.free()
		}
	}()
	return fmt.Errorf("%w: %v", ErrHung, a.limit)
}

// Outputs encodes a source: the keys and values of each decoder layer in turn,
// f32 [heads, length, d/heads] each.
func (a *Accelerator) Outputs(ctx context.Context, source []int32) ([][]float32, error) {
	var p packing
	defer p.close()
	out, err := a.encode(ctx, source, &p)
	if err != nil {
		return nil, err
	}
	return copies(out.cross)
}

func copies(tensors []*openvino.Tensor) (all [][]float32, err error) {
	for _, t := range tensors {
		data, err := t.Float32s()
		if err != nil {
			return nil, err
		}
		all = append(all, append([]float32(nil), data...))
	}
	return all, nil
}

// Doubt takes the graphs that this accelerator was opened from out of the store.
func (a *Accelerator) Doubt(reason string) {
	g := a.encoder.graphs
	if g.blobs == nil {
		return
	}
	for size := range a.encoder.ready {
		for _, key := range g.keys(staticEncoderFile(size)) {
			g.blobs.Quarantine(key, reason)
		}
	}
}

// Close gives everything back, what a hanging inference uses when that ends.
func (a *Accelerator) Close() error {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil
	}
	a.closed = true
	if a.hung {
		return nil
	}
	return a.free()
}

func (a *Accelerator) free() error {
	if a.encoder != nil {
		a.encoder.close()
	}
	a.core.Close()
	return a.weights.Close()
}
