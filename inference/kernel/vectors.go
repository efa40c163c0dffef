package kernel

import (
	"encoding/binary"
	"math"
)

// Row sets x to vector i, of 16 bits, as it was rounded.
func (v Vectors) Row(x []float32, i int) {
	if v.block != block16 || len(x) != v.width {
		panic("kernel: the vector does not fit")
	}
	data := v.data[i*(v.width/Group)*block16:]
	for g := range v.width / Group {
		q := data[g*block16:]
		scale := math.Float32frombits(binary.LittleEndian.Uint32(q[2*Group:]))
		for k := range Group {
			x[g*Group+k] = scale * float32(int16(binary.LittleEndian.Uint16(q[2*k:])))
		}
	}
}
