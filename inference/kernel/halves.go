package kernel

// Halves converts little-endian numbers of 16 bits (IEEE 754 binary16), exactly, and
// returns how many: those of dst up to a multiple of 8, none where the processor has no
// instruction for it. src has twice as many bytes as dst has numbers, and need not be
// aligned.
func Halves(dst []float32, src []byte) int {
	n := len(dst) / Lanes
	if n == 0 || len(src) < 2*len(dst) || !hasHalves {
		return 0
	}
	halves(&dst[0], &src[0], n)
	return n * Lanes
}
