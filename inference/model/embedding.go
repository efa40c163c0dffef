package model

import (
	"bytes"
	"fmt"
	"slices"
)

const outputName = "lm_head.weight"

// One matrix, [vocab_size, d_model], by the names that checkpoints give it.
var embeddingNames = []string{
	"model.shared.weight",
	"model.encoder.embed_tokens.weight",
	"model.decoder.embed_tokens.weight",
	outputName,
}

// Embedding finds the matrix [VocabSize, DModel] that M2M-100 uses for
// source tokens, target tokens and output, under whichever of its names the
// checkpoint stores it. Where several are stored they must be equal; a
// checkpoint with an output matrix of its own is refused, because it would be
// translated wrongly with this one.
func (c *Checkpoint) Embedding() (Tensor, error) {
	var found *Tensor
	for _, name := range embeddingNames {
		if _, ok := c.tensors[name]; !ok {
			continue
		}
		t, err := c.Tensor(name)
		if err != nil {
			return Tensor{}, err
		}
		if want := []int{c.Config.VocabSize, c.Config.DModel}; !slices.Equal(t.Shape, want) {
			return Tensor{}, fmt.Errorf("tensor %q in %s has shape %v, but %s says %v",
				name, t.src.path, t.Shape, configFile, want)
		}
		if found == nil {
			found = &t
			continue
		}
		same, err := sameContent(*found, t)
		if err != nil {
			return Tensor{}, err
		}
		if !same {
			return Tensor{}, fmt.Errorf("tensors %q and %q in %s differ: only checkpoints that tie them are supported",
				found.Name, name, c.weightsPath())
		}
	}
	if found == nil {
		return Tensor{}, fmt.Errorf("no embedding matrix in %s: none of %q", c.weightsPath(), embeddingNames)
	}
	if _, ok := c.tensors[outputName]; !ok && !c.Config.TieWordEmbeddings {
		return Tensor{}, fmt.Errorf("\"tie_word_embeddings\" in %s is false, but %s has no %q: the checkpoint is incomplete",
			c.small[0].path, c.weightsPath(), outputName)
	}
	return *found, nil
}

// sameContent compares two tensors of one shape byte by byte, at no cost
// where both are the same place of a file.
func sameContent(a, b Tensor) (bool, error) {
	if a.DType != b.DType {
		return false, nil
	}
	if a.src == b.src && a.off == b.off {
		return true, nil
	}
	const step = 1 << 20
	left, right := make([]byte, step), make([]byte, step)
	size := int64(a.elems) * dtypeSizes[a.DType]
	for at := int64(0); at < size; at += step {
		n := min(step, size-at)
		if err := a.src.read(a.off+at, n, func(src []byte) { copy(left, src) }); err != nil {
			return false, fmt.Errorf("tensor %q: %w", a.Name, err)
		}
		if err := b.src.read(b.off+at, n, func(src []byte) { copy(right, src) }); err != nil {
			return false, fmt.Errorf("tensor %q: %w", b.Name, err)
		}
		if !bytes.Equal(left[:n], right[:n]) {
			return false, nil
		}
	}
	return true, nil
}
