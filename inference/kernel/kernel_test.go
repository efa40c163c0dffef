package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func needKernels(t *testing.T) {
	t.Helper()
	if !Available() {
		t.Skip("this processor has no AVX2")
	}
}

func random(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// vectors quantises the rows of x both ways.
func vectors(x [][]float32) (v, grouped Vectors) {
	v, grouped = NewVectors(len(x[0]), len(x)), NewGrouped(len(x[0]), len(x))
	fill(v, x)
	fill(grouped, x)
	return v, grouped
}

func fill(v Vectors, x [][]float32) {
	for i, row := range x {
		v.Set(i, row)
	}
	for piece := range v.Pieces(len(x)) {
		v.Pack(piece, len(x))
	}
}

func randomInt8(r *rand.Rand, rows, width int) Int8 {
	m := Int8{Width: width, Weights: make([]int8, rows*width), Scales: random(r, rows)}
	for i := range m.Weights {
		m.Weights[i] = int8(r.IntN(255) - 127)
	}
	return m
}

func randomInt4(r *rand.Rand, rows, width int) Int4 {
	m := Int4{Width: width, Weights: make([]byte, rows*width/2), Scales: make([]uint16, rows*width/Group)}
	for i := range m.Weights {
		m.Weights[i] = byte(r.IntN(256))
	}
	for i := range m.Scales {
		m.Scales[i] = uint16(math.Float32bits(float32(r.NormFloat64())) >> 16)
	}
	return m
}

// at is a weight by its definition.
func (m Int4) at(row, column int) float64 {
	group, in := column/Group, column%Group
	b := m.Weights[row*m.Width/2+group*Group/2+in/64*32+in%32]
	if in%64 >= 32 {
		b >>= 4
	}
	scale := math.Float32frombits(uint32(m.Scales[row*m.Width/Group+group]) << 16)
	return (float64(b&15) - 8) * float64(scale)
}

func (m Int8) at(row, column int) float64 {
	return float64(m.Weights[row*m.Width+column]) * float64(m.Scales[row])
}

// TestProductsAreNear compares with products of the numbers before they were
// quantised: what is lost is a share of the vector's length times the row's.
func TestProductsAreNear(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(1, 2))
	const rows, width, count = 36, 3 * Group, 7
	var x [][]float32
	for range count {
		x = append(x, random(r, width))
	}
	v, grouped := vectors(x)
	eight, four := randomInt8(r, rows, width), randomInt4(r, rows, width)
	for name, c := range map[string]struct {
		multiply  func(out []float32)
		at        func(row, column int) float64
		tolerance float64
	}{
		"int8": {func(out []float32) { eight.Multiply(out, rows, v, count, 0, rows) }, eight.at, 0.02},
		"int4": {func(out []float32) { four.Multiply(out, rows, grouped, count, 0, rows) }, four.at, 0.02},
	} {
		out := make([]float32, count*rows)
		c.multiply(out)
		for i := range x {
			for row := range rows {
				var want, lengthX, lengthW float64
				for column, v := range x[i] {
					w := c.at(row, column)
					want += w * float64(v)
					lengthX, lengthW = lengthX+float64(v)*float64(v), lengthW+w*w
				}
				require.InDelta(t, want, out[i*rows+row], c.tolerance*math.Sqrt(lengthX*lengthW), "%s, vector %d, row %d", name, i, row)
			}
		}
	}
}

// TestSameWhateverIsBeside: a vector's products are the same to the bit alone and
// with any number of others, for all rows at once and for some.
func TestSameWhateverIsBeside(t *testing.T) {
	needKernels(t)
	for _, width := range []int{2 * Group, 4 * Group} {
		sameWhateverIsBeside(t, width)
	}
}

func sameWhateverIsBeside(t *testing.T, width int) {
	t.Helper()
	r := rand.New(rand.NewPCG(3, 4))
	const rows, most = 36, 18
	var x [][]float32
	for range most {
		x = append(x, random(r, width))
	}
	eight, four := randomInt8(r, rows, width), randomInt4(r, rows, width)
	multiply := func(x [][]float32, first, n int) (out []float32) {
		v, grouped := vectors(x)
		a, b := make([]float32, len(x)*n), make([]float32, len(x)*n)
		eight.Multiply(a, n, v, len(x), first, n)
		four.Multiply(b, n, grouped, len(x), first, n)
		for i := range x {
			out = append(append(out, a[i*n:(i+1)*n]...), b[i*n:(i+1)*n]...)
		}
		return out
	}
	for count := 1; count <= most; count++ {
		together := multiply(x[:count], 0, rows)
		for i := range count {
			require.Equal(t, multiply(x[i:i+1], 0, rows), together[2*i*rows:2*(i+1)*rows], "%d vectors, number %d", count, i)
		}
		const first, n = 5, 12
		some := multiply(x[:count], first, n)
		for i := range count {
			require.Equal(t, together[2*i*rows+first:][:n], some[2*i*n:][:n])
			require.Equal(t, together[2*i*rows+rows+first:][:n], some[2*i*n+n:][:n])
		}
	}
}

