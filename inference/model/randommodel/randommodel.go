// Package randommodel writes checkpoints in M2M-100 layout with random
// weights, for tests and benchmarks: times and memory depend on a model's shape
// and not on what it learnt. It must not import anything of ours, so that what
// reads checkpoints is tested with files that it had no part in.
package randommodel

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Shape is the size of a model. The encoder and the decoder have the same
// number of heads and the same inner width.
type Shape struct {
	DModel        int
	EncoderLayers int
	DecoderLayers int
	Heads         int
	FFN           int // inner width of the feed-forward layers
	Vocabulary    int
	MaxPositions  int
	// Deviation is that of the layers' matrices, 0 for 0.02 as of the embeddings. With
	// larger ones the layers outweigh the embeddings, and a small model does not only
	// repeat its last token.
	Deviation float64
}

// M2M100 is the shape of facebook/m2m100_418M: 484 million weights, of which
// 131 million are the embeddings. Its file has 970 MB.
var M2M100 = Shape{
	DModel: 1024, EncoderLayers: 12, DecoderLayers: 12, Heads: 16, FFN: 4096,
	Vocabulary: 128112, MaxPositions: 1024,
}

// Names of the files that Write makes.
const (
	configFile  = "config.json"
	weightsFile = "model.safetensors"
)

// tokenizerFiles are what a tokenizer is read from; the last two may be missing.
var tokenizerFiles = []string{
	"sentencepiece.bpe.model", "vocab.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
}

// Write makes dir a checkpoint folder without a tokenizer: config.json and
// model.safetensors in float16. Matrices are normal(0, 0.02), the deviation
// that transformers initialises this architecture with, biases are zero and
// normalisations one. The same shape and seed give the same bytes. The weights
// file appears last and whole or not at all.
func Write(dir string, s Shape, seed uint64) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("write a random model: %w", err)
	}
	config, err := json.MarshalIndent(s.config(), "", "  ")
	if err != nil {
		return fmt.Errorf("write a random model: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, configFile), append(config, '\n'), 0o644); err != nil {
		return fmt.Errorf("write a random model: %w", err)
	}
	path := filepath.Join(dir, weightsFile)
	unfinished := path + ".unfinished"
	if err = writeWeights(unfinished, s, seed); err == nil {
		err = os.Rename(unfinished, path)
	}
	if err != nil {
		return fmt.Errorf("write a random model: %w", errors.Join(err, os.RemoveAll(unfinished)))
	}
	return nil
}

// Complete tells whether Write came to its end in dir. Another shape or seed
// needs another folder.
func Complete(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, weightsFile))
	return err == nil
}

// CopyTokenizer takes the tokenizer's files of another checkpoint folder, whose
// vocabulary must be of the same size, into dir.
func CopyTokenizer(dir, from string) error {
	for i, name := range tokenizerFiles {
		data, err := os.ReadFile(filepath.Join(from, name))
		if errors.Is(err, fs.ErrNotExist) && i >= 3 {
			continue
		}
		if err != nil {
			return fmt.Errorf("copy a tokenizer: %w", err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return fmt.Errorf("copy a tokenizer: %w", err)
		}
	}
	return nil
}

func (s Shape) config() map[string]any {
	return map[string]any{
		"architectures":           []string{"M2M100ForConditionalGeneration"},
		"model_type":              "m2m_100",
		"activation_function":     "relu",
		"bos_token_id":            0,
		"d_model":                 s.DModel,
		"decoder_attention_heads": s.Heads,
		"decoder_ffn_dim":         s.FFN,
		"decoder_layers":          s.DecoderLayers,
		"decoder_start_token_id":  2,
		"encoder_attention_heads": s.Heads,
		"encoder_ffn_dim":         s.FFN,
		"encoder_layers":          s.EncoderLayers,
		"eos_token_id":            2,
		"is_encoder_decoder":      true,
		"max_position_embeddings": s.MaxPositions,
		"num_hidden_layers":       s.EncoderLayers,
		"pad_token_id":            1,
		"scale_embedding":         true,
		"torch_dtype":             "float16",
		"vocab_size":              s.Vocabulary,
	}
}

func writeWeights(path string, s Shape, seed uint64) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return writeSafetensors(f, s.tensors(), s.Deviation, seed)
}
