package rounding

import (
	"errors"

	"gonum.org/v1/gonum/blas"
	lapack "gonum.org/v1/gonum/lapack/gonum"

	"dragoman/inference/kernel"
)

// Feedback says how the error of a weight is made good by those after it. With H the
// moments, H = U·D·Uᵀ, U upper triangular with ones, D diagonal, a row that is rounded
// one weight after the other to what is nearest to
//
//	w[k] + Σ (w[i] - q[i])·U[i,k] over i < k
//
// has the error Σ D[k]·(that - q[k])², which is what GPTQ minimises weight by weight
// (Chee et al. 2023, QuIP, theorem 6).
type Feedback struct{ blocks []factors }

type factors struct {
	n        int
	columns  []float32 // [n, n], U's columns one below the other, without the ones
	variance []float32 // [n], D over its mean
}

// Feedback decomposes the moments. damping is what is added to the diagonal, as a
// share of its mean.
func (m *Moments) Feedback(damping float64) (*Feedback, error) {
	m.flush()
	f := &Feedback{}
	for _, sums := range m.blocks {
		n := 0
		for n*n < len(sums) {
			n++
		}
		part, err := factorise(sums, n, damping)
		if err != nil {
			return nil, err
		}
		f.blocks = append(f.blocks, part)
	}
	return f, nil
}

func factorise(sums []float64, n int, damping float64) (factors, error) {
	mean := 0.0
	for i := range n {
		mean += sums[i*n+i] / float64(n)
	}
	if mean == 0 {
		mean = 1
	}
	// LAPACK's decomposition is R = Vᵀ·V with V upper triangular; with R the moments in
	// reverse order V's rows are, in reverse, U's columns times √D.
	reversed := make([]float64, n*n)
	for i := range n {
		for j := range i + 1 {
			reversed[(n-1-i)*n+n-1-j] = sums[i*n+j]
		}
		reversed[(n-1-i)*n+n-1-i] += damping * mean
	}
	if !(lapack.Implementation{}).Dpotrf(blas.Upper, n, reversed, n) {
		return factors{}, errors.New("the moments of a matrix's inputs cannot be decomposed")
	}
	f := factors{n, make([]float32, n*n), make([]float32, n)}
	for k := range n {
		row := reversed[(n-1-k)*n:][:n]
		root := row[n-1-k]
		f.variance[k] = float32(root * root / mean)
		for i := range k {
			f.columns[k*n+i] = float32(row[n-1-i] / root)
		}
	}
	return f, nil
}

// Rounder rounds rows, one at a time.
type Rounder struct {
	blocks  []factors
	errors  []float32 // of the block's weights so far
	targets [kernel.Group]float32
	trial   [kernel.Group]float32 // q of a scale
	best    [kernel.Group]float32
	missed  [2][kernel.Group]float32 // errors of a trial and of the best
	scales  []float32
}

// Rounder makes a rounder. Several share what they read, so that each thread may have one.
func (f *Feedback) Rounder() *Rounder {
	return &Rounder{blocks: f.blocks, errors: make([]float32, block)}
}

// Candidates appends the scales that may serve a group of weights, none of them 0 and
// one at least.
type Candidates func(scales, weights []float32) []float32

// Round rounds a row of a matrix, as long as its inputs, group by group: to integers
// from least to most times a scale. It takes the candidate with the least error, of
// those for the weights with what the errors before add to them. put gets each group's
// number, integers and scale, in their order; the integers last until it returns.
func (r *Rounder) Round(row []float32, least, most float32, candidates Candidates, put func(group int, q []float32, scale float32)) {
	first := 0
	for _, b := range r.blocks {
		clear(r.errors)
		for at := 0; at < b.n; at += kernel.Group {
			w := row[first+at : first+at+kernel.Group]
			copy(r.targets[:], w)
			if at > 0 {
				for k := range r.targets {
					r.targets[k] += kernel.Dot(b.columns[(at+k)*b.n:][:at], r.errors[:at])
				}
			}
			scale := r.group(b, at, w, least, most, candidates)
			put((first+at)/kernel.Group, r.best[:], scale)
			copy(r.errors[at:], r.missed[1][:])
		}
		first += b.n
	}
}

// group rounds the group of a block that begins at a weight, into best and the second
// of missed.
func (r *Rounder) group(b factors, at int, w []float32, least, most float32, candidates Candidates) (chosen float32) {
	smallest := float32(-1)
	r.scales = candidates(r.scales[:0], r.targets[:])
	for _, scale := range r.scales {
		missed := &r.missed[0]
		clear(missed[:])
		inverse, sum := 1/scale, float32(0)
		for k := range w {
			target := r.targets[k]
			if k > 0 {
				whole := (k + 7) &^ 7
				target += kernel.Dot(b.columns[(at+k)*b.n+at:][:whole], missed[:whole])
			}
			q := min(max(Nearest(target*inverse), least), most)
			r.trial[k] = q
			missed[k] = w[k] - q*scale
			sum += b.variance[at+k] * (target - q*scale) * (target - q*scale)
		}
		if smallest < 0 || sum < smallest {
			smallest, chosen = sum, scale
			r.best, r.missed[1] = r.trial, *missed
		}
	}
	return chosen
}

// Nearest is the nearest integer, ties to even, of magnitudes below 2²²: adding and
// taking away 1.5·2²³ makes it so.
func Nearest(v float32) float32 {
	const magic = 12582912
	return v + magic - magic
}
