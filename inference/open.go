package inference

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"dragoman/inference/blob"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/draft"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
)

// Options say what translates and where.
type Options struct {
	Runtime  locate.Candidate
	ModelDir string // a Hugging Face checkpoint folder
	Cache    Cache
	Recipe   string // how weights are stored: "int8", "int4", "f32"; "" is int8
	Encoder  string // device of the encoder: "NPU", "GPU", "CPU", "CPU-static"; "" is the best that works
	Decoder  string // device of the decoder: "GPU", "CPU"; "" is the better one, by a measurement
	Threads  int    // of the CPU; 0 leaves the choice to package cores, or to OpenVINO where that computes

	// Observe, where not nil, is told how long each compiled graph took to be
	// imported from the cache, or to be compiled. It may be called by several
	// goroutines.
	Observe func(fromStore bool, took time.Duration)

	// Preparing, where not nil, is told how far preparing the model is that was not
	// used before, in percent.
	Preparing func(percent int)

	Acceleration Acceleration // without it the processor does everything
}

// Cache is where what is made from a model is kept between starts.
type Cache struct {
	Dir        string // may be missing or read-only
	QuotaBytes int64  // of the store of compiled models; 0 is no limit
}

// Open loads a model.
func Open(ctx context.Context, o Options) (*Translator, error) {
	placement, rungs, err := parseEncoder(o.Encoder)
	if err != nil {
		return nil, err
	}
	decoders, err := ladder.DecoderRungs(o.Decoder)
	if err != nil {
		return nil, err
	}
	if err := checkAsked(ctx, o); err != nil {
		return nil, err
	}
	t, options, err := openBasics(ctx, o)
	if err != nil {
		return nil, err
	}
	t.placement, options.Encoder = string(placement), placement
	if err := t.openEngine(ctx, &options, o.Cache); err != nil {
		return nil, errors.Join(err, t.closeBasics(), t.removeScratch())
	}
	if (len(rungs) > 1 || len(decoders) > 1) && o.Acceleration.Probe != nil {
		t.tryDevices(options, o, rungs, decoders)
	}
	return t, nil
}

// tryDevices begins to try devices for both parts.
func (t *Translator) tryDevices(options m2m100.Options, o Options, rungs, decoders []ladder.Device) {
	blobs := t.handover(&options, o.Cache)
	t.system = &system{ask: o.Acceleration.Survey, resume: t.Resume}
	if len(rungs) > 1 {
		t.accelerate(options, o, rungs, blobs, t.system)
	}
	if len(decoders) > 1 {
		t.chooseDecoder(options, o, decoders, blobs, t.system)
	}
}

// checkAsked refuses weights that the device does not take that was asked for by
// name.
func checkAsked(ctx context.Context, o Options) error {
	recipe, err := m2m100.ParseRecipe(orDefault(o.Recipe, "int8"))
	if err != nil {
		return err
	}
	machine := func() device.Machine {
		if o.Acceleration.Survey == nil {
			return device.Machine{}
		}
		return o.Acceleration.Survey(ctx)
	}
	return errors.Join(
		device.CheckAsked(device.Format(recipe.Encoder), o.Encoder, 0, machine),
		device.CheckAsked(device.Format(recipe.Decoder), o.Decoder, 0, machine))
}

// openBasics opens what an engine is made of. What does not depend on each
// other is read side by side.
func openBasics(ctx context.Context, o Options) (*Translator, m2m100.Options, error) {
	recipe, err := m2m100.ParseRecipe(orDefault(o.Recipe, "int8"))
	if err != nil {
		return nil, m2m100.Options{}, err
	}
	t := &Translator{weights: orDefault(o.Recipe, "int8")}
	var g errgroup.Group
	g.Go(func() (err error) { t.core, err = openCore(o.Runtime); return err })
	g.Go(func() (err error) { t.tokenizer, err = tokenizer.Load(o.ModelDir); return err })
	g.Go(func() (err error) {
		if t.checkpoint, err = model.Open(o.ModelDir); err != nil {
			return err
		}
		t.key, err = t.checkpoint.CachedContentKey(ctx, o.Cache.Dir)
		return err
	})
	if err := g.Wait(); err != nil {
		return nil, m2m100.Options{}, errors.Join(err, t.closeBasics())
	}
	t.drafts = draft.NewMemory(t.tokenizer.Begins)
	forbidden := append(t.tokenizer.Forbidden(), t.tokenizer.BOS(), t.tokenizer.Pad(), t.tokenizer.Unknown())
	return t, m2m100.Options{
		Core: t.core, Checkpoint: t.checkpoint, Recipe: recipe, Forbidden: forbidden,
		Threads: o.Threads, ContentKey: t.key, Observe: o.Observe, Preparing: o.Preparing,
	}, nil
}

