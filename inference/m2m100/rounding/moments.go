package rounding

import (
	"sync"
	"sync/atomic"

	"dragoman/inference/kernel"
)

// block is how many inputs are looked at together at most: those of wider matrices
// are taken as independent of inputs outside their block, since the time to
// decompose the moments grows with the third power of it.
const block = 1024

// chunk is how many inputs are kept before they are added: sums of so many products
// are exact enough in float32, and a block of them stays in the cache.
const chunk = 256

// Moments are the sums of products of any two inputs of a matrix, over all inputs
// seen, block by block: its Hessian, but for a factor (Frantar et al. 2022, section 2).
type Moments struct {
	width   int
	threads int
	blocks  [][]float64 // [n, n] each, of which the lower triangle is filled
	kept    []float32   // [width, chunk]
	filled  int
}

// NewMoments is for a matrix of so many inputs, a multiple of kernel.Group. They are
// added on so many threads, one at least.
func NewMoments(width, threads int) *Moments {
	m := &Moments{width: width, threads: threads, kept: make([]float32, width*chunk)}
	for from := 0; from < width; from += block {
		n := min(block, width-from)
		m.blocks = append(m.blocks, make([]float64, n*n))
	}
	return m
}

// Add adds one input.
func (m *Moments) Add(x []float32) {
	for i, v := range x[:m.width] {
		m.kept[i*chunk+m.filled] = v
	}
	if m.filled++; m.filled == chunk {
		m.flush()
	}
}

// flush adds what is kept, on several threads. Which thread adds a row changes nothing.
func (m *Moments) flush() {
	if m.filled == 0 {
		return
	}
	for i := range m.width {
		clear(m.kept[i*chunk+m.filled : (i+1)*chunk])
	}
	m.filled = 0
	var next atomic.Int64
	var wg sync.WaitGroup
	for range m.threads {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < m.width; i = int(next.Add(1)) - 1 {
				first := i / block * block
				n := min(block, m.width-first)
				sums, row := m.blocks[i/block][(i-first)*n:], m.kept[i*chunk:(i+1)*chunk]
				for j := first; j <= i; j++ {
					sums[j-first] += float64(kernel.Dot(row, m.kept[j*chunk:(j+1)*chunk]))
				}
			}
		})
	}
	wg.Wait()
}
