package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestExpandedIsNear: each weight is what it was, to half of an eight-bit step.
func TestExpandedIsNear(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(21, 22))
	for _, width := range []int{Group, 3 * Group, 8 * Group} {
		const rows, first, n = 9, 2, 5
		m := randomInt4(r, rows, width)
		clear(m.Scales[3*width/Group : 4*width/Group])
		to := Int8{Width: width, Weights: make([]int8, n*width), Scales: make([]float32, n)}
		m.Expand(to, first, n)
		for row := range n {
			largest := float32(0)
			for _, s := range m.Scales[(first+row)*width/Group:][:width/Group] {
				scale := math.Float32frombits(uint32(s) << 16)
				largest = max(largest, scale, -scale)
			}
			require.InEpsilon(t, max(largest, 1e-30)*8/127, to.Scales[row], 1e-6)
			for column := range width {
				require.InDelta(t, m.at(first+row, column), to.at(row, column), 0.5001*float64(to.Scales[row]), "row %d, column %d", row, column)
			}
		}
		require.NotContains(t, to.Weights, int8(-128))
	}
}

func TestExpandingOutsidePanics(t *testing.T) {
	m := randomInt4(rand.New(rand.NewPCG(23, 24)), 4, Group)
	to := Int8{Width: Group, Weights: make([]int8, 2*Group), Scales: make([]float32, 2)}
	for name, f := range map[string]func(){
		"past the end": func() { m.Expand(to, 3, 2) },
		"little room":  func() { m.Expand(to, 0, 3) },
		"before":       func() { m.Expand(to, -1, 2) },
		"nothing":      func() { m.Expand(to, 0, 0) },
		"other width": func() {
			m.Expand(Int8{Width: 2 * Group, Weights: make([]int8, 2*Group), Scales: make([]float32, 1)}, 0, 1)
		},
		"short weights": func() { m.Expand(Int8{Width: Group, Weights: slices.Clone(to.Weights[1:]), Scales: to.Scales}, 0, 2) },
	} {
		require.Panics(t, f, name)
	}
}
