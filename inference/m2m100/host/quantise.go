package host

import (
	"fmt"
	"io"
	"math"
	"sync"

	"dragoman/inference/kernel"
	"dragoman/inference/m2m100/rounding"
	"dragoman/inference/model"
)

// source is a tensor whose numbers are multiplied by a factor.
type source struct {
	model.Tensor
	factor float32
}

func (s source) row(dst []float32, i int) error {
	if err := s.FiniteRow(dst, i); err != nil {
		return err
	}
	if s.factor != 1 {
		for j := range dst {
			dst[j] *= s.factor
		}
	}
	return nil
}

func writeVectors(w io.Writer, sources []source) error {
	for _, s := range sources {
		values := make([]float32, s.Len())
		if err := s.FiniteVector(values); err != nil {
			return err
		}
		for i := range values {
			values[i] *= s.factor
		}
		if _, err := w.Write(bytesOf(values)); err != nil {
			return err
		}
	}
	return nil
}

// quantised writes matrices one below the other; writing the weights finds the
// scales.
type quantised struct {
	sources []source
	width   int
	threads int
	// feedback, where not nil, says how errors of four-bit weights are spread.
	feedback func() (*rounding.Feedback, error)
	scales8  []float32
	scales4  []uint16
}

func (q *quantised) writeInt8(w io.Writer) error {
	q.scales8 = make([]float32, q.rows())
	return q.write(w, q.width, func() quantise {
		return func(out []byte, row []float32, r int) { q.scales8[r] = QuantiseRow(out, row) }
	})
}

func (q *quantised) writeScales8(w io.Writer) error {
	_, err := w.Write(bytesOf(q.scales8))
	return err
}

func (q *quantised) writeInt4(w io.Writer) error {
	groups := q.width / kernel.Group
	q.scales4 = make([]uint16, q.rows()*groups)
	if q.feedback != nil {
		return q.writeCalibrated(w)
	}
	return q.write(w, q.width/2, func() quantise {
		return func(out []byte, row []float32, r int) {
			for g := range groups {
				q.scales4[r*groups+g] = quantise4(out[g*groupBytes:][:groupBytes], row[g*kernel.Group:][:kernel.Group])
			}
		}
	})
}

func (q *quantised) writeCalibrated(w io.Writer) error {
	feedback, err := q.feedback()
	if err != nil {
		return fmt.Errorf("round %s: %w", q.sources[0].Name, err)
	}
	groups := q.width / kernel.Group
	return q.write(w, q.width/2, func() quantise {
		rounder := feedback.Rounder()
		return func(out []byte, row []float32, r int) {
			rounder.Round(row, least4, most4, scales4, func(g int, weights []float32, scale float32) {
				pack4(out[g*groupBytes:][:groupBytes], weights)
				q.scales4[r*groups+g] = bfloat16(scale)
			})
		}
	})
}

func (q *quantised) writeScales4(w io.Writer) error {
	_, err := w.Write(bytesOf(q.scales4))
	return err
}

func (q *quantised) rows() (n int) {
	for _, s := range q.sources {
		n += s.Shape[0]
	}
	return n
}

// quantise writes row r of a section.
type quantise func(out []byte, row []float32, r int)

// write quantises row by row, some rows at once on several threads, each with a
// quantise of its own.
func (q *quantised) write(w io.Writer, rowBytes int, begin func() quantise) error {
	const block = 64 // rows that a thread does before they are written
	threads := max(q.threads, 1)
	out := make([]byte, threads*block*rowBytes)
	quantisers := make([]quantise, threads)
	for t := range quantisers {
		quantisers[t] = begin()
	}
	first := 0 // row of the section
	for _, s := range q.sources {
		n := s.Shape[0]
		for from := 0; from < n; from += threads * block {
			errs := make([]error, threads)
			var wg sync.WaitGroup
			for t := range threads {
				begin, end := min(from+t*block, n), min(from+(t+1)*block, n)
				wg.Go(func() {
					row := make([]float32, q.width)
					for r := begin; r < end && errs[t] == nil; r++ {
						if errs[t] = s.row(row, r); errs[t] == nil {
							quantisers[t](out[(r-from)*rowBytes:][:rowBytes], row, first+r)
						}
					}
				})
			}
			wg.Wait()
			for _, err := range errs {
				if err != nil {
					return err
				}
			}
			if _, err := w.Write(out[:(min(from+threads*block, n)-from)*rowBytes]); err != nil {
				return err
			}
		}
		first += n
	}
	return nil
}

// QuantiseRow writes q = round(w/scale), ties to even, as int8 with the largest
// magnitude at 127, and returns the scale.
func QuantiseRow(out []byte, row []float32) (scale float32) {
	largest := float32(0)
	for _, v := range row {
		largest = max(largest, v, -v)
	}
	if largest == 0 {
		clear(out)
		return 1
	}
	inverse := 127 / largest
	for i, v := range row {
		out[i] = byte(int8(rounding.Nearest(v * inverse)))
	}
	return largest / 127
}

// steps4 are the scales that are tried for a group of four-bit weights: the
// extreme of the group over these. At 8 the extreme itself is exact, because its
// side has the number -8; above, it is cut for the sake of the others.
var steps4 = []float32{-8, -8.4, -8.8, -9.3, -9.9, -7.6, -7.2, 7, 7.5, 8}

// scales4 appends the scales that are tried for a group, each as bfloat16 has it.
func scales4(scales, group []float32) []float32 {
	extreme := float32(0)
	for _, v := range group {
		if max(v, -v) > max(extreme, -extreme) {
			extreme = v
		}
	}
	for _, step := range steps4 {
		if scale := fromBfloat16(bfloat16(extreme / step)); scale != 0 {
			scales = append(scales, scale)
		}
	}
	if len(scales) == 0 { // nothing but zeros, or too small for a scale
		return append(scales, 1)
	}
	return scales
}

// quantise4 writes a group and returns its scale as bfloat16: that of steps4
// with the least squared error.
func quantise4(out []byte, group []float32) uint16 {
	var tried [16]float32
	best, least := float32(1), float32(math.MaxFloat32)
	for _, scale := range scales4(tried[:0], group) {
		inverse, sum := 1/scale, float32(0)
		for _, v := range group {
			e := v - scale*clamp4(v*inverse)
			sum += e * e
		}
		if sum < least {
			best, least = scale, sum
		}
	}
	inverse := 1 / best
	var weights [kernel.Group]float32
	for i, v := range group {
		weights[i] = clamp4(v * inverse)
	}
	pack4(out, weights[:])
	return bfloat16(best)
}

// groupBytes are those of a group of four-bit weights.
const groupBytes = kernel.Group / 2

// pack4 writes a group of integers as package kernel takes them.
func pack4(out []byte, weights []float32) {
	half := kernel.Group / 4
	for i := range out {
		at := i/half*2*half + i%half
		out[i] = byte(weights[at]+8) | byte(weights[at+half]+8)<<4
	}
}

// The integers of four bits.
const least4, most4 = -8, 7

func clamp4(v float32) float32 { return min(max(rounding.Nearest(v), least4), most4) }

// bfloat16 rounds to the nearest.
func bfloat16(v float32) uint16 { return uint16((math.Float32bits(v) + 0x8000) >> 16) }

func fromBfloat16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }
