package kernel

import "golang.org/x/sys/cpu"

// Available tells whether this processor has the instructions: AVX2 and FMA.
func Available() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

// HasDotProducts tells whether the processor has instructions for sums of 8-bit
// products (VNNI), which the kernels do without.
func HasDotProducts() bool { return cpu.X86.HasAVX512VNNI || cpu.X86.HasAVXVNNI }

//go:noescape
func int8One(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8Two(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8Four(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int4One(out *float32, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func int4Four(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func quantise16(q *byte, x *float32, groups int, most float32)

//go:noescape
func quantise8(q *byte, x *float32, groups int)

//go:noescape
func dots64(out, q, k *float32, rows int)

//go:noescape
func weigh64(out, p, v *float32, rows int)

//go:noescape
func pause()

//go:noescape
func dot(a, b *float32, eights int) float32

//go:noescape
func sumExp(x *float32, eights int) (largest, sum float32)

//go:noescape
func softmax(x *float32, eights int)

//go:noescape
func add(x, y *float32, eights int)

//go:noescape
func addTwo(x, y, z *float32, eights int)

//go:noescape
func addRectified(x, y *float32, eights int)

//go:noescape
func normalise(out, x, weight, bias *float32, eights int, count, epsilon float32)

//go:noescape
func find(x *float32, eights int, least float32) int
