package rounding

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/kernel"
)

// inputsOf makes inputs that go together, as a model's do: mixtures of a few
// directions, and some noise.
func inputsOf(r *rand.Rand, count, width int) [][]float32 {
	const directions = 24
	mix := make([]float32, directions*width)
	for i := range mix {
		mix[i] = float32(r.NormFloat64())
	}
	all := make([][]float32, count)
	for n := range all {
		x := make([]float32, width)
		for d := range directions {
			a := float32(r.NormFloat64())
			for i := range x {
				x[i] += a * mix[d*width+i]
			}
		}
		for i := range x {
			x[i] += float32(r.NormFloat64())
		}
		all[n] = x
	}
	return all
}

// byExtreme has one candidate, that of the largest magnitude.
func byExtreme(scales, group []float32) []float32 {
	largest := float32(0)
	for _, v := range group {
		largest = max(largest, v, -v)
	}
	return append(scales, max(largest, 1e-20)/7)
}

// roundRow gives what the rounded row stands for.
func roundRow(r *Rounder, row []float32, candidates Candidates) []float32 {
	out := make([]float32, len(row))
	r.Round(row, -8, 7, candidates, func(group int, q []float32, scale float32) {
		for i, v := range q {
			out[group*kernel.Group+i] = v * scale
		}
	})
	return out
}

func plain(row []float32) []float32 {
	out := make([]float32, len(row))
	for at := 0; at < len(row); at += kernel.Group {
		scale := byExtreme(nil, row[at:at+kernel.Group])[0]
		for i := at; i < at+kernel.Group; i++ {
			out[i] = scale * min(max(Nearest(row[i]/scale), -8), 7)
		}
	}
	return out
}

// missed is the squared error of products with inputs.
func missed(row, rounded []float32, inputs [][]float32) (sum float64) {
	for _, x := range inputs {
		e := 0.0
		for i := range row {
			e += float64(row[i]-rounded[i]) * float64(x[i])
		}
		sum += e * e
	}
	return sum
}

func skipWithoutKernel(t *testing.T) {
	if !kernel.Available() {
		t.Skip("this processor has no AVX2")
	}
}

// TestProductsAreNearer than those of weights that are rounded one by one, on inputs
// that were seen and on others of their kind, also where there are more inputs than
// fit a block.
func TestProductsAreNearer(t *testing.T) {
	skipWithoutKernel(t)
	for _, width := range []int{2 * kernel.Group, block + 2*kernel.Group} {
		r := rand.New(rand.NewPCG(1, uint64(width)))
		inputs := inputsOf(r, 900, width)
		m := NewMoments(width, 2)
		for _, x := range inputs[:700] {
			m.Add(x)
		}
		f, err := m.Feedback(0.01)
		require.NoError(t, err)
		rounder := f.Rounder()
		var seen, seenPlain, others, othersPlain float64
		for range 8 {
			row := make([]float32, width)
			for i := range row {
				row[i] = float32(r.NormFloat64())
			}
			rounded := roundRow(rounder, row, byExtreme)
			seen += missed(row, rounded, inputs[:700])
			seenPlain += missed(row, plain(row), inputs[:700])
			others += missed(row, rounded, inputs[700:])
			othersPlain += missed(row, plain(row), inputs[700:])
		}
		t.Logf("%d inputs: error %.3f of plain rounding's, %.3f on others", width, seen/seenPlain, others/othersPlain)
		require.Less(t, seen, 0.5*seenPlain)
		require.Less(t, others, 0.5*othersPlain)
	}
}

// TestIndependentInputs leave nothing to make good: weights go to what is nearest.
func TestIndependentInputs(t *testing.T) {
	skipWithoutKernel(t)
	const width = kernel.Group
	m := NewMoments(width, 2)
	for i := range width {
		x := make([]float32, width)
		x[i] = float32(1 + i%3)
		m.Add(x)
	}
	f, err := m.Feedback(0)
	require.NoError(t, err)
	row := make([]float32, width)
	r := rand.New(rand.NewPCG(3, 4))
	for i := range row {
		row[i] = float32(r.NormFloat64())
	}
	require.Equal(t, plain(row), roundRow(f.Rounder(), row, byExtreme))
}

// TestErrorOfARow is what the doc comment of Feedback says, by the moments themselves.
func TestErrorOfARow(t *testing.T) {
	skipWithoutKernel(t)
	const width, block = 2 * kernel.Group, 2 * kernel.Group
	r := rand.New(rand.NewPCG(5, 6))
	inputs := inputsOf(r, 600, width)
	m := NewMoments(width, 2)
	for _, x := range inputs {
		m.Add(x)
	}
	f, err := m.Feedback(0)
	require.NoError(t, err)
	row := make([]float32, width)
	for i := range row {
		row[i] = float32(r.NormFloat64())
	}
	rounded := roundRow(f.Rounder(), row, byExtreme)
	mean := 0.0
	for i := range width {
		mean += m.blocks[0][i*block+i] / width
	}
	sum := 0.0
	for k := range width {
		miss := float64(row[k] - rounded[k])
		for i := range k {
			miss += float64(row[i]-rounded[i]) * float64(f.blocks[0].columns[k*block+i])
		}
		sum += miss * miss * float64(f.blocks[0].variance[k]) * mean
	}
	require.InEpsilon(t, missed(row, rounded, inputs), sum, 1e-3)
}

// TestLeastErrorOfTheScales: more scales to choose from are never worse in one group.
func TestLeastErrorOfTheScales(t *testing.T) {
	skipWithoutKernel(t)
	const width = kernel.Group
	r := rand.New(rand.NewPCG(7, 8))
	inputs := inputsOf(r, 300, width)
	m := NewMoments(width, 2)
	for _, x := range inputs {
		for i := range x {
			x[i] *= float32(1 + i%8) // so that errors do not weigh the same
		}
		m.Add(x)
	}
	f, err := m.Feedback(0)
	require.NoError(t, err)
	better := 0
	for range 20 {
		row := make([]float32, width)
		for i := range row {
			row[i] = float32(r.NormFloat64())
		}
		one := missed(row, roundRow(f.Rounder(), row, byExtreme), inputs)
		several := missed(row, roundRow(f.Rounder(), row, func(scales, group []float32) []float32 {
			s := byExtreme(scales, group)
			return append(s, s[0]*0.95, s[0]*0.9, s[0]*0.85, s[0]*0.8)
		}), inputs)
		require.LessOrEqual(t, several, one*(1+1e-4))
		if several < one*0.99 {
			better++
		}
	}
	require.Greater(t, better, 10)
}

// TestNothingSeen: of a matrix whose inputs were all zero no error matters, and none
// is made worse than by plain rounding.
func TestNothingSeen(t *testing.T) {
	skipWithoutKernel(t)
	m := NewMoments(kernel.Group, 2)
	m.Add(make([]float32, kernel.Group))
	f, err := m.Feedback(0.01)
	require.NoError(t, err)
	row := make([]float32, kernel.Group)
	row[3], row[70] = 1, -0.5
	require.Equal(t, plain(row), roundRow(f.Rounder(), row, byExtreme))
}

// TestMomentsThatAreNoNumbers are refused.
func TestMomentsThatAreNoNumbers(t *testing.T) {
	skipWithoutKernel(t)
	m := NewMoments(kernel.Group, 2)
	x := make([]float32, kernel.Group)
	x[5] = float32(math.NaN())
	m.Add(x)
	_, err := m.Feedback(0.01)
	require.ErrorContains(t, err, "cannot be decomposed")
}
