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
// bit, and on every processor.
package kernel

// Group is how many weights of four bits share a scale, and how many activations that
// multiply them. Widths are multiples of it.
const Group = 128

// Int8 is a matrix of 8-bit weights: w ≈ q·scale of its row.
type Int8 struct {
	Width   int
	Weights []int8    // [rows, Width], none of them -128
	Scales  []float32 // [rows]
}

// Int4 is a matrix of 4-bit weights: w ≈ (q-8)·scale of its group. Of 64 weights the
// first half are the low halves of 32 bytes, the second half the high ones.
type Int4 struct {
	Width   int
	Weights []byte   // [rows, Width/2]
	Scales  []uint16 // [rows, Width/Group], bfloat16
}

// Multiply sets out[i·stride+r] to row first+r times vector i, for rows and for
// the first count vectors, whose pieces were packed, see Vectors.Pieces. Rows of 8 bits
// go in fours.
func (m Int8) Multiply(out []float32, stride int, v Vectors, count, first, rows int) {
	check(m.Width, v, false, len(m.Scales), out, stride, count, first, rows)
	if rows%together8 != 0 {
		panic("kernel: the number of rows is no multiple of four")
	}
	if v.tiled(count) {
		n := rows - rows%tileRows
		if n > 0 {
			int8Tiles(&out[0], stride, &m.Weights[first*m.Width], &m.Scales[first], &v.tiles[0], m.Width, n, count)
		}
		if first, rows = first+n, rows-n; rows == 0 {
			return
		}
		out = out[n:]
	}
	w, scales := &m.Weights[first*m.Width], &m.Scales[first]
	for count > 0 {
		multiply, n := best.int8One, 1
		switch {
		case count >= 4:
			multiply, n = best.int8Four, 4
		case count >= 2:
			multiply, n = best.int8Two, 2
		}
		multiply(&out[0], stride, w, scales, &v.data[0], m.Width, rows)
		if count -= n; count > 0 {
			out, v.data = out[n*stride:], v.data[n*v.size:]
		}
	}
}

// Multiply is as that of Int8, for any number of rows.
func (m Int4) Multiply(out []float32, stride int, v Vectors, count, first, rows int) {
	groups := m.Width / Group
	check(m.Width, v, true, len(m.Scales)/groups, out, stride, count, first, rows)
	// What is left of rows that go together is by the narrowest of the instructions.
	wide := rows - rows%best.rows4
	if wide > 0 {
		m.multiply(&best, out, stride, v, count, first, wide)
	}
	if wide < rows {
		m.multiply(&sets[0], out[wide:], stride, v, count, first+wide, rows-wide)
	}
}

func (m Int4) multiply(by *instructions, out []float32, stride int, v Vectors, count, first, rows int) {
	groups := m.Width / Group
	w, scales := &m.Weights[first*m.Width/2], &m.Scales[first*groups]
	for count > 0 {
		multiply, n := by.int4One, 1
		if count >= 4 {
			multiply, n = by.int4Four, 4
		}
		multiply(&out[0], stride, w, scales, &v.data[0], groups, rows)
		if count -= n; count > 0 {
			out, v.data = out[n*stride:], v.data[n*v.size:]
		}
	}
}

// together8 is how many rows of eight bits go together, at most.
const together8 = 4

func check(width int, v Vectors, grouped bool, have int, out []float32, stride, count, first, rows int) {
	if v.width != width || v.grouped != grouped || count*v.size > len(v.data) {
		panic("kernel: the vectors do not fit the matrix")
	}
	if rows < 1 || count < 1 || first < 0 || first+rows > have || stride < rows && count > 1 || len(out) < (count-1)*stride+rows {
		panic("kernel: rows outside the matrix or the results")
	}
}
