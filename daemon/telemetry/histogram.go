package telemetry

import (
	"math"
	"slices"
)

// histogram counts values between fixed bounds.
type histogram struct {
	bounds   []float64 // upper ones, each included; values above the last have a count more
	counts   []uint64
	count    uint64
	sum      float64
	low, top float64
}

func newHistogram(bounds []float64) *histogram {
	return &histogram{bounds: bounds, counts: make([]uint64, len(bounds)+1)}
}

// The bounds of what is measured. Those of times and rates grow by half an
// octave, so that a quantile is right to a fifth.
var (
	seconds = octaves(100e-6, 20) // to 105 s
	rates   = octaves(1, 13)      // to 8192 a second
	shares  = []float64{0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1}
)

func octaves(from float64, n int) []float64 {
	bounds := make([]float64, 2*n+1)
	for i := range bounds {
		bounds[i] = from * math.Pow(2, float64(i)/2)
	}
	return bounds
}

func (h *histogram) add(v float64) {
	if math.IsNaN(v) || v < 0 {
		return
	}
	i, _ := slices.BinarySearch(h.bounds, v)
	h.counts[i]++
	if h.count == 0 || v < h.low {
		h.low = v
	}
	h.top = max(h.top, v)
	h.count++
	h.sum += v
}

// quantile is the value that a share q of all are not above, as far as the
// bounds tell.
func (h *histogram) quantile(q float64) float64 {
	rank, below := q*float64(h.count), 0.0
	for i, n := range h.counts {
		if n == 0 || below+float64(n) < rank {
			below += float64(n)
			continue
		}
		from, to := h.low, h.top
		if i > 0 {
			from = max(from, h.bounds[i-1])
		}
		if i < len(h.bounds) {
			to = min(to, h.bounds[i])
		}
		return from + (to-from)*(rank-below)/float64(n)
	}
	return h.top
}
