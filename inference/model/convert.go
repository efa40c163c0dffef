package model

import (
	"encoding/binary"
	"math"
	"sync"
	"unsafe"

	"dragoman/inference/kernel"
)

// The converters take little-endian elements, as both file formats have
// them; src has exactly len(dst) elements and need not be aligned. Halves are
// read four at a time: that more than doubles the speed of the plain loop.

func fromF32(dst []float32, src []byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(dst))), 4*len(dst)), src)
		return
	}
	for i := range dst {
		dst[i] = math.Float32frombits(binary.LittleEndian.Uint32(src[4*i:]))
	}
}

func fromBF16(dst []float32, src []byte) {
	for len(dst) >= 4 && len(src) >= 8 {
		v := binary.LittleEndian.Uint64(src)
		dst[0] = math.Float32frombits(uint32(v) << 16)
		dst[1] = math.Float32frombits(uint32(v) &^ 0xffff)
		dst[2] = math.Float32frombits(uint32(v>>32) << 16)
		dst[3] = math.Float32frombits(uint32(v>>32) &^ 0xffff)
		dst, src = dst[4:], src[8:]
	}
	for i := range dst {
		dst[i] = math.Float32frombits(uint32(binary.LittleEndian.Uint16(src[2*i:])) << 16)
	}
}

// halves holds every binary16 number: looking up is twice as fast as
// computing, for 256 KiB.
var halves = sync.OnceValue(func() *[1 << 16]float32 {
	table := new([1 << 16]float32)
	for h := range table {
		table[h] = halfToFloat(uint16(h))
	}
	return table
})

func fromF16(dst []float32, src []byte) {
	if n := kernel.Halves(dst, src); n > 0 {
		dst, src = dst[n:], src[2*n:]
		if len(dst) == 0 {
			return
		}
	}
	fromHalves(dst, src)
}

// fromHalves is fromF16 on any processor.
func fromHalves(dst []float32, src []byte) {
	table := halves()
	for len(dst) >= 4 && len(src) >= 8 {
		v := binary.LittleEndian.Uint64(src)
		dst[0] = table[uint16(v)]
		dst[1] = table[uint16(v>>16)]
		dst[2] = table[uint16(v>>32)]
		dst[3] = table[uint16(v>>48)]
		dst, src = dst[4:], src[8:]
	}
	for i := range dst {
		dst[i] = table[binary.LittleEndian.Uint16(src[2*i:])]
	}
}

// halfToFloat widens an IEEE 754 binary16 number; every one of them has an
// exact float32.
func halfToFloat(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	fields := uint32(h&0x7fff) << 13 // exponent and fraction at float32's places
	switch h & 0x7c00 {
	case 0x7c00: // infinity and not-a-number
		return math.Float32frombits(sign | 0x7f800000 | fields)
	case 0: // zero and subnormal: fraction times 2^-24
		f := float32(h&0x3ff) * (1.0 / (1 << 24))
		return math.Float32frombits(sign | math.Float32bits(f))
	}
	const rebias = (127 - 15) << 23
	return math.Float32frombits(sign | (fields + rebias))
}
