package kernel

import (
	"fmt"
	"strings"
)

// instructions are products by one of the processor's instruction sets. All give the
// same results, to the bit.
type instructions struct {
	name                       string
	there                      bool
	int8One, int8Two, int8Four func(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
	int4One, int4Four          func(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
	rows4                      int  // how many rows of four bits go together
	words                      bool // products of eight bits are made of 16
	tiles                      bool
}

// best is what products are made with: the last of those that are there.
var best = func() instructions {
	at := 0
	for i, s := range sets {
		if s.there {
			at = i
		}
	}
	return sets[at]
}()

// Use takes other instructions than the best, by their name, to measure what they are
// worth: before anything is multiplied. It fails where this processor has none such.
func Use(name string) error {
	var there []string
	for _, s := range sets {
		if !s.there {
			continue
		}
		if s.name == name {
			best = s
			return nil
		}
		there = append(there, s.name)
	}
	return fmt.Errorf("%q are no instructions of this processor; these are: %s", name, strings.Join(there, ", "))
}
