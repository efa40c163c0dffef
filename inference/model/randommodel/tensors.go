package randommodel

import "fmt"

// kind is what a tensor is filled with.
type kind int

const (
	normal kind = iota
	wide        // normal with the shape's deviation
	zeros
	ones
)

type tensor struct {
	name  string
	shape []int
	fill  kind
}

func (t tensor) elements() int {
	n := 1
	for _, dim := range t.shape {
		n *= dim
	}
	return n
}

// tensors lists a checkpoint by the names of transformers'
// M2M100ForConditionalGeneration. The output matrix is the embeddings and not
// stored again; positions are computed by whoever reads the checkpoint.
func (s Shape) tensors() []tensor {
	list := []tensor{{"model.shared.weight", []int{s.Vocabulary, s.DModel}, normal}}
	linear := func(name string, out, in int) {
		list = append(list, tensor{name + ".weight", []int{out, in}, wide}, tensor{name + ".bias", []int{out}, zeros})
	}
	norm := func(name string) {
		list = append(list, tensor{name + ".weight", []int{s.DModel}, ones}, tensor{name + ".bias", []int{s.DModel}, zeros})
	}
	attention := func(layer, name string) {
		for _, part := range []string{"q_proj", "k_proj", "v_proj", "out_proj"} {
			linear(layer+"."+name+"."+part, s.DModel, s.DModel)
		}
		norm(layer + "." + name + "_layer_norm")
	}
	stack := func(name string, layers int, attentions ...string) {
		for l := range layers {
			layer := fmt.Sprintf("%s.layers.%d", name, l)
			for _, a := range attentions {
				attention(layer, a)
			}
			linear(layer+".fc1", s.FFN, s.DModel)
			linear(layer+".fc2", s.DModel, s.FFN)
			norm(layer + ".final_layer_norm")
		}
		norm(name + ".layer_norm")
	}
	stack("model.encoder", s.EncoderLayers, "self_attn")
	stack("model.decoder", s.DecoderLayers, "self_attn", "encoder_attn")
	return list
}
