package kernel

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Bytes of quantised activations.
const (
	tail16 = 64  // after a vector's int16: its scale, the rest unused
	block8 = 192 // of a group: 128 int8, 8 int32 that undo the weights' offset, the scale eight times
	line   = 64  // of the processor's cache: no load crosses one
)

// Vectors are activations of one width, quantised: the largest magnitude becomes
// the largest integer. A vector with a number that is not finite gives results
// that are not.
type Vectors struct {
	width, size int // size in bytes
	eight       bool
	data        []byte
	tiles       []byte // where products go in tiles
}

// NewVectors16 makes room for activations of 16 bits with a scale a vector, which
// multiply weights of eight.
func NewVectors16(width, count int) Vectors {
	return newVectors(Vectors{width: width, size: 2*width + tail16}, count).withTiles(count)
}

// NewVectors8 makes room for activations of 8 bits with a scale a group, which
// multiply weights of four.
func NewVectors8(width, count int) Vectors {
	return newVectors(Vectors{width: width, size: width / Group * block8, eight: true}, count)
}

// NewRough8 is NewVectors8 for products whose last bits may depend on how many vectors
// there are: those of tiles, which add in another order.
func NewRough8(width, count int) Vectors {
	return NewVectors8(width, count).withTiles(count)
}

func newVectors(v Vectors, count int) Vectors {
	if v.width%Group != 0 || v.width == 0 {
		panic("kernel: the width is no multiple of the group")
	}
	v.data = aligned(v.size * count)
	return v
}

// aligned are bytes that begin with a line of the processor's cache.
func aligned(size int) []byte {
	data := make([]byte, size+line)
	skip := int(-uintptr(unsafe.Pointer(&data[0])) % line)
	return data[skip:][:size]
}

// Set quantises vector i.
func (v Vectors) Set(i int, x []float32) {
	if len(x) != v.width {
		panic("kernel: activations do not fit the vector")
	}
	q := v.data[i*v.size:][:v.size]
	if v.eight {
		quantise8(&q[0], &x[0], v.width/Group)
	} else {
		quantise16(&q[0], &x[0], v.width/Group, most16(v.width))
	}
}

// most16 is the largest activation of 16 bits with which no sum of products with
// weights of eight overflows 32 bits, in whatever order they are added.
func most16(width int) float32 {
	const weight = 127
	return float32(min(math.MaxInt16, math.MaxInt32/(weight*width)))
}

// Row sets x to vector i, of 16 bits, as it was rounded.
func (v Vectors) Row(x []float32, i int) {
	if v.eight || len(x) != v.width {
		panic("kernel: the vector does not fit")
	}
	q := v.data[i*v.size:][:v.size]
	scale := math.Float32frombits(binary.LittleEndian.Uint32(q[2*v.width:]))
	for k := range x {
		x[k] = scale * float32(int16(binary.LittleEndian.Uint16(q[2*k:])))
	}
}
