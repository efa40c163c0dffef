package kernel

import "golang.org/x/sys/cpu"

// Available tells whether this processor has the instructions: AVX2 and FMA.
func Available() bool { return cpu.X86.HasAVX2 && cpu.X86.HasFMA }

// sets are from the slowest to the fastest.
// Processors have AVX-VNNI without AVX-512 (since Alder Lake) and the other way round
// (Ice Lake, Zen 4).
var sets = []instructions{
	{
		name: "AVX2", there: Available(), rows4: 1, words: true,
		int8One: int8One, int8Two: int8Two, int8Four: int8Four, int4One: int4One, int4Four: int4Four,
	},
	{
		name: "AVX-VNNI", there: Available() && cpu.X86.HasAVXVNNI, rows4: 1,
		int8One: int8OneVNNI, int8Two: int8TwoVNNI, int8Four: int8FourVNNI, int4One: int4OneVNNI, int4Four: int4FourVNNI,
	},
	avx512,
	func() instructions {
		s := avx512
		s.name, s.tiles = "AMX", true
		s.there = s.there && hasTiles()
		return s
	}(),
}

var avx512 = instructions{
	name:  "AVX-512 VNNI",
	there: Available() && cpu.X86.HasAVX512VNNI && cpu.X86.HasAVX512VL && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ, rows4: 2,
	int8One: int8OneAVX512, int8Two: int8TwoAVX512, int8Four: int8FourAVX512, int4One: int4OneAVX512, int4Four: int4FourAVX512,
}

//go:noescape
func int8One(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8OneVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8OneAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8Two(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8TwoVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8TwoAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8Four(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8FourVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int8FourAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)

//go:noescape
func int4One(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func int4OneVNNI(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func int4OneAVX512(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func int4Four(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func int4FourVNNI(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func int4FourAVX512(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)

//go:noescape
func quantiseWords(q *byte, x *float32, groups int)

//go:noescape
func quantiseBytes(q *byte, x *float32, groups int)

//go:noescape
func quantiseGroups(q *byte, x *float32, groups int)

//go:noescape
func expand(to *int8, toScales *float32, w *byte, scales *uint16, groups, rows int)

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

//go:noescape
func halves(dst *float32, src *byte, eights int)

func cpuHalves() bool

// hasHalves is of F16C, which processors with AVX2 have, and virtual ones may hide.
var hasHalves = Available() && cpuHalves()
