package model

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/kernel"
)

// The definition of IEEE 754 binary16, in floating point instead of bits.
func halfByDefinition(h uint16) float64 {
	sign := 1.0
	if h>>15 == 1 {
		sign = -1
	}
	e, fraction := int(h>>10&0x1f), float64(h&0x3ff)/1024
	switch {
	case e == 31 && fraction == 0:
		return math.Inf(int(sign))
	case e == 31:
		return math.NaN()
	case e == 0:
		return math.Copysign(math.Ldexp(fraction, -14), sign)
	}
	return sign * math.Ldexp(1+fraction, e-15)
}

func TestHalfToFloatIsExactForEveryNumber(t *testing.T) {
	for h := range 1 << 16 {
		got, want := halfToFloat(uint16(h)), float32(halfByDefinition(uint16(h)))
		if math.IsNaN(float64(want)) {
			require.True(t, math.IsNaN(float64(got)), "%#04x", h)
			continue
		}
		require.Equal(t, math.Float32bits(want), math.Float32bits(got), "%#04x", h)
	}
}

func TestConvertersTakeUnalignedBytes(t *testing.T) {
	want := []float32{1, -2.5, 0, float32(math.Inf(1)), 6.103515625e-05}
	buf := make([]byte, 1, 64)
	for _, v := range want {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
	}
	got := make([]float32, len(want))
	fromF32(got, buf[1:])
	require.Equal(t, want, got)

	buf = buf[:1]
	for _, v := range want {
		buf = binary.LittleEndian.AppendUint16(buf, uint16(math.Float32bits(v)>>16))
	}
	fromBF16(got, buf[1:])
	require.Equal(t, want, got)

	halves := []byte{0xff, 0x00, 0x3c, 0x00, 0xc1, 0x00, 0x00, 0x00, 0x7c, 0x00, 0x04}
	clear(got)
	fromF16(got, halves[1:])
	require.Equal(t, want, got)
}

// TestHalvesByInstruction compares with the table, for all halves but those that are no
// number, whose bits no arithmetic keeps.
func TestHalvesByInstruction(t *testing.T) {
	src := make([]byte, 2<<16)
	for h := range 1 << 16 {
		binary.LittleEndian.PutUint16(src[2*h:], uint16(h))
	}
	got, want := make([]float32, 1<<16), make([]float32, 1<<16)
	if kernel.Halves(got, src) == 0 {
		t.Skip("this processor has no F16C")
	}
	fromHalves(want, src)
	for h := range want {
		if want[h] != want[h] {
			require.NotEqual(t, got[h], got[h])
			continue
		}
		require.Equal(t, math.Float32bits(want[h]), math.Float32bits(got[h]), "%#x", h)
	}
	require.Zero(t, kernel.Halves(got[:7], src))
	require.Equal(t, 8, kernel.Halves(got[:15], src))
}

func BenchmarkConvert(b *testing.B) {
	dst := make([]float32, 1<<20)
	src := make([]byte, 4<<20)
	for i := range dst {
		binary.LittleEndian.PutUint16(src[2*i:], uint16(0x2000+i*31&0x1fff|i&1<<15))
	}
	for _, c := range []struct {
		dtype   DType
		convert func([]float32, []byte)
	}{{F32, fromF32}, {F16, fromF16}, {BF16, fromBF16}} {
		b.Run(string(c.dtype), func(b *testing.B) {
			n := int64(len(dst)) * dtypeSizes[c.dtype]
			b.SetBytes(n)
			for b.Loop() {
				c.convert(dst, src[:n])
			}
		})
	}
}
