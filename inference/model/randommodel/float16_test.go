package randommodel

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFloat16(t *testing.T) {
	for value, want := range map[float64]uint16{
		0: 0, 1: 0x3c00, -2: 0xc000, 0.1: 0x2e66, 65504: 0x7bff,
		0x1p-14: 0x0400, 0x1p-15: 0x0200, 0x1p-24: 0x0001, -0x1p-24: 0x8001, 0x1p-26: 0,
		0x1.ffep-15: 0x0400, // 1023.5 steps of 2^-24: half goes to even, which is normal again
		0x1.ffep-1:  0x3c00, // half a step below 1: the carry
	} {
		require.Equalf(t, want, float16(value), "%v", value)
	}
}
