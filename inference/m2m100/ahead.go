package m2m100

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dragoman/inference/mapped"
)

// Ahead is a graph that was compiled for a device that need not be here.
type Ahead struct {
	Step
	Stored bool // it was there already
	Took   time.Duration
	Blob   []byte // valid until the function that is told returns
}

// CompileAhead puts the encoder's graphs for an NPU of the target's architecture
// into the store, where one with any driver finds them. Nothing is opened: the
// device need not be here. began is told before each graph, done after it.
func CompileAhead(ctx context.Context, o Options, t Target, began func(Step), done func(Ahead)) error {
	if t.Device != npu || t.Architecture == "" || t.Tiles != "" || t.Driver != "" || t.Compiler != "" {
		return fmt.Errorf("graphs for %s %s cannot be compiled ahead", t.Device, t.Architecture)
	}
	if err := Prepare(ctx, o); err != nil {
		return err
	}
	weights, err := mapped.Open(filepath.Join(o.Dir, weightsFile))
	if err != nil {
		return fmt.Errorf("open the prepared model: %w", err)
	}
	defer weights.Close()
	markUsed(o.Dir, time.Now())
	g, err := newGraphs(o, t, weights.Bytes())
	if err != nil {
		return err
	}
	buckets := bucketsOf(o.Checkpoint.Config)
	for i, size := range buckets {
		if err := ctx.Err(); err != nil {
			return err
		}
		step := Step{i + 1, len(buckets), size}
		began(step)
		if err := g.ahead(ctx, step, done); err != nil {
			return err
		}
	}
	return nil
}

func (g graphs) ahead(ctx context.Context, step Step, done func(Ahead)) error {
	file := staticEncoderFile(step.Bucket)
	key := g.key(file)
	unlock, err := g.blobs.Lock(ctx, key)
	if err != nil {
		return err
	}
	defer unlock()
	start := time.Now()
	b, err := g.blobs.Get(key)
	there := err == nil
	if !there {
		compiled, err := g.compile(file)
		if err != nil {
			return err
		}
		g.put(key, file, compiled)
		compiled.Close()
		if b, err = g.blobs.Get(key); err != nil {
			return fmt.Errorf("store what was compiled from %s: %w", file, err)
		}
	}
	defer b.Close()
	done(Ahead{step, there, time.Since(start), b.Bytes()})
	return nil
}
