package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// BenchmarkProduct multiplies one matrix with few vectors, as the steps of a sentence do,
// and BenchmarkTogether with many, some rows at a time, as batches do: by each of the
// instruction sets, with the matrix in the nearer caches and in memory.
func BenchmarkProduct(b *testing.B) { products(b, []int{1, 4}, 256) }

func BenchmarkTogether(b *testing.B) { products(b, []int{8, 32}, 32) }

func products(b *testing.B, counts []int, block int) {
	defer func(saved instructions) { best = saved }(best)
	r := rand.New(rand.NewPCG(9, 10))
	for _, weights := range []int{1 << 20, 64 << 20} {
		for _, width := range []int{512, 2048} {
			rows := weights / width
			eight, four := randomInt8(r, rows, width), randomInt4(r, rows, width)
			for _, count := range counts {
				for _, by := range sets {
					if !by.there {
						continue
					}
					best = by
					var x [][]float32
					for range count {
						x = append(x, random(r, width))
					}
					v, grouped := NewVectors(width, count), NewGrouped(width, count)
					fill(v, x)
					fill(grouped, x)
					out := make([]float32, count*block)
					expanded := Int8{Width: width, Weights: make([]int8, block*width), Scales: make([]float32, block)}
					for name, multiply := range map[string]func(first int){
						"int8": func(first int) { eight.Multiply(out, block, v, count, first, block) },
						"expanded": func(first int) {
							four.Expand(expanded, first, block)
							expanded.Multiply(out, block, v, count, 0, block)
						},
						"int4": func(first int) { four.Multiply(out, block, grouped, count, first, block) },
					} {
						b.Run(fmt.Sprintf("%s/%d MB/%d wide/%d/%s", name, weights>>20, width, count, by.name), func(b *testing.B) {
							for b.Loop() {
								for first := 0; first < rows; first += block {
									multiply(first)
								}
							}
							b.ReportMetric(float64(b.N)*float64(weights)*float64(count)/float64(b.Elapsed().Nanoseconds()), "products/ns")
						})
					}
				}
			}
		}
	}
}
