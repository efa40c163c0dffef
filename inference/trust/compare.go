package trust

import (
	"fmt"
	"math"
)

// Figures are how far a device is from the processor.
type Figures struct {
	Cosine float64 `json:"cosine"` // the least of all outputs
	Error  float64 `json:"error"`  // the greatest difference of a value, relative to the output's greatest value
	Tokens float64 `json:"tokens"` // share of the golden sources' first tokens that are the same, up to the first other one
}

// Limits are how far a device may be from the processor.
//
// An NPU computes in f16, whose 11 significant bits make an error of 5e-4 a
// step. Some hundred steps in a row, whose errors are independent, make about
// 5e-3 of a typical value: a cosine of 1-1e-5 and, for the worst of a million
// values, an error of some 2e-2. Weights are the same on both sides. What
// quantising to int8 changes is known to do no harm to translations
// (docs/quality.md): the golden sources of the starter put it at a cosine of
// 0.99993 and an error of 0.066, with all first tokens the same. The limits are
// a little beyond that. A device that is wrong in one lane of sixteen is at a
// cosine below 0.98; one that is silently wrong, as in the reports that led to
// this check, is near 0.
//
// The processor's own encoder rounds activations to 8 bits: of the starter's golden
// sources that makes a cosine of 0.99988 and an error of 0.027.
//
// Tokens may differ where two are equally likely, which random sources make
// more common than real ones; all that follow differ then, too. Of a device that
// computes nonsense next to none are the same.
var Limits = Figures{Cosine: 0.999, Error: 0.1, Tokens: 0.5}

// FirstTokens is how many generated tokens of a source are compared.
const FirstTokens = 8

// Check tells in what the figures are beyond the limits, nil if they are not.
func (f Figures) Check(l Figures) error {
	switch {
	case !(f.Cosine >= l.Cosine): // NaN is beyond all limits
		return fmt.Errorf("its results have a cosine of %.4f to the processor's, %.4f is the least", f.Cosine, l.Cosine)
	case !(f.Error <= l.Error):
		return fmt.Errorf("a result is off by %.3f of the greatest value, %.3f is the most", f.Error, l.Error)
	case !(f.Tokens >= l.Tokens):
		return fmt.Errorf("only %.0f of 100 tokens of golden texts are the processor's, %.0f is the least", 100*f.Tokens, 100*l.Tokens)
	}
	return nil
}

// Comparison gathers figures over golden sources.
type Comparison struct {
	figures        Figures
	outputs        int
	tokens, agreed int
}

// Outputs compares what a device gave for a source with what the processor
// gave.
func (c *Comparison) Outputs(want, got [][]float32) error {
	if len(want) != len(got) || len(want) == 0 {
		return fmt.Errorf("the device gave %d outputs, the processor %d", len(got), len(want))
	}
	for i := range want {
		if len(want[i]) != len(got[i]) || len(want[i]) == 0 {
			return fmt.Errorf("output %d has %d values, the processor's has %d", i, len(got[i]), len(want[i]))
		}
		cosine, off := difference(want[i], got[i])
		if c.outputs == 0 || !(cosine >= c.figures.Cosine) {
			c.figures.Cosine = cosine
		}
		if c.outputs == 0 || !(off <= c.figures.Error) {
			c.figures.Error = off
		}
		c.outputs++
	}
	return nil
}

// Tokens compares the first of the tokens that followed, up to where they part.
func (c *Comparison) Tokens(want, got []int32) {
	n := min(len(want), FirstTokens)
	c.tokens += max(n, 1)
	if n == 0 && len(got) == 0 {
		c.agreed++
	}
	for i := 0; i < n && i < len(got) && got[i] == want[i]; i++ {
		c.agreed++
	}
}

// Figures are those of all that was compared. Without tokens their share is 1.
func (c *Comparison) Figures() Figures {
	f := c.figures
	f.Tokens = 1
	if c.tokens > 0 {
		f.Tokens = float64(c.agreed) / float64(c.tokens)
	}
	return f
}

// difference is the cosine of two outputs and the greatest difference of a value
// relative to the greatest value of want.
func difference(want, got []float32) (cosine, off float64) {
	var dot, ww, gg, most, greatest float64
	for i, w := range want {
		w, g := float64(w), float64(got[i])
		dot += w * g
		ww += w * w
		gg += g * g
		greatest = math.Max(greatest, math.Abs(w))
		most = math.Max(most, math.Abs(w-g)) // NaN stays
	}
	return dot / math.Sqrt(ww*gg), most / greatest
}

// Thin keeps every seventh value of outputs, to compare with later: no width of
// a machine's lanes is a multiple of 7, so each lane is among them.
func Thin(outputs [][]float32) [][]float32 {
	const step = 7
	thin := make([][]float32, len(outputs))
	for i, values := range outputs {
		for j := 0; j < len(values); j += step {
			thin[i] = append(thin[i], values[j])
		}
	}
	return thin
}
