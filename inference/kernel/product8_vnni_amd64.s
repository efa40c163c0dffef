#include "product8_amd64.h"
#include "vnni_amd64.h"

// As product8_amd64.s, with AVX-VNNI, which multiplies and adds at once.

#define WEIGHTS8(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VPMOVSXBW (16*i)(SI)(R8*1), Y9

// func int8OneVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8OneVNNI(SB), NOSPLIT, $0-56
	ARGUMENTS8
	MOVQ q+32(FP), AX
	VMOVSS (AX)(R8*2), X15

#define MULTIPLY8X1(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VMOVDQU (32*i)(AX), Y10; \
	VPMOVSXBW (16*i+16)(SI), Y9; \
	VMOVDQU (32*i+32)(AX), Y11; \
	DOT16(10, 8, 0); \
	DOT16(11, 9, 1)

row:
	BEGIN8
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

group:
	PREFETCHT0 8192(SI)
	PREFETCHT0 8256(SI)
	MULTIPLY8X1(0)
	MULTIPLY8X1(2)
	MULTIPLY8X1(4)
	MULTIPLY8X1(6)
	ADDQ $128, SI
	ADDQ $256, AX
	DECQ R10
	JNZ group

	VPADDD Y1, Y0, Y0
	END8X1
	JNZ row
	VZEROUPPER
	RET

#define MULTIPLY8X2(i) \
	WEIGHTS8(i); \
	VMOVDQU (32*i)(AX), Y10; \
	VMOVDQU (32*i)(BX), Y11; \
	DOT16(10, 8, 0); \
	DOT16(10, 9, 2); \
	DOT16(11, 8, 1); \
	DOT16(11, 9, 3)

// func int8TwoVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8TwoVNNI(SB), NOSPLIT, $0-56
	ARGUMENTS8
	VECTORS8X2

row:
	BEGIN8X2

group:
	PREFETCH8
	MULTIPLY8X2(0)
	MULTIPLY8X2(1)
	MULTIPLY8X2(2)
	MULTIPLY8X2(3)
	MULTIPLY8X2(4)
	MULTIPLY8X2(5)
	MULTIPLY8X2(6)
	MULTIPLY8X2(7)
	ADDQ $128, SI
	ADDQ $256, AX
	ADDQ $256, BX
	DECQ R10
	JNZ group
	END8X2
	JNZ row
	VZEROUPPER
	RET

#define MULTIPLY8X4(i) \
	WEIGHTS8(i); \
	VMOVDQU (32*i)(AX), Y10; \
	VMOVDQU (32*i)(BX), Y11; \
	VMOVDQU (32*i)(R12), Y12; \
	VMOVDQU (32*i)(R13), Y13; \
	DOT16(10, 8, 0); \
	DOT16(10, 9, 4); \
	DOT16(11, 8, 1); \
	DOT16(11, 9, 5); \
	DOT16(12, 8, 2); \
	DOT16(12, 9, 6); \
	DOT16(13, 8, 3); \
	DOT16(13, 9, 7)

// func int8FourVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8FourVNNI(SB), NOSPLIT, $0-56
	ARGUMENTS8
	VECTORS8X4

row:
	BEGIN8X4

group:
	PREFETCH8
	MULTIPLY8X4(0)
	MULTIPLY8X4(1)
	MULTIPLY8X4(2)
	MULTIPLY8X4(3)
	MULTIPLY8X4(4)
	MULTIPLY8X4(5)
	MULTIPLY8X4(6)
	MULTIPLY8X4(7)
	ADDQ $128, SI
	ADDQ $256, AX
	ADDQ $256, BX
	ADDQ $256, R12
	ADDQ $256, R13
	DECQ R10
	JNZ group
	END8X4
	JNZ row
	VZEROUPPER
	RET
