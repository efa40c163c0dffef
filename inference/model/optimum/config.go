package optimum

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
)

// config is what says which weights a model has.
type config struct {
	DModel        int64 `json:"d_model"`
	EncoderLayers int   `json:"encoder_layers"`
	DecoderLayers int   `json:"decoder_layers"`
	EncoderFFN    int64 `json:"encoder_ffn_dim"`
	DecoderFFN    int64 `json:"decoder_ffn_dim"`
	Vocabulary    int64 `json:"vocab_size"`
	Tied          bool  `json:"tie_word_embeddings"`
}

// maxConfig is far more than any configuration has.
const maxConfig = 16 << 20

func readConfig(path string) (config, error) {
	f, err := openFile(path)
	if err != nil {
		return config{}, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig))
	if err != nil {
		return config{}, err
	}
	c := config{Tied: true} // as transformers has it
	if err := json.Unmarshal(text, &c); err != nil {
		return config{}, fmt.Errorf("read %s: %w", path, err)
	}
	if c.EncoderLayers > 256 || c.DecoderLayers > 256 {
		return config{}, fmt.Errorf("read %s: %d and %d layers are more than any model has", path, c.EncoderLayers, c.DecoderLayers)
	}
	return c, nil
}

// tensors are the shapes of all weights, by the names of transformers'
// M2M100ForConditionalGeneration.
func (c config) tensors() map[string][]int64 {
	all := map[string][]int64{embedding: {c.Vocabulary, c.DModel}}
	if !c.Tied {
		all[output] = []int64{c.Vocabulary, c.DModel}
	}
	linear := func(name string, out, in int64) {
		all[name+".weight"], all[name+".bias"] = []int64{out, in}, []int64{out}
	}
	norm := func(name string) { all[name+".weight"], all[name+".bias"] = []int64{c.DModel}, []int64{c.DModel} }
	stack := func(name string, layers int, inner int64, attentions ...string) {
		for l := range layers {
			layer := fmt.Sprintf("%s.layers.%d.", name, l)
			for _, a := range attentions {
				for _, part := range []string{"q_proj", "k_proj", "v_proj", "out_proj"} {
					linear(layer+a+"."+part, c.DModel, c.DModel)
				}
				norm(layer + a + "_layer_norm")
			}
			linear(layer+"fc1", inner, c.DModel)
			linear(layer+"fc2", c.DModel, inner)
			norm(layer + "final_layer_norm")
		}
		norm(name + ".layer_norm")
	}
	stack("model.encoder", c.EncoderLayers, c.EncoderFFN, "self_attn")
	stack("model.decoder", c.DecoderLayers, c.DecoderFFN, "self_attn", "encoder_attn")
	return all
}

// choose takes the weights that the model has.
func (c config) choose(dir string, found map[string]weight) (e Export, err error) {
	wanted := c.tensors()
	for _, name := range slices.Sorted(maps.Keys(wanted)) {
		w, ok := found[name]
		if !ok {
			return Export{}, fmt.Errorf("%s is in none of the graphs in %s: dragoman does not know this kind of export; import the checkpoint that it was made from", name, filepath.Base(dir))
		}
		if !slices.Equal(w.shape, wanted[name]) {
			return Export{}, fmt.Errorf("%s has the shape %v in %s, and %v by config.json: the files are of different models", name, w.shape, filepath.Base(w.file), wanted[name])
		}
		w.name = name
		e.weights, e.Bytes = append(e.weights, w), e.Bytes+w.size
		delete(found, name)
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		return Export{}, fmt.Errorf("%s is in %s, and the model of config.json has no such weight", name, filepath.Base(found[name].file))
	}
	return e, nil
}
