#include "product8_amd64.h"

// Sixteen weights of each row, as 16 bits.
#define WEIGHTS8(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VPMOVSXBW (16*i)(SI)(R8*1), Y9

// Times sixteen activations, into the sums of the upper and of the lower row.
#define MULTIPLY8(i, q, Ya, Yb, Yupper, Ylower) \
	VMOVDQU (32*i)(q), Y10; \
	VPMADDWD Y10, Y8, Ya; \
	VPMADDWD Y10, Y9, Yb; \
	VPADDD Ya, Yupper, Yupper; \
	VPADDD Yb, Ylower, Ylower

// One vector reads the weights at the speed of memory, so row follows row.
#define MULTIPLY8X1(i, Ya, Yacc) \
	VPMOVSXBW (16*i)(SI), Ya; \
	VPMADDWD (32*i)(AX), Ya, Ya; \
	VPADDD Ya, Yacc, Yacc

// func int8One(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8One(SB), NOSPLIT, $0-56
	ARGUMENTS8
	MOVQ q+32(FP), AX
	VMOVSS (AX)(R8*2), X15

row:
	BEGIN8
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1

group:
	PREFETCHT0 8192(SI)
	PREFETCHT0 8256(SI)
	MULTIPLY8X1(0, Y2, Y0)
	MULTIPLY8X1(1, Y3, Y1)
	MULTIPLY8X1(2, Y4, Y0)
	MULTIPLY8X1(3, Y5, Y1)
	MULTIPLY8X1(4, Y2, Y0)
	MULTIPLY8X1(5, Y3, Y1)
	MULTIPLY8X1(6, Y4, Y0)
	MULTIPLY8X1(7, Y5, Y1)
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
	MULTIPLY8(i, AX, Y11, Y12, Y0, Y2); \
	MULTIPLY8(i, BX, Y13, Y14, Y1, Y3)

// func int8Two(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8Two(SB), NOSPLIT, $0-56
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
	MULTIPLY8(i, AX, Y11, Y12, Y0, Y4); \
	MULTIPLY8(i, BX, Y13, Y14, Y1, Y5); \
	MULTIPLY8(i, R12, Y11, Y12, Y2, Y6); \
	MULTIPLY8(i, R13, Y13, Y14, Y3, Y7)

// func int8Four(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8Four(SB), NOSPLIT, $0-56
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
