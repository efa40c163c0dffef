package kernel

import (
	"encoding/binary"
	"math"
	"unsafe"
)

// Bytes of quantised activations.
const (
	tail8  = 64  // after a vector: its scale, the offset of products by VNNI, the rest unused
	group8 = 192 // of a group: 128 int8, 8 int32 that undo the weights' offset, the scale eight times
	line   = 64  // of the processor's cache: no load crosses one
)

// Vectors are activations of one width, quantised to 8 bits: the largest magnitude
// becomes the largest integer. A vector with a number that is not finite gives results
// that are not.
type Vectors struct {
	width, size int // size in bytes
	grouped     bool
	words       bool // the integers are stored with 16 bits, for instructions without products of bytes
	data        []byte
	tiles       []byte // where products go in tiles
}

// NewVectors makes room for activations with a scale a vector, which multiply weights of
// eight bits.
func NewVectors(width, count int) Vectors {
	v := Vectors{width: width, size: width + tail8, words: best.words}
	if v.words {
		v.size += width
	}
	return newVectors(v, count).withTiles(count)
}

// NewGrouped makes room for activations with a scale a group, which multiply weights of
// four bits.
func NewGrouped(width, count int) Vectors {
	return newVectors(Vectors{width: width, size: width / Group * group8, grouped: true}, count)
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
	quantise := quantiseBytes
	switch {
	case v.grouped:
		quantise = quantiseGroups
	case v.words:
		quantise = quantiseWords
	}
	quantise(&v.data[i*v.size:][:v.size][0], &x[0], v.width/Group)
}

// Row sets x to vector i, of one scale, as it was rounded.
func (v Vectors) Row(x []float32, i int) {
	if v.grouped || len(x) != v.width {
		panic("kernel: the vector does not fit")
	}
	q := v.data[i*v.size:][:v.size]
	scale := math.Float32frombits(binary.LittleEndian.Uint32(q[v.size-tail8:]))
	for k := range x {
		if v.words {
			x[k] = scale * float32(int16(binary.LittleEndian.Uint16(q[2*k:])))
		} else {
			x[k] = scale * float32(int8(q[k]))
		}
	}
}
