package model

import (
	"encoding/json"
	"fmt"
	"slices"
)

const (
	supportedModelType    = "m2m_100"
	supportedArchitecture = "M2M100ForConditionalGeneration"
	supportedExamples     = "facebook/m2m100_418M, facebook/m2m100_1.2B or alirezamsh/small100"
)

// Config is what dragoman needs to know of a checkpoint's config.json and
// generation_config.json. Sizes are counts of elements or layers.
type Config struct {
	DModel        int // width of the residual stream, d_model
	EncoderLayers int
	DecoderLayers int
	EncoderHeads  int
	DecoderHeads  int
	EncoderFFN    int // inner width of the encoder's feed-forward layers
	DecoderFFN    int
	VocabSize     int
	MaxPositions  int // longest sequence in tokens, special tokens included

	ScaleEmbedding    bool   // embeddings are multiplied by sqrt(DModel)
	Activation        string // always "relu"
	TieWordEmbeddings bool   // the output matrix is the embedding matrix

	BOS          int
	PAD          int
	EOS          int
	DecoderStart int

	NumBeams  int // the checkpoint's own beam width; 1 where it names none
	MaxLength int // the checkpoint's own output limit in tokens; 0 where it names none
}

// parseConfig reads config.json and, where generation is not nil,
// generation_config.json. Newer exports hold null in config.json for what
// moved to generation_config.json, older ones have everything in config.json;
// where both have a value generation_config.json wins, as it does in
// transformers' generate.
func parseConfig(config, generation *smallFile) (Config, error) {
	main, err := parseObject(config)
	if err != nil {
		return Config{}, err
	}
	sources := []*object{main}
	if generation != nil {
		gen, err := parseObject(generation)
		if err != nil {
			return Config{}, err
		}
		sources = []*object{gen, main}
	}
	if err := checkArchitecture(main); err != nil {
		return Config{}, err
	}
	// The values below stand where a key is missing; they are those of
	// transformers' M2M100Config. Sizes have none: a guess would be wrong.
	c := Config{
		ScaleEmbedding: true, TieWordEmbeddings: true,
		BOS: 0, PAD: 1, EOS: 2, DecoderStart: 2, NumBeams: 1,
	}
	if err := c.readSizes(main); err != nil {
		return Config{}, err
	}
	if err := c.readFlags(main); err != nil {
		return Config{}, err
	}
	if err := c.readGeneration(sources); err != nil {
		return Config{}, err
	}
	return c, nil
}

func checkArchitecture(o *object) error {
	modelType, found, err := o.text("model_type")
	if err != nil {
		return err
	}
	if !found {
		return fmt.Errorf("%s has no \"model_type\": dragoman runs %s checkpoints such as %s",
			o.path, supportedModelType, supportedExamples)
	}
	if modelType != supportedModelType {
		return fmt.Errorf("model_type %q in %s is not supported: dragoman runs %s checkpoints such as %s",
			modelType, o.path, supportedModelType, supportedExamples)
	}
	var architectures []string
	if raw, ok := o.value("architectures"); ok {
		if err := json.Unmarshal(raw, &architectures); err != nil {
			return o.refuse("architectures", "is not a list of names")
		}
	}
	if len(architectures) > 0 && !slices.Contains(architectures, supportedArchitecture) {
		return fmt.Errorf("architecture %q in %s is not supported: dragoman runs %s checkpoints such as %s",
			architectures[0], o.path, supportedArchitecture, supportedExamples)
	}
	if _, ok := o.value("quantization_config"); ok {
		return o.refuse("quantization_config",
			"says that the weights are already quantised: use the original float checkpoint, dragoman quantises it itself")
	}
	return nil
}

func (c *Config) readSizes(o *object) error {
	// The upper bounds are far above every published model of the family; they
	// keep products of two sizes far from overflow.
	for _, s := range []struct {
		key  string
		into *int
		max  int
	}{
		{"d_model", &c.DModel, 1 << 14},
		{"encoder_layers", &c.EncoderLayers, 256},
		{"decoder_layers", &c.DecoderLayers, 256},
		{"encoder_attention_heads", &c.EncoderHeads, 256},
		{"decoder_attention_heads", &c.DecoderHeads, 256},
		{"encoder_ffn_dim", &c.EncoderFFN, 1 << 17},
		{"decoder_ffn_dim", &c.DecoderFFN, 1 << 17},
		{"vocab_size", &c.VocabSize, 1 << 21},
		{"max_position_embeddings", &c.MaxPositions, 1 << 16},
	} {
		found, err := o.integer(s.key, s.into)
		if err != nil {
			return err
		}
		if !found {
			return fmt.Errorf("%s has no %q: the checkpoint's config.json is incomplete", o.path, s.key)
		}
		if *s.into < 1 || *s.into > s.max {
			return o.refuse(s.key, fmt.Sprintf("is %d, not within 1 to %d", *s.into, s.max))
		}
	}
	// Positions are half sines, half cosines, spaced by 1/(half-1).
	if c.DModel%2 != 0 || c.DModel < 4 {
		return o.refuse("d_model", fmt.Sprintf("is %d, not an even number from 4 on", c.DModel))
	}
	for _, h := range []struct {
		key   string
		heads int
	}{{"encoder_attention_heads", c.EncoderHeads}, {"decoder_attention_heads", c.DecoderHeads}} {
		if c.DModel%h.heads != 0 {
			return o.refuse(h.key, fmt.Sprintf("is %d, which does not divide d_model %d", h.heads, c.DModel))
		}
	}
	return nil
}

func (c *Config) readFlags(o *object) error {
	if err := o.boolean("scale_embedding", &c.ScaleEmbedding); err != nil {
		return err
	}
	if err := o.boolean("tie_word_embeddings", &c.TieWordEmbeddings); err != nil {
		return err
	}
	activation, found, err := o.text("activation_function")
	if err != nil {
		return err
	}
	if found && activation != "relu" {
		return o.refuse("activation_function", fmt.Sprintf("is %q: only \"relu\" is supported", activation))
	}
	c.Activation = "relu"
	return nil
}

// readGeneration takes each value from the first source that has it.
func (c *Config) readGeneration(sources []*object) error {
	for _, v := range []struct {
		key      string
		into     *int
		min, max int
	}{
		{"bos_token_id", &c.BOS, 0, c.VocabSize - 1},
		{"pad_token_id", &c.PAD, 0, c.VocabSize - 1},
		{"eos_token_id", &c.EOS, 0, c.VocabSize - 1},
		{"decoder_start_token_id", &c.DecoderStart, 0, c.VocabSize - 1},
		{"num_beams", &c.NumBeams, 1, 1 << 10},
		{"max_length", &c.MaxLength, 1, 1 << 20},
	} {
		for _, o := range sources {
			found, err := o.integer(v.key, v.into)
			if err != nil {
				return err
			}
			if !found {
				continue
			}
			if *v.into < v.min || *v.into > v.max {
				return o.refuse(v.key, fmt.Sprintf("is %d, not within %d to %d", *v.into, v.min, v.max))
			}
			break
		}
	}
	return nil
}
