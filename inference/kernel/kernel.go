// Package kernel multiplies matrices of quantised weights with vectors, by the
// vector instructions of the processor. It knows no model and no runtime, and
// must not import any other package of ours.
//
// A product with one vector does little but read the weights, so the speed of
// memory is what it can reach. The runtime's kernels turn each weight to float32
// on processors without instructions for 8-bit products, and are bound by that;
// these multiply integers.
//
// Every result is the same whatever vectors are multiplied beside it, to the
// bit, on one processor.
package kernel

import "unsafe"

// Group is how many numbers of a vector share a scale, and how many weights of
// four bits. Widths are multiples of it.
const Group = 128

// Bytes of a group of quantised activations.
const (
	block16 = 320 // 128 int16, the scale eight times, 32 unused
	block8  = 192 // 128 int8, 8 int32 that undo the weights' offset, the scale eight times
)

// Vectors are activations of one width, quantised group by group: each group's
// largest magnitude becomes the largest integer. A group with a number that is
// not finite gives results that are not.
type Vectors struct {
	width, block int
	data         []byte
}

// NewVectors16 makes room for activations of 16 bits, which multiply weights of
// eight.
func NewVectors16(width, count int) Vectors { return newVectors(width, count, block16) }

// NewVectors8 makes room for activations of 8 bits, which multiply weights of
// four.
func NewVectors8(width, count int) Vectors { return newVectors(width, count, block8) }

func newVectors(width, count, block int) Vectors {
	if width%Group != 0 {
		panic("kernel: the width is no multiple of the group")
	}
	const line = 64 // no load crosses a line of the cache
	size := width / Group * block * count
	data := make([]byte, size+line)
	skip := int(-uintptr(unsafe.Pointer(&data[0])) % line)
	return Vectors{width, block, data[skip : skip+size]}
}

// Set quantises groups of vector i, from group first on: as many as x holds.
func (v Vectors) Set(i, first int, x []float32) {
	groups := len(x) / Group
	if len(x)%Group != 0 || (first+groups)*Group > v.width {
		panic("kernel: activations do not fit the vector")
	}
	if groups == 0 {
		return
	}
	at := (i*(v.width/Group) + first) * v.block
	q := v.data[at : at+groups*v.block]
	if v.block == block16 {
		quantise16(&q[0], &x[0], groups)
	} else {
		quantise8(&q[0], &x[0], groups)
	}
}

// Int8 is a matrix of 8-bit weights: w ≈ q·scale of its row.
type Int8 struct {
	Width   int
	Weights []int8    // [rows, Width], none of them -128
	Scales  []float32 // [rows]
}

// Int4 is a matrix of 4-bit weights: w ≈ (q-8)·scale of its group, see Pack4.
type Int4 struct {
	Width   int
	Weights []byte   // [rows, Width/2]
	Scales  []uint16 // [rows, Width/Group], bfloat16
}

// Multiply sets out[i·stride+r] to row first+r times vector i, for rows and for
// the first count vectors.
func (m Int8) Multiply(out []float32, stride int, v Vectors, count, first, rows int) {
	groups := m.check(v, block16, len(m.Scales), out, stride, count, first, rows)
	w, scales := &m.Weights[first*m.Width], &m.Scales[first]
	for ; count >= 4; count -= 4 {
		int8Four(&out[0], stride, w, scales, &v.data[0], groups, rows)
		if count == 4 {
			return
		}
		out, v.data = out[4*stride:], v.data[4*groups*block16:]
	}
	for ; count > 0; count-- {
		int8One(&out[0], w, scales, &v.data[0], groups, rows)
		if count == 1 {
			return
		}
		out, v.data = out[stride:], v.data[groups*block16:]
	}
}

// Multiply is as that of Int8.
func (m Int4) Multiply(out []float32, stride int, v Vectors, count, first, rows int) {
	groups := m.Width / Group
	check(m.Width, v, block8, len(m.Scales)/groups, out, stride, count, first, rows)
	w, scales := &m.Weights[first*m.Width/2], &m.Scales[first*groups]
	for ; count >= 4; count -= 4 {
		int4Four(&out[0], stride, w, scales, &v.data[0], groups, rows)
		if count == 4 {
			return
		}
		out, v.data = out[4*stride:], v.data[4*groups*block8:]
	}
	for ; count > 0; count-- {
		int4One(&out[0], w, scales, &v.data[0], groups, rows)
		if count == 1 {
			return
		}
		out, v.data = out[stride:], v.data[groups*block8:]
	}
}

func (m Int8) check(v Vectors, block, have int, out []float32, stride, count, first, rows int) int {
	check(m.Width, v, block, have, out, stride, count, first, rows)
	return m.Width / Group
}

func check(width int, v Vectors, block, have int, out []float32, stride, count, first, rows int) {
	if v.width != width || v.block != block || count*width/Group*block > len(v.data) {
		panic("kernel: the vectors do not fit the matrix")
	}
	if rows < 1 || count < 1 || first < 0 || first+rows > have || stride < rows && count > 1 || len(out) < (count-1)*stride+rows {
		panic("kernel: rows outside the matrix or the results")
	}
}
