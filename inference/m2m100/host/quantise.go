package host

import (
	"io"
	"math"
	"sync"

	"dragoman/inference/kernel"
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
	scales8 []float32
	scales4 []uint16
}

func (q *quantised) writeInt8(w io.Writer) error {
	q.scales8 = make([]float32, q.rows())
	return q.write(w, q.width, func(out []byte, row []float32, r int) {
		q.scales8[r] = QuantiseRow(out, row)
	})
}

func (q *quantised) writeScales8(w io.Writer) error {
	_, err := w.Write(bytesOf(q.scales8))
	return err
}

func (q *quantised) writeInt4(w io.Writer) error {
	groups := q.width / kernel.Group
	q.scales4 = make([]uint16, q.rows()*groups)
	return q.write(w, q.width/2, func(out []byte, row []float32, r int) {
		for g := range groups {
			q.scales4[r*groups+g] = quantise4(out[g*kernel.Group/2:][:kernel.Group/2], row[g*kernel.Group:][:kernel.Group])
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

// write quantises row by row, some rows at once on several threads.
func (q *quantised) write(w io.Writer, rowBytes int, quantise func(out []byte, row []float32, r int)) error {
	const block = 64 // rows that a thread does before they are written
	threads := max(q.threads, 1)
	out := make([]byte, threads*block*rowBytes)
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
							quantise(out[(r-from)*rowBytes:][:rowBytes], row, first+r)
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

// round is to the nearest integer, ties to even, of magnitudes below 2²².
// Adding and taking away 1.5·2²³ makes it so.
func round(v float32) float32 {
	const magic = 12582912
	return v + magic - magic
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
		out[i] = byte(int8(round(v * inverse)))
	}
	return largest / 127
}

// steps4 are the scales that are tried for a group of four-bit weights: the
// extreme of the group over these. At 8 the extreme itself is exact, because its
// side has the number -8; above, it is cut for the sake of the others.
var steps4 = []float32{-8, -8.4, -8.8, -9.3, -9.9, -7.6, -7.2, 7, 7.5, 8}

// quantise4 writes a group and returns its scale as bfloat16: that of steps4
// with the least squared error.
func quantise4(out []byte, group []float32) uint16 {
	extreme := float32(0)
	for _, v := range group {
		if max(v, -v) > max(extreme, -extreme) {
			extreme = v
		}
	}
	if extreme == 0 {
		for i := range out {
			out[i] = 0x88
		}
		return bfloat16(1)
	}
	best, least := uint16(0), float32(math.MaxFloat32)
	for _, step := range steps4 {
		s := bfloat16(extreme / step)
		scale := fromBfloat16(s)
		if scale == 0 {
			continue
		}
		inverse, sum := 1/scale, float32(0)
		for _, v := range group {
			e := v - scale*clamp4(v*inverse)
			sum += e * e
		}
		if sum < least {
			best, least = s, sum
		}
	}
	if best == 0 { // too small for a scale
		for i := range out {
			out[i] = 0x88
		}
		return bfloat16(1)
	}
	inverse := 1 / fromBfloat16(best)
	half := kernel.Group / 4
	for i := range out {
		at := i/half*2*half + i%half
		low, high := clamp4(group[at]*inverse)+8, clamp4(group[at+half]*inverse)+8
		out[i] = byte(low) | byte(high)<<4
	}
	return best
}

func clamp4(v float32) float32 { return min(max(round(v), -8), 7) }

// bfloat16 rounds to the nearest.
func bfloat16(v float32) uint16 { return uint16((math.Float32bits(v) + 0x8000) >> 16) }

func fromBfloat16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }
