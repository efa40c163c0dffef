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
	"dragoman/internal/english"
)

// ErrHung is the error of an inference that did not end in time.
var ErrHung = errors.New("the device did not finish in time")

// errClosed is the error of a device that was given back meanwhile.
var errClosed = errors.New("the device is closed")

// Step is how far opening the graphs of a device is.
type Step struct {
	Graph, Of int // the graph that is being opened, counted from 1
	Bucket    int // its length in tokens
}

// onDevice is what the encoder and the decoder on a device besides the processor
// have in common: what they were opened from, and when that may be given back.
type onDevice struct {
	Target Target

	limit   time.Duration // of an inference
	weights *mapped.File  // nil when everything was given back
	core    *openvino.Core
	close   func() // closes the graphs; set once there are any

	mu     sync.Mutex
	users  int // texts that it is at
	closed bool
	hung   bool // an inference has not ended: nothing that it uses may be given back
}

// prepare opens what graphs are compiled from.
func (d *onDevice) prepare(ctx context.Context, o Options) (g graphs, table *embedding, err error) {
	if err := Prepare(ctx, o); err != nil {
		return g, nil, err
	}
	markUsed(o.Dir, time.Now())
	if d.weights, err = mapped.Open(filepath.Join(o.Dir, weightsFile)); err != nil {
		return g, nil, fmt.Errorf("open the prepared model: %w", err)
	}
	if table, err = newEmbedding(o.Checkpoint); err != nil {
		return g, nil, err
	}
	g, err = newGraphs(o, d.Target, d.weights.Bytes())
	return g, table, err
}

// Own has Close give the core that the graphs were opened with back, too.
func (d *onDevice) Own(core *openvino.Core) { d.core = core }

// enter begins a text, unless the device is closed or hangs. leave ends it.
func (d *onDevice) enter() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed || d.hung {
		return errClosed
	}
	d.users++
	return nil
}

func (d *onDevice) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.users--
	_ = d.free() // nobody is left to hear of it
}

// infer runs a request in a goroutine of its own: what hangs in a driver cannot
// be ended, only left behind. late is called when that ends after all.
func (d *onDevice) infer(q *openvino.InferRequest, late func()) error {
	d.mu.Lock()
	hung := d.hung
	d.mu.Unlock()
	if hung { // by another text: what is freed when that ends must not be in use then
		return errClosed
	}
	ended := make(chan error, 1)
	go func() { ended <- q.Infer() }()
	timer := time.NewTimer(d.limit)
	defer timer.Stop()
	select {
	case err := <-ended:
		return err
	case <-timer.C:
	}
	d.mu.Lock()
	d.hung = true
	d.mu.Unlock()
	go func() {
		<-ended
		late()
		d.mu.Lock()
		defer d.mu.Unlock()
		d.hung = false
		_ = d.free() // nobody is left to hear of it
	}()
	return fmt.Errorf("%w: %s", ErrHung, english.Duration(d.limit))
}

// Close gives everything back when the last text is done and nothing hangs.
func (d *onDevice) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.closed = true
	return d.free()
}

// free needs the lock.
func (d *onDevice) free() error {
	if !d.closed || d.users > 0 || d.hung || d.weights == nil {
		return nil
	}
	if d.close != nil {
		d.close()
	}
	d.core.Close()
	weights := d.weights
	d.weights = nil
	return weights.Close()
}
