package model

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func parseFiles(t *testing.T, dir string) (Config, error) {
	t.Helper()
	config, err := readSmallFile(filepath.Join(dir, "config.json"), maxConfig)
	require.NoError(t, err)
	generation, err := readSmallFile(filepath.Join(dir, "generation_config.json"), maxConfig)
	if err != nil {
		generation = nil
	}
	return parseConfig(config, generation)
}

func TestConfigOfTheStarter(t *testing.T) {
	got, err := parseFiles(t, starter)
	require.NoError(t, err)
	require.Equal(t, Config{
		DModel: 512, EncoderLayers: 6, DecoderLayers: 3, EncoderHeads: 8, DecoderHeads: 8,
		EncoderFFN: 2048, DecoderFFN: 2048, VocabSize: 24109, MaxPositions: 1024,
		ScaleEmbedding: true, Activation: "relu", TieWordEmbeddings: true,
		BOS: 0, PAD: 1, EOS: 2, DecoderStart: 2, NumBeams: 1, MaxLength: 200,
	}, got)
}

// Its config.json has null for num_beams and max_length.
func TestConfigOf418M(t *testing.T) {
	dir := filepath.Join("..", "..", "..", "shared", "m2m100")
	if _, err := os.Stat(filepath.Join(dir, "config.json")); err != nil {
		t.Skipf("the 418M model's configuration is not there: %v", err)
	}
	got, err := parseFiles(t, dir)
	require.NoError(t, err)
	require.Equal(t, Config{
		DModel: 1024, EncoderLayers: 12, DecoderLayers: 12, EncoderHeads: 16, DecoderHeads: 16,
		EncoderFFN: 4096, DecoderFFN: 4096, VocabSize: 128112, MaxPositions: 1024,
		ScaleEmbedding: true, Activation: "relu", TieWordEmbeddings: true,
		BOS: 0, PAD: 1, EOS: 2, DecoderStart: 2, NumBeams: 5, MaxLength: 200,
	}, got)
}

func TestConfigGenerationValues(t *testing.T) {
	for name, c := range map[string]struct {
		config, generation map[string]any
		beams, length, eos int
	}{
		"nowhere":                        {nil, nil, 1, 0, 2},
		"old export: in config.json":     {map[string]any{"num_beams": 5, "max_length": 200}, nil, 5, 200, 2},
		"new export: null in config":     {map[string]any{"num_beams": nil}, map[string]any{"num_beams": 4, "max_length": 100}, 4, 100, 2},
		"in both: generation_config's":   {map[string]any{"num_beams": 5}, map[string]any{"num_beams": 1}, 1, 0, 2},
		"null in generation: config's":   {map[string]any{"num_beams": 5}, map[string]any{"num_beams": nil}, 5, 0, 2},
		"end token as a list of one":     {map[string]any{"eos_token_id": 2}, map[string]any{"eos_token_id": []int{3}}, 1, 0, 3},
		"token only in config.json, too": {map[string]any{"eos_token_id": 7}, map[string]any{}, 1, 0, 7},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config := smallConfig()
			for k, v := range c.config {
				config[k] = v
			}
			writeJSON(t, dir, "config.json", config)
			if c.generation != nil {
				writeJSON(t, dir, "generation_config.json", c.generation)
			}
			got, err := parseFiles(t, dir)
			require.NoError(t, err)
			require.Equal(t, []int{c.beams, c.length, c.eos}, []int{got.NumBeams, got.MaxLength, got.EOS})
		})
	}
}

func TestConfigRefusals(t *testing.T) {
	for name, c := range map[string]struct {
		key   string
		value any // nil takes the key away
		want  string
	}{
		"other architecture":       {"model_type", "bart", `model_type "bart"`},
		"no architecture":          {"model_type", nil, `no "model_type"`},
		"number as architecture":   {"model_type", 7, `"model_type"`},
		"bare model":               {"architectures", []string{"M2M100Model"}, `architecture "M2M100Model"`},
		"text as architectures":    {"architectures", "x", `"architectures"`},
		"already quantised":        {"quantization_config", map[string]any{"quant_method": "gptq"}, `"quantization_config"`},
		"other activation":         {"activation_function", "gelu", `"gelu"`},
		"no width":                 {"d_model", nil, `"d_model"`},
		"width 0":                  {"d_model", 0, `"d_model"`},
		"odd width":                {"d_model", 5, `"d_model"`},
		"huge width":               {"d_model", 1 << 40, `"d_model"`},
		"width as fraction":        {"d_model", 4.5, `"d_model"`},
		"width as text":            {"d_model", "4", `"d_model"`},
		"width as list":            {"d_model", []int{4, 4}, `"d_model"`},
		"width beyond any integer": {"d_model", 1e300, `"d_model"`},
		"negative layers":          {"encoder_layers", -1, `"encoder_layers"`},
		"heads do not divide":      {"decoder_attention_heads", 3, `"decoder_attention_heads"`},
		"heads 0":                  {"encoder_attention_heads", 0, `"encoder_attention_heads"`},
		"token outside vocabulary": {"pad_token_id", 10, `"pad_token_id"`},
		"two end tokens":           {"eos_token_id", []int{2, 3}, `"eos_token_id"`},
		"beams 0":                  {"num_beams", 0, `"num_beams"`},
		"flag as text":             {"scale_embedding", "yes", `"scale_embedding"`},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config := smallConfig()
			config[c.key] = c.value
			if c.value == nil {
				delete(config, c.key)
			}
			path := writeJSON(t, dir, "config.json", config)
			_, err := Open(dir)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
}
