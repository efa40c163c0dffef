// Package align makes of how a model looks at a source while it reads a translation
// which words of the one stand for which of the other.
//
// Which of its layers tell that depends on the model, and so does whether a token's
// source shows where the token is read or where it is predicted (Garg et al. 2019, Chen
// et al. 2020). Ways are chosen by pairs whose words are known.
//
// The package knows no model: weights come from whoever has one. It must not import
// anything of ours but text/span.
package align

import "slices"

// Way is one look at a source.
type Way struct {
	Layer int
	// Read is where the token is the decoder's input, else where it is predicted.
	Read bool
}

// Ways are all of a model.
func Ways(layers int) (all []Way) {
	for l := range layers {
		all = append(all, Way{l, false}, Way{l, true})
	}
	return all
}

// Layers are those of ways, each once, in ascending order.
func Layers(ways []Way) (all []int) {
	for _, w := range ways {
		if i, found := slices.BinarySearch(all, w.Layer); !found {
			all = slices.Insert(all, i, w.Layer)
		}
	}
	return all
}