// parseEncoder reads Options.Encoder: what the processor runs, and what else may
// be tried.
func parseEncoder(name string) (m2m100.Placement, []ladder.Device, error) {
	if name == string(m2m100.CPUStatic) {
		return m2m100.CPUStatic, []ladder.Device{ladder.CPU}, nil
	}
	rungs, err := ladder.Rungs(name)
	if err != nil {
		return "", nil, fmt.Errorf("%w, or %s for the graphs that an NPU gets", err, m2m100.CPUStatic)
	}
	return m2m100.CPU, rungs, nil
}

// CheckEncoder refuses what is no device for Options.Encoder.
func CheckEncoder(name string) error {
	_, _, err := parseEncoder(name)
	return err
}

// handover is the folder of the store in which another process leaves what it
// has compiled: the cache's, or one that ends with the translator.
func (t *Translator) handover(o *m2m100.Options, cache Cache) string {
	dir := filepath.Join(cache.Dir, blobsFolder)
	if o.Blobs != nil && o.Blobs.Status().Mode == blob.ReadWrite {
		return dir
	}
	if t.scratch == "" {
		scratch, err := os.MkdirTemp("", "dragoman-")
		if err != nil {
			return dir // the reason will be that nothing can be stored there
		}
		t.scratch = scratch
	}
	dir = filepath.Join(t.scratch, blobsFolder)
	o.Blobs = blob.Open(dir, blob.Options{})
	return dir
}

func openCore(c locate.Candidate) (*openvino.Core, error) {
	if err := c.CheckComplete(); err != nil {
		return nil, err
	}
	rt, err := openvino.Load(c.Library, c.Preload...)
	if err != nil {
		return nil, err
	}
	return rt.NewCore()
}

// openEngine keeps graphs and compiled models in the cache. Where that is
// impossible they go to a folder that ends with the translator: a full disk
// must not stop anyone from translating.
func (t *Translator) openEngine(ctx context.Context, o *m2m100.Options, cache Cache) (err error) {
	o.Dir = preparedIn(cache.Dir, *o)
	if err = m2m100.Prepare(ctx, *o); err == nil {
		o.Blobs = blob.Open(filepath.Join(cache.Dir, blobsFolder), blob.Options{QuotaBytes: cache.QuotaBytes})
	} else {
		if !errors.Is(err, m2m100.ErrCache) || ctx.Err() != nil {
			return err
		}
		slog.Warn("Model cache cannot be used, every start will be slower", "folder", cache.Dir, "err", err)
		if t.scratch, err = os.MkdirTemp("", "dragoman-"); err != nil {
			return fmt.Errorf("prepare the model: neither the cache folder nor the system's temporary folder can be written: %w", err)
		}
		o.Dir = filepath.Join(t.scratch, filepath.Base(o.Dir))
		if err = m2m100.Prepare(ctx, *o); err != nil {
			return err
		}
	}
	t.engine, err = m2m100.Open(ctx, *o)
	return err
}

// preparedIn is where the cache keeps a model's graphs.
func preparedIn(cacheDir string, o m2m100.Options) string {
	return filepath.Join(cacheDir, graphsFolder, fmt.Sprintf("%x", sha256.Sum256([]byte(o.GraphKey())))[:24])
}

// closeBasics gives back what the engine is made of.
func (t *Translator) closeBasics() error {
	t.core.Close()
	if t.checkpoint == nil {
		return nil
	}
	return t.checkpoint.Close()
}

func (t *Translator) removeScratch() error {
	if t.scratch == "" {
		return nil
	}
	return os.RemoveAll(t.scratch)
}

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
