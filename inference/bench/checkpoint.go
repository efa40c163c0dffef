package main

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"dragoman/inference/blob"
	"dragoman/inference/disk"
	"dragoman/inference/m2m100"
	"dragoman/inference/model"
	"dragoman/inference/model/randommodel"
)

// checkpoint is a model to measure, with the targets of the issue.
type checkpoint struct {
	name   string
	dir    string
	random bool // the weights mean nothing, and the output does not end by itself
	rounds int
	// aimless is a model that there are no aims for.
	aimless bool

	together float64 // of CTranslate2's speed with 32 sentences together
	start    float64 // s from process start to the first translation
	rss      float64 // MB resident after it; 0: rssFactor of the weights
}

// rssFactor bounds the memory of large models, against their quantised weights.
const rssFactor = 1.3

// shape is that of a well-known model, whose weights are random here.
type shape struct {
	checkpoint
	randommodel.Shape
	bytes float64 // of all files on the disk: checkpoint, graphs and compiled graphs (twice: ours and the command's), peer
}

// shapes are those of M2M-100's 418M and of SMaLL-100, which has three layers in its
// decoder, for which nothing is aimed at.
func (b *bench) shapes() []shape {
	rounds := (b.rounds + 1) / 2
	small := randommodel.M2M100
	small.DecoderLayers = 3
	return []shape{
		{checkpoint{name: "418M", dir: b.in("m418"), random: true, together: 1.5, start: 1.2, rounds: rounds}, randommodel.M2M100, 6e9},
		{checkpoint{name: "SMaLL-100", dir: b.in("small100"), random: true, aimless: true, rounds: rounds}, small, 4e9},
	}
}

// seed is any number: figures must not depend on it.
const seed = 1

// prepare makes the checkpoint where it is missing.
func (b *bench) prepare(s shape) error {
	if b.quick {
		return errors.New("--quick was given")
	}
	if !randommodel.Complete(s.dir) {
		free, err := disk.Free(b.in())
		if err != nil {
			return err
		}
		if float64(free) < s.bytes {
			return fmt.Errorf("%.1f GB are free on the disk, it needs %.0f GB", float64(free)/1e9, s.bytes/1e9)
		}
		fmt.Fprintf(os.Stderr, "bench: making a checkpoint of the %s shape in %s\n", s.name, s.dir)
		if err := randommodel.Write(s.dir, s.Shape, seed); err != nil {
			return err
		}
	}
	if !s.hasTokenizer() {
		if err := randommodel.CopyTokenizer(s.dir, filepath.Join(b.root, largeTokenizer)); err != nil {
			b.report.skip("what needs the tokenizer of the "+s.name+" model", err)
		}
	}
	return nil
}

func (m checkpoint) hasTokenizer() bool {
	_, err := os.Stat(filepath.Join(m.dir, "sentencepiece.bpe.model"))
	return err == nil
}

// opened is a model that is run in this process, without the command.
type opened struct {
	*m2m100.Engine
	checkpoint *model.Checkpoint
	dir        string // of the prepared graphs
}

func (b *bench) open(ctx context.Context, m checkpoint, encoder m2m100.Placement) (opened, error) {
	core, err := b.openCore()
	if err != nil {
		return opened{}, err
	}
	recipe, err := m2m100.ParseRecipe("int8")
	if err != nil {
		return opened{}, err
	}
	c, err := model.Open(m.dir)
	if err != nil {
		return opened{}, err
	}
	key, err := c.CachedContentKey(ctx, b.in())
	if err != nil {
		return opened{}, errors.Join(err, c.Close())
	}
	o := m2m100.Options{
		Core: core, Checkpoint: c, Recipe: recipe, ContentKey: key, Encoder: encoder, Threads: b.threads,
		Blobs: blob.Open(b.in("blobs"), blob.Options{}),
	}
	o.Dir = b.in("graphs", fmt.Sprintf("%x", sha256.Sum256([]byte(o.GraphKey())))[:24])
	engine, err := m2m100.Open(ctx, o)
	if err != nil {
		return opened{}, errors.Join(err, c.Close())
	}
	return opened{engine, c, o.Dir}, nil
}

func (o opened) close() error {
	return errors.Join(o.Engine.Close(), o.checkpoint.Close())
}
