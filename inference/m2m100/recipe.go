package m2m100

import "fmt"

// Format is how a matrix of weights is stored in a graph.
type Format string

const (
	// Float32 keeps weights as they are.
	Float32 Format = "f32"
	// Int8 is symmetric, one scale a row: w ≈ q·scale with q in [-127, 127].
	// Every device takes it; asymmetric weights are refused by the NPU.
	Int8 Format = "int8"
)

// Recipe says how the parts of a model are stored.
type Recipe struct {
	Encoder Format // matrices of the encoder and of the cross keys and values
	Decoder Format // matrices of the decoder's layers
	Output  Format // the output matrix
}

// Recipes by name, as users give them.
var recipes = map[string]Recipe{
	"f32":  {Float32, Float32, Float32},
	"int8": {Int8, Int8, Int8},
}

// ParseRecipe finds a recipe by its name: "int8" or "f32".
func ParseRecipe(name string) (Recipe, error) {
	r, ok := recipes[name]
	if !ok {
		return Recipe{}, fmt.Errorf("weight format %q is unknown: use int8 or f32", name)
	}
	return r, nil
}

// String is a recipe's part of a cache key.
func (r Recipe) String() string {
	return fmt.Sprintf("%s-%s-%s", r.Encoder, r.Decoder, r.Output)
}
