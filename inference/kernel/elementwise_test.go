package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestElementwise(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(13, 14))
	nan := float32(math.NaN())
	for _, n := range []int{0, 8, 64, 136} {
		x, y, z := random(r, n), random(r, n), random(r, n)
		sum, both, rectified := slices.Clone(x), slices.Clone(x), slices.Clone(x)
		if n > 0 {
			rectified[3] = nan
		}
		Add(sum, y)
		AddTwo(both, y, z)
		AddRectified(rectified, y)
		for i := range x {
			require.Equal(t, x[i]+y[i], sum[i])
			require.Equal(t, x[i]+(y[i]+z[i]), both[i])
			if i == 3 {
				require.True(t, rectified[i] != rectified[i])
				continue
			}
			require.Equal(t, max(x[i]+y[i], 0), rectified[i])
		}
	}
	require.Panics(t, func() { Add(make([]float32, 7), make([]float32, 7)) })
	require.Panics(t, func() { AddTwo(make([]float32, 8), make([]float32, 8), make([]float32, 16)) })
	require.Panics(t, func() { AddRectified(make([]float32, 8), make([]float32, 16)) })
}

func TestNormalise(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(15, 16))
	for _, n := range []int{8, 128, 512} {
		x, weight, bias, out := random(r, n), random(r, n), random(r, n), make([]float32, n)
		mean, variance := 0.0, 0.0
		for i := range x {
			x[i] = 3*x[i] + 5
			mean += float64(x[i]) / float64(n)
		}
		for _, v := range x {
			variance += (float64(v) - mean) * (float64(v) - mean) / float64(n)
		}
		Normalise(out, x, weight, bias, 1e-5)
		for i, v := range x {
			require.InDelta(t, (float64(v)-mean)/math.Sqrt(variance+1e-5)*float64(weight[i])+float64(bias[i]), out[i], 1e-5)
		}
		Normalise(out, slices.Repeat([]float32{7}, n), weight, bias, 1e-5)
		require.Equal(t, bias, out, "all alike")
		x[n-1] = float32(math.Inf(1))
		Normalise(out, x, weight, bias, 1e-5)
		for _, v := range out {
			require.True(t, v != v)
		}
	}
}

func TestSoftmax(t *testing.T) {
	needKernels(t)
	r := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{0, 1, 7, 8, 9, 30} {
		for _, scale := range []float32{0.1, 10, 200} {
			x := random(r, n+7)[:n]
			want, sum := make([]float64, n), 0.0
			for i := range x {
				x[i] *= scale
			}
			for i, v := range x {
				want[i] = math.Exp(float64(v - slices.Max(x)))
				sum += want[i]
			}
			Softmax(x)
			for i, v := range x {
				require.InDelta(t, want[i]/sum, v, 1e-6)
			}
		}
	}
	x := append(make([]float32, 0, 8), 1, float32(math.NaN()), 2)
	Softmax(x)
	for _, v := range x {
		require.True(t, v != v)
	}
}

func TestFind(t *testing.T) {
	needKernels(t)
	for _, n := range []int{0, 1, 8, 45, 64} {
		x := make([]float32, n)
		require.Equal(t, n, Find(x, 1))
		if n > 0 {
			x[0] = float32(math.NaN())
			require.Equal(t, n, Find(x, 1))
		}
		for i := n - 1; i >= 0; i-- {
			x[i] = 1
			require.Equal(t, i, Find(x, 1))
		}
	}
}
