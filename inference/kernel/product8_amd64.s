#include "textflag.h"
#include "sums_amd64.h"

// Two rows of weights go together with two vectors and four, so that activations are
// loaded half as often.
// Registers: SI the upper row, R8 the width, which is the distance to the lower
// row; DX their scales, DI results, CX their stride in numbers; R10 groups left of
// the rows, R11 rows left; AX, BX, R12, R13 vectors, R9 the bytes of one; R14 and R15
// how far ahead of SI to fetch: some rows, two at least.

// Sixteen weights of each row, as 16 bits.
#define WEIGHTS8(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VPMOVSXBW (16*i)(SI)(R8*1), Y9

// Times sixteen activations, into the sums of the upper and of the lower row.
// Sums of 32 bits are exact, so that their order means nothing.
#define MULTIPLY8(i, q, Ya, Yb, Yupper, Ylower) \
	VMOVDQU (32*i)(q), Y10; \
	VPMADDWD Y10, Y8, Ya; \
	VPMADDWD Y10, Y9, Yb; \
	VPADDD Ya, Yupper, Yupper; \
	VPADDD Yb, Ylower, Ylower

#define ARGUMENTS8 \
	MOVQ out+0(FP), DI; \
	MOVQ stride+8(FP), CX; \
	MOVQ w+16(FP), SI; \
	MOVQ scales+24(FP), DX; \
	MOVQ width+40(FP), R8; \
	MOVQ rows+48(FP), R11; \
	LEAQ 64(R8*2), R9; \
	LEAQ (R8*2), R14; \
	MOVQ $4096, R15; \
	CMPQ R14, R15; \
	CMOVQCS R15, R14; \
	LEAQ (R14)(R8*1), R15

// What comes R14 later, of the upper row, and R15, of the lower. The processor's own
// prefetcher loses its way between two rows: four vectors times a matrix that is in
// no near cache took twice as long without this.
#define PREFETCH8 \
	PREFETCHT0 (SI)(R14*1); \
	PREFETCHT0 64(SI)(R14*1); \
	PREFETCHT0 (SI)(R15*1); \
	PREFETCHT0 64(SI)(R15*1)

#define BEGIN8 \
	MOVQ q+32(FP), AX; \
	MOVQ R8, R10; \
	SHRQ $7, R10

#define NEXT8 \
	ADDQ R8, SI; \
	ADDQ $8, DX; \
	ADDQ $8, DI; \
	SUBQ $2, R11

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
	PREFETCHNTA 8192(SI)
	PREFETCHNTA 8256(SI)
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
	VCVTDQ2PS Y0, Y0
	SUM(Y0, X0, X1)
	VMULSS (DX), X0, X0
	VMULSS X15, X0, X0
	VMOVSS X0, (DI)
	ADDQ $4, DX
	ADDQ $4, DI
	DECQ R11
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
	MOVQ q+32(FP), AX
	LEAQ (AX)(R9*1), BX
	VBROADCASTSS (AX)(R8*2), X0
	VBROADCASTSS (BX)(R8*2), X1
	VINSERTF128 $1, X1, Y0, Y15

row:
	BEGIN8
	LEAQ (AX)(R9*1), BX
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3

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

	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y1, Y1
	VCVTDQ2PS Y2, Y2
	VCVTDQ2PS Y3, Y3
	SIDE_BY_SIDE(X1, Y0, Y1, Y4)
	SIDE_BY_SIDE(X3, Y2, Y3, Y4)
	VHADDPS Y2, Y0, Y0
	VHADDPS Y0, Y0, Y0
	VBROADCASTSD (DX), Y1
	VMULPS Y1, Y0, Y0
	VMULPS Y15, Y0, Y0
	VMOVLPS X0, (DI)
	VEXTRACTF128 $1, Y0, X0
	VMOVLPS X0, (DI)(CX*4)
	NEXT8
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
	MOVQ q+32(FP), AX
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), R12
	LEAQ (R12)(R9*1), R13
	VMOVSS (AX)(R8*2), X0
	VMOVSS (BX)(R8*2), X1
	VMOVSS (R12)(R8*2), X2
	VMOVSS (R13)(R8*2), X3
	VSHUFPS $0, X1, X0, X0
	VSHUFPS $0, X3, X2, X2
	VINSERTF128 $1, X2, Y0, Y15

row:
	BEGIN8
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), R12
	LEAQ (R12)(R9*1), R13
	VPXOR Y0, Y0, Y0
	VPXOR Y1, Y1, Y1
	VPXOR Y2, Y2, Y2
	VPXOR Y3, Y3, Y3
	VPXOR Y4, Y4, Y4
	VPXOR Y5, Y5, Y5
	VPXOR Y6, Y6, Y6
	VPXOR Y7, Y7, Y7

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

	VCVTDQ2PS Y0, Y0
	VCVTDQ2PS Y1, Y1
	VCVTDQ2PS Y2, Y2
	VCVTDQ2PS Y3, Y3
	VCVTDQ2PS Y4, Y4
	VCVTDQ2PS Y5, Y5
	VCVTDQ2PS Y6, Y6
	VCVTDQ2PS Y7, Y7
	SIDE_BY_SIDE(X2, Y0, Y2, Y8)
	SIDE_BY_SIDE(X6, Y4, Y6, Y8)
	SIDE_BY_SIDE(X3, Y1, Y3, Y9)
	SIDE_BY_SIDE(X7, Y5, Y7, Y9)
	VHADDPS Y4, Y0, Y0
	VHADDPS Y5, Y1, Y1
	VHADDPS Y1, Y0, Y0
	VBROADCASTSD (DX), Y1
	VMULPS Y1, Y0, Y0
	VMULPS Y15, Y0, Y0
	LEAQ (DI)(CX*8), R10
	VMOVLPS X0, (DI)
	VMOVHPS X0, (DI)(CX*4)
	VEXTRACTF128 $1, Y0, X0
	VMOVLPS X0, (R10)
	VMOVHPS X0, (R10)(CX*4)
	NEXT8
	JNZ row
	VZEROUPPER
	RET
