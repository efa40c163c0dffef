package model

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

const (
	configFile     = "config.json"
	generationFile = "generation_config.json"

	maxConfig = 4 << 20   // real ones have about 1 kB
	maxIndex  = 100 << 20 // as much as a safetensors header may have
)

// Checkpoint is an open checkpoint folder. Its methods may be called from
// several goroutines.
type Checkpoint struct {
	Dir    string
	Config Config

	small   []*smallFile // as read by Open, for the content key
	weights []*mapping
	tensors map[string]Tensor
}

// Open reads the configuration of the checkpoint in dir, maps its weights and
// checks that every tensor lies within its file. The weights themselves are
// not read yet. The caller closes the checkpoint.
//
// Weights are looked for as transformers does: model.safetensors, its sharded
// form, pytorch_model.bin, its sharded form; the first that exists is taken.
func Open(dir string) (*Checkpoint, error) {
	if err := checkFolder(dir); err != nil {
		return nil, err
	}
	config, err := readSmallFile(filepath.Join(dir, configFile), maxConfig)
	if err != nil {
		return nil, err
	}
	c := &Checkpoint{Dir: dir, small: []*smallFile{config}, tensors: make(map[string]Tensor)}
	generation, err := readSmallFile(filepath.Join(dir, generationFile), maxConfig)
	switch {
	case err == nil:
		c.small = append(c.small, generation)
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if c.Config, err = parseConfig(config, generation); err != nil {
		return nil, err
	}
	if err := c.openWeights(); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

func checkFolder(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("open checkpoint: %w", err)
	}
	if !fi.IsDir() {
		return fmt.Errorf("open checkpoint: %s is a file: name the folder that holds %s", dir, configFile)
	}
	return nil
}

// Close unmaps the weights and waits for reads under way. Reading a tensor
// afterwards is an error.
func (c *Checkpoint) Close() error {
	var errs []error
	for _, m := range c.weights {
		errs = append(errs, m.close())
	}
	return errors.Join(errs...)
}

// Release tells the system that the weights read so far are not needed soon,
// so that the process shrinks. They stay readable; reading them again may go
// to the disk.
func (c *Checkpoint) Release() {
	for _, m := range c.weights {
		m.release()
	}
}

// Names lists all tensors, sorted.
func (c *Checkpoint) Names() []string { return slices.Sorted(maps.Keys(c.tensors)) }

// Tensor finds a tensor by the exact name that the file has. For the
// embeddings, which checkpoints name differently, use Embedding.
func (c *Checkpoint) Tensor(name string) (Tensor, error) {
	t, ok := c.tensors[name]
	if !ok {
		return Tensor{}, fmt.Errorf("tensor %q is not in %s: the checkpoint is incomplete or of another architecture",
			name, c.weightsPath())
	}
	t.Shape = slices.Clone(t.Shape)
	return t, nil
}

// Shaped is Tensor of the shape that the configuration asks for.
func (c *Checkpoint) Shaped(name string, shape ...int) (Tensor, error) {
	t, err := c.Tensor(name)
	if err == nil && !slices.Equal(t.Shape, shape) {
		err = fmt.Errorf("%s: tensor %s has shape %v, config.json asks for %v", c.Dir, name, t.Shape, shape)
	}
	return t, err
}

func (c *Checkpoint) weightsPath() string {
	if len(c.weights) == 1 {
		return c.weights[0].path
	}
	return fmt.Sprintf("any of the %d weights files of %s", len(c.weights), c.Dir)
}
