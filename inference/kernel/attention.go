package kernel

import "math"

// Head is the width of an attention head that the functions below take.
const Head = 64

// Dots sets out[i] to the product of q, of width Head, and row i of k, for as
// many rows as out is long.
func Dots(out, q, k []float32) {
	if len(q) != Head || len(k) < Head*len(out) {
		panic("kernel: the keys do not fit")
	}
	if len(out) > 0 {
		dots64(&out[0], &q[0], &k[0], len(out))
	}
}

// Weigh sets out, of width Head, to the sum of the rows of v, each times its
// weight in p.
func Weigh(out, p, v []float32) {
	clear(out)
	WeighMore(out, p, v)
}

// WeighMore adds to out what Weigh sets it to: rows in parts give what they give
// together, to the bit.
func WeighMore(out, p, v []float32) {
	if len(out) != Head || len(v) < Head*len(p) {
		panic("kernel: the values do not fit")
	}
	if len(p) > 0 {
		weigh64(&out[0], &p[0], &v[0], len(p))
	}
}

// SumExp is the largest of some numbers, and the sum of e to the power of how much
// less each is, to about 1e-6 of it.
func SumExp(x []float32) (largest, sum float32) {
	var last [Lanes]float32
	whole := len(x) / Lanes
	switch {
	case len(x) == 0:
		return float32(math.Inf(-1)), 0
	case len(x)%Lanes == 0:
		return sumExp(&x[0], whole)
	}
	for i := range last {
		last[i] = float32(math.Inf(-1))
	}
	copy(last[:], x[whole*Lanes:])
	largest, sum = sumExp(&last[0], 1)
	if whole == 0 {
		return largest, sum
	}
	l, s := sumExp(&x[0], whole)
	if l < largest {
		l, s, largest, sum = largest, sum, l, s
	}
	return l, s + sum*float32(math.Exp(float64(largest)-float64(l)))
}

// Softmax makes of the numbers of x their shares: e to the power of each, over the
// sum of all. What follows x up to a multiple of 8 numbers is overwritten; x must
// have that capacity.
func Softmax(x []float32) {
	n := (len(x) + Lanes - 1) / Lanes
	if n == 0 {
		return
	}
	whole := x[:n*Lanes]
	for i := len(x); i < len(whole); i++ {
		whole[i] = float32(math.Inf(-1))
	}
	softmax(&whole[0], n)
}

// Pause tells the processor that the caller waits for another thread.
func Pause() { pause() }

// Dot is the product of two vectors of one width, a multiple of 8.
func Dot(a, b []float32) float32 {
	if len(a) != len(b) || len(a)%8 != 0 || len(a) == 0 {
		panic("kernel: the vectors do not fit")
	}
	return dot(&a[0], &b[0], len(a)/8)
}
