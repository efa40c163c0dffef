package m2m100

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"dragoman/inference/blob"
	"dragoman/inference/openvino"
)

// graphs compiles the prepared graphs of one model for one device.
type graphs struct {
	core     *openvino.Core
	dir      string
	files    map[string]written
	weights  func() ([]byte, error) // checked the first time, before anything is compiled from them
	blobs    *blob.Store
	identity blob.Identity // what all blobs of this model share
	fits     func([]byte) error
	stored   bool // take nothing but what the store has
	observe  func(fromStore bool, took time.Duration)
}

func newGraphs(o Options, t Target, weights []byte) (graphs, error) {
	m, err := readManifest(o.Dir)
	if err != nil {
		return graphs{}, fmt.Errorf("open the prepared model: %w", err)
	}
	g := graphs{
		core: o.Core, dir: o.Dir, files: m.Files, blobs: o.Blobs, fits: t.Fits, stored: t.Stored, observe: o.Observe,
		identity: blob.Identity{
			Model: o.ContentKey, Graph: o.GraphKey(), RuntimeBuild: o.Core.Runtime().Build, Properties: t.Properties,
			Device: t.Device, Architecture: t.Architecture, Tiles: t.Tiles, DriverVersion: t.Driver, CompilerVersion: t.Compiler,
		},
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
	compiled, err := g.core.Compile(m, g.identity.Device, g.identity.Properties)
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
	key := g.key(file)
	unlock, err := g.blobs.Lock(ctx, key) // another process may be compiling it
	if err != nil {
		return stored{}, err
	}
	defer unlock()
	s, refused := g.fetch(key)
	if s.CompiledModel != nil {
		return s, nil
	}
	if g.stored {
		if refused != nil {
			return stored{}, fmt.Errorf("%w: the device refused it: %w", ErrNotStored, refused)
		}
		return stored{}, ErrNotStored
	}
	compiled, err := g.compile(file)
	if err != nil {
		return stored{}, err // of a runtime that does not work no blob is to blame
	}
	if refused != nil {
		g.blobs.Quarantine(key, fmt.Sprintf("the runtime refused it: %v", refused))
	}
	if err := g.blobs.Put(key, compiled.Export); err != nil && !errors.Is(err, blob.ErrUnavailable) {
		slog.Warn("Compiled model was not stored, the next start will compile it again", "graph", file, "err", err)
	}
	return stored{CompiledModel: compiled}, nil
}

// fetch imports a stored graph. Without one there is nothing and no error;
// refused is why the runtime would not take the one there is.
func (g graphs) fetch(key blob.Key) (s stored, refused error) {
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

// key is that of a graph's blob.
func (g graphs) key(file string) blob.Key {
	identity := g.identity
	identity.Shape = file
	return identity.Key()
}
