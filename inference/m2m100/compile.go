package m2m100

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dragoman/inference/blob"
	"dragoman/inference/ir"
	"dragoman/inference/openvino"
)

// graphs compiles the prepared graphs of one model for one device.
type graphs struct {
	core      *openvino.Core
	dir       string
	files     map[string]written
	constants map[string]ir.Span
	weights   func() ([]byte, error) // checked the first time, before anything is compiled from them
	blobs     *blob.Store
	identity  blob.Identity // what all blobs of this model share
	about     blob.About
	offline   openvino.Properties // for the compiler, besides those of the identity
	fits      func([]byte) error
	stored    bool // take nothing but what the store has
	observe   func(fromStore bool, took time.Duration)
}

func newGraphs(o Options, t Target, weights []byte) (graphs, error) {
	m, err := readManifest(o.Dir)
	if err != nil {
		return graphs{}, fmt.Errorf("open the prepared model: %w", err)
	}
	g := graphs{
		core: o.Core, dir: o.Dir, files: m.Files, constants: m.Constants, blobs: o.Blobs, offline: t.Offline, fits: t.Fits, stored: t.Stored, observe: o.Observe,
		identity: blob.Identity{
			Model: o.ContentKey, Graph: o.GraphKey(), RuntimeBuild: o.Core.Runtime().Build, Properties: t.Properties,
			Device: t.Device, Architecture: t.Architecture, Tiles: t.Tiles, DriverVersion: t.Driver, CompilerVersion: t.Compiler,
		},
	}
	g.about = blob.About{
		Model: filepath.Base(o.Checkpoint.Dir), Prepared: filepath.Base(o.Dir), Device: t.Device, Architecture: t.Architecture,
		Tiles: t.Tiles, Driver: t.Driver, Compiler: t.Compiler, Runtime: o.Core.Runtime().Build,
	}
	g.weights = sync.OnceValues(func() ([]byte, error) {
		return weights, m.Files[weightsFile].check(filepath.Join(o.Dir, weightsFile), weights)
	})
	// Importing takes no properties of its own: it goes by those of the core.
	for key, value := range t.Properties {
		if err := g.core.SetProperty(t.Device, key, value); err != nil {
			return graphs{}, err
		}
	}
	return g, nil
}

func (g graphs) observed(fromStore bool, start time.Time) {
	if g.observe != nil {
		g.observe(fromStore, time.Since(start))
	}
}

// compile reads one graph and compiles it.
func (g graphs) compile(file string) (*openvino.CompiledModel, error) {
	start := time.Now()
	path := filepath.Join(g.dir, file)
	xml, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	if err := g.files[file].check(path, xml); err != nil {
		return nil, err
	}
	weights, err := g.weights()
	if err != nil {
		return nil, err
	}
	m, err := g.core.ReadModel(xml, weights)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	defer m.Close()
	properties := maps.Clone(g.identity.Properties)
	maps.Copy(properties, g.offline)
	compiled, err := g.core.Compile(m, g.identity.Device, properties)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", path, err)
	}
	g.observed(false, start)
	return compiled, nil
}

// stored is a compiled graph and the blob that it lives on, if it came from one.
type stored struct {
	*openvino.CompiledModel
	blob *blob.Blob
}

func (s stored) imported() bool { return s.blob != nil }

// release gives back the pages that the plugin has read and packed for itself.
func (s stored) release() {
	if s.blob != nil {
		s.blob.Release()
	}
}

func (s stored) close() {
	if s.CompiledModel != nil {
		s.CompiledModel.Close()
	}
	if s.blob != nil {
		s.blob.Close()
	}
}

// load takes a graph from the store of compiled models, or compiles it and
// puts it there. A store that does not work must not keep anyone from
// translating: its troubles are logged.
func (g graphs) load(ctx context.Context, file string) (stored, error) {
	if g.blobs == nil {
		if g.stored {
			return stored{}, ErrNotStored
		}
		compiled, err := g.compile(file)
		return stored{CompiledModel: compiled}, err
	}
	unlock, err := g.blobs.Lock(ctx, g.key(file)) // another process may be compiling it
	if err != nil {
		return stored{}, err
	}
	defer unlock()
	s, refused := g.fetch(file)
	if s.CompiledModel != nil {
		return s, nil
	}
	if g.stored {
		if err := refused.err(); err != nil { // on one line, of which people are shown no more
			return stored{}, fmt.Errorf("%w: %w", ErrNotStored, err)
		}
		return stored{}, ErrNotStored
	}
	compiled, err := g.compile(file)
	if err != nil {
		return stored{}, err // of a runtime that does not work no blob is to blame
	}
	for key, why := range refused {
		g.blobs.Quarantine(key, fmt.Sprintf("the runtime refused it: %v", why))
	}
	g.put(g.key(file), file, compiled)
	return stored{CompiledModel: compiled}, nil
}

// put stores what was compiled.
func (g graphs) put(key blob.Key, file string, compiled *openvino.CompiledModel) {
	if err := g.blobs.Put(key, compiled.Export); err != nil {
		if !errors.Is(err, blob.ErrUnavailable) {
			slog.Warn("Compiled model was not stored, the next start will compile it again", "graph", file, "err", err)
		}
		return
	}
	about := g.about
	about.Graph = file
	if err := g.blobs.Describe(key, about); err != nil {
		slog.Warn("What a compiled model was made of is forgotten", "err", err)
	}
}

// refusals are why the runtime would not take blobs that there are.
type refusals map[blob.Key]error

func (r refusals) err() error {
	if len(r) == 0 {
		return nil
	}
	return fmt.Errorf("the device refused it: %w", errors.Join(slices.Collect(maps.Values(r))...))
}

// fetch imports a stored graph. Without one there is nothing and no refusal.
func (g graphs) fetch(file string) (stored, refusals) {
	refused := refusals{}
	for _, key := range g.keys(file) {
		s, err := g.take(key)
		if err != nil {
			refused[key] = err
		}
		if s.CompiledModel != nil {
			return s, nil
		}
	}
	return stored{}, refused
}

// take imports the blob of a key. Without one there is nothing and no error.
func (g graphs) take(key blob.Key) (s stored, refused error) {
	b, err := g.blobs.Get(key)
	if err != nil {
		return stored{}, nil
	}
	start := time.Now()
	if g.fits != nil {
		if err := g.fits(b.Bytes()); err != nil {
			return stored{}, errors.Join(err, b.Close())
		}
	}
	compiled, err := g.core.Import(b.Bytes(), g.identity.Device)
	if err != nil {
		return stored{}, errors.Join(err, b.Close())
	}
	g.observed(true, start)
	return stored{compiled, b}, nil
}

// keys are those that a graph's blob may have: its own, and on an NPU that of
// one that was compiled ahead, for the platform with whatever driver.
func (g graphs) keys(file string) []blob.Key {
	own := []blob.Key{g.key(file)}
	if g.identity.Device != npu || g.identity.Architecture == "" {
		return own
	}
	ahead := g
	ahead.identity.Tiles, ahead.identity.DriverVersion, ahead.identity.CompilerVersion = "", "", ""
	if key := ahead.key(file); key != own[0] {
		own = append(own, key)
	}
	return own
}

// npu is OpenVINO's name for an NPU.
const npu = "NPU"

// key is that of a graph's blob.
func (g graphs) key(file string) blob.Key {
	identity := g.identity
	identity.Shape = file
	return identity.Key()
}