// TestInstructionSetsAgree compares all that this processor has, to the bit.
func TestInstructionSetsAgree(t *testing.T) {
	needKernels(t)
	defer func(saved instructions) { best = saved }(best)
	r := rand.New(rand.NewPCG(13, 14))
	for _, width := range []int{Group, 4 * Group, 7 * Group} {
		for _, rows := range []int{4, 8, 12, 24, 100} {
			eight, four := randomInt8(r, rows, width), randomInt4(r, rows, width)
			for _, count := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 33, 48} {
				var x [][]float32
				for range count {
					x = append(x, random(r, width))
				}
				multiply := func(by instructions) (out [2][]float32) {
					best = by
					v, grouped := vectors(x)
					stride := rows + 3
					for i := range out {
						out[i] = make([]float32, count*stride)
					}
					eight.Multiply(out[0], stride, v, count, 0, rows)
					four.Multiply(out[1], stride, grouped, count, 1, rows-1)
					return out
				}
				want := multiply(sets[0])
				for _, by := range sets[1:] {
					if by.there {
						require.Equal(t, want, multiply(by), "%s, %d wide, %d rows, %d vectors", by.name, width, rows, count)
					}
				}
			}
		}
	}
}

// TestNothingOverflows has the largest integers of all everywhere.
func TestNothingOverflows(t *testing.T) {
	needKernels(t)
	defer func(saved instructions) { best = saved }(best)
	for _, by := range sets {
		if best = by; by.there {
			nothingOverflows(t, 32*Group)
			nothingOverflows(t, 64*Group)
		}
	}
}

func nothingOverflows(t *testing.T, width int) {
	t.Helper()
	for _, sign := range []float32{1, -1} {
		x := make([]float32, width)
		for i := range x {
			x[i] = sign
		}
		v, grouped := vectors([][]float32{x, x, x, x, x, x, x, x})
		for _, weight := range []int8{127, -127} {
			const rows = tileRows + 4
			m := Int8{Width: width, Weights: make([]int8, rows*width), Scales: make([]float32, rows)}
			for i := range m.Weights {
				m.Weights[i] = weight
			}
			for i := range m.Scales {
				m.Scales[i] = 1
			}
			out := make([]float32, 8*rows)
			m.Multiply(out, rows, v, 8, 0, rows)
			for _, v := range out {
				require.InEpsilon(t, sign*float32(weight)*float32(width), v, 1e-4)
			}
		}
		for _, nibbles := range []byte{0x00, 0xff} {
			m := Int4{Width: width, Weights: make([]byte, width/2), Scales: make([]uint16, width/Group)}
			for i := range m.Weights {
				m.Weights[i] = nibbles
			}
			for i := range m.Scales {
				m.Scales[i] = 0x3f80 // 1
			}
			out := make([]float32, 4)
			m.Multiply(out, 1, grouped, 4, 0, 1)
			for _, v := range out {
				require.InEpsilon(t, float64(sign)*m.at(0, 0)*float64(width), v, 1e-5)
			}
		}
	}
}

// TestBrokenNumbersShow: one that is not finite spoils the whole product.
func TestBrokenNumbersShow(t *testing.T) {
	needKernels(t)
	eight := Int8{Width: 2 * Group, Weights: make([]int8, 8*Group), Scales: []float32{1, 1, 1, 1}} // zeros
	four := Int4{Width: 2 * Group, Weights: make([]byte, Group), Scales: []uint16{0x3f80, 0x3f80}}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, at := range []int{0, 77, Group, 2*Group - 1} {
			x := make([]float32, 2*Group)
			x[at] = float32(bad)
			v, grouped := vectors([][]float32{x})
			out := make([]float32, 5)
			eight.Multiply(out, 4, v, 1, 0, 4)
			four.Multiply(out[4:], 1, grouped, 1, 0, 1)
			for i, v := range out {
				require.NotZero(t, v-v, "%v at %d, %d", bad, at, i)
			}
		}
	}
}

