package m2m100

import (
	"fmt"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/model"
)

// Format is how a matrix of weights is stored in a graph.
type Format string

const (
	// Float32 keeps weights as they are.
	Float32 Format = "f32"
	// Int8 is symmetric, one scale a row: w ≈ q·scale with q in [-127, 127].
	// Every device takes it; asymmetric weights are refused by the NPU.
	Int8 Format = "int8"
	// Int4 is symmetric, one scale for each 128 weights of a row: w ≈ q·scale
	// with q in [-8, 7], rounded by a calibration; see package host for the matrices
	// that keep eight bits.
	Int4 Format = "int4"
)

// Recipe says how the parts of a model are stored.
type Recipe struct {
	Encoder Format // matrices of the encoder and of the cross keys and values
	Decoder Format // matrices of the decoder's layers
	Output  Format // the output matrix
	// Host decodes without the runtime, in package host, which reads the output
	// matrix in two stages: Output is the format of the first.
	Host bool
	// HostEncoder encodes there, too. The graphs are for accelerators then.
	HostEncoder bool
}

// Recipes by name, as users give them, for where the runtime decodes.
var recipes = map[string]Recipe{
	"f32":  {Encoder: Float32, Decoder: Float32, Output: Float32},
	"int8": {Encoder: Int8, Decoder: Int8, Output: Int8},
	"int4": {Encoder: Int8, Decoder: Int4, Output: Int8},
}

// ParseRecipe finds a recipe by its name: "int8", "int4" or "f32".
func ParseRecipe(name string) (Recipe, error) {
	r, ok := recipes[name]
	if !ok {
		return Recipe{}, fmt.Errorf("weight format %q is unknown: use int8, int4 or f32", name)
	}
	return r, nil
}

// on is the recipe that a model gets on this processor. Where package host does
// not serve, the decoder's weights have eight bits at least.
func (r Recipe) on(c model.Config, d Decoder) Recipe {
	switch {
	case r.Decoder == Float32:
	case d != GraphDecoder && host.Fits(c):
		r.Output, r.Host = Int4, true
		r.HostEncoder = r.Encoder == Int8 && host.EncoderServes(c)
	case r.Decoder == Int4:
		r.Decoder = Int8
	}
	return r
}

// hostFormat is that of the decoder's layers in package host.
func (r Recipe) hostFormat() host.Format {
	if r.Decoder == Int4 {
		return host.Int4
	}
	return host.Int8
}

// String is a recipe's part of a cache key.
func (r Recipe) String() string {
	s := fmt.Sprintf("%s-%s-%s", r.Encoder, r.Decoder, r.Output)
	if r.Host {
		s += "-host"
	}
	if r.Host && r.Decoder == Int4 {
		s += "-gptq" // another way of rounding, or another text, gets another name
	}
	if r.HostEncoder {
		s += "-both"
	}
	return s
}

// Decoder is what decodes.
type Decoder string

const (
	// AnyDecoder is package host where that can, else the runtime.
	AnyDecoder Decoder = ""
	// GraphDecoder is the runtime.
	GraphDecoder Decoder = "graph"
)
