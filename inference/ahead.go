package inference

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"dragoman/inference/blob"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/npublob"
)

// Ahead is a graph that was compiled for NPUs of other machines.
type Ahead struct {
	Graph, Of int  // counted from 1
	Tokens    int  // its length
	Stored    bool // it was there already
	Took      time.Duration
	Bytes     int64
	Needs     npublob.Requirements
	// Estimate is the compiler's own, not measured by anyone; zero where it made none.
	Estimate npublob.Estimate
}

// CompileAhead compiles a model's encoder for the NPUs of a platform, which need
// not be in this machine, and leaves the graphs in the cache: a copy of that
// serves every machine with such an NPU and the same release of OpenVINO,
// whatever its driver. The runtime must have the NPU's compiler.
func CompileAhead(ctx context.Context, o Options, platform string, began, done func(Ahead)) error {
	generation, err := device.ParseGeneration(platform)
	if err != nil {
		return err
	}
	t, options, err := openBasics(ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = t.closeBasics() }()
	if err := device.Check(device.Format(options.Recipe.Encoder), device.Device{Kind: device.NPU, Generation: generation}, 0); err != nil {
		return err
	}
	options.Dir = preparedIn(o.Cache.Dir, options)
	options.Blobs = blob.Open(filepath.Join(o.Cache.Dir, blobsFolder), blob.Options{QuotaBytes: o.Cache.QuotaBytes})
	if s := options.Blobs.Status(); s.Mode != blob.ReadWrite {
		return fmt.Errorf("the cache cannot be written: %s", s.Problem)
	}
	target := m2m100.Target{
		Device: string(ladder.NPU), Architecture: string(generation), Properties: properties[ladder.NPU],
		Offline: map[string]string{"NPU_PLATFORM": string(generation)},
	}
	err = m2m100.CompileAhead(ctx, options, target, func(s m2m100.Step) {
		began(Ahead{Graph: s.Graph, Of: s.Of, Tokens: s.Bucket})
	}, func(a m2m100.Ahead) {
		made := Ahead{Graph: a.Graph, Of: a.Of, Tokens: a.Bucket, Stored: a.Stored, Took: a.Took, Bytes: int64(len(a.Blob))}
		made.Needs, _ = npublob.Read(a.Blob) // another form of blob tells nothing
		made.Estimate, _ = npublob.ReadEstimate(a.Blob, string(generation))
		done(made)
	})
	if err == nil || ctx.Err() != nil {
		return err
	}
	problem, text := device.Explain(device.NPU, err)
	switch problem {
	case device.Unexplained:
		return err
	case device.NoCompiler:
		text += ": take OpenVINO from Intel's archive, `dragoman runtime install --from FILE`"
	}
	return fmt.Errorf("compile for NPU %s: %s", generation, text)
}