func TestZeroStaysZero(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(5, 6))
	v, grouped := vectors([][]float32{make([]float32, 2*Group)})
	out := make([]float32, 7)
	randomInt8(r, 4, 2*Group).Multiply(out[:4], 4, v, 1, 0, 4)
	randomInt4(r, 3, 2*Group).Multiply(out[4:], 3, grouped, 1, 0, 3)
	require.Equal(t, make([]float32, 7), out)
}

func TestAttention(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(7, 8))
	for _, rows := range []int{0, 1, 2, 4, 7, 33} {
		q, p, rest := random(r, Head), random(r, rows), random(r, rows*Head)
		dots, sums := make([]float32, rows), make([]float32, Head)
		Dots(dots, q, rest)
		for i := range dots {
			alone := make([]float32, 1)
			Dots(alone, q, rest[i*Head:])
			require.Equal(t, alone[0], dots[i], "the same to the bit alone")
		}
		Weigh(sums, p, rest)
		wantSums := make([]float64, Head)
		for i := range rows {
			want := 0.0
			for j := range Head {
				want += float64(q[j]) * float64(rest[i*Head+j])
				wantSums[j] += float64(p[i]) * float64(rest[i*Head+j])
			}
			require.InDelta(t, want, dots[i], 1e-4)
			require.InDelta(t, want, Dot(q, rest[i*Head:(i+1)*Head]), 1e-4)
		}
		for j := range Head {
			require.InDelta(t, wantSums[j], sums[j], 1e-4)
		}
		inParts := make([]float32, Head)
		for i := 0; i < rows; {
			n := min(1+r.IntN(5), rows-i)
			WeighMore(inParts, p[i:i+n], rest[i*Head:])
			i += n
		}
		require.Equal(t, sums, inParts)
	}
}

func TestSumExp(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(11, 12))
	for _, n := range []int{1, 3, 8, 9, 16, 45, 64} {
		for _, scale := range []float32{0.1, 10, 200} {
			x := random(r, n)
			for i := range x {
				x[i] *= scale
			}
			want := 0.0
			for _, v := range x {
				want += math.Exp(float64(v) - float64(slices.Max(x)))
			}
			largest, sum := SumExp(x)
			require.Equal(t, slices.Max(x), largest)
			require.InEpsilon(t, want, sum, 2e-6)
		}
	}
	largest, sum := SumExp(nil)
	require.True(t, math.IsInf(float64(largest), -1))
	require.Zero(t, sum)
}

func TestMisfitsPanic(t *testing.T) {
	v := NewVectors(Group, 2)
	m := Int8{Width: Group, Weights: make([]int8, 4*Group), Scales: make([]float32, 4)}
	out := make([]float32, 8)
	for name, f := range map[string]func(){
		"width":         func() { NewVectors(Group-1, 1) },
		"other form":    func() { m.Multiply(out, 4, NewGrouped(Group, 2), 1, 0, 4) },
		"other width":   func() { m.Multiply(out, 4, NewVectors(2*Group, 2), 1, 0, 4) },
		"many vectors":  func() { m.Multiply(make([]float32, 12), 4, v, 3, 0, 4) },
		"many rows":     func() { m.Multiply(out, 4, v, 1, 1, 4) },
		"no rows":       func() { m.Multiply(out, 4, v, 1, 0, 0) },
		"little room":   func() { m.Multiply(out[:7], 4, v, 2, 0, 4) },
		"small stride":  func() { m.Multiply(out, 3, v, 2, 0, 4) },
		"half a vector": func() { v.Set(0, make([]float32, Group/2)) },
		"past the end":  func() { v.Set(2, make([]float32, Group)) },
		"three rows":    func() { m.Multiply(out, 4, v, 1, 0, 3) },
		"keys":          func() { Dots(make([]float32, 2), make([]float32, Head), make([]float32, Head)) },
		"values":        func() { Weigh(make([]float32, Head), make([]float32, 2), make([]float32, Head)) },
		"unequal width": func() { Dot(make([]float32, 8), make([]float32, 16)) },
	} {
		require.Panics(t, f, name)
	}
}

func TestOtherInstructionsAreTakenByTheirName(t *testing.T) {
	defer func(saved instructions) { best = saved }(best)
	for _, s := range sets {
		err := Use(s.name)
		if !s.there {
			require.ErrorContains(t, err, s.name)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, s.name, best.name)
	}
	require.Error(t, Use("abacus"))
}
