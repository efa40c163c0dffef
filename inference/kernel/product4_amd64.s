#include "textflag.h"
#include "sums_amd64.h"

// Registers of the products below: SI weights, DX their scales, DI results,
// R10 groups left of a row, R11 rows left.

// Unpacks 128 weights of four bits to Y8 to Y11, as 0 to 15, and their scale,
// a bfloat16, to Y7. Y14 is the mask of the low halves.
#define UNPACK4 \
	VMOVDQU (SI), Y8; \
	VMOVDQU 32(SI), Y10; \
	VPSRLW $4, Y8, Y9; \
	VPSRLW $4, Y10, Y11; \
	VPAND Y14, Y8, Y8; \
	VPAND Y14, Y9, Y9; \
	VPAND Y14, Y10, Y10; \
	VPAND Y14, Y11, Y11; \
	VPBROADCASTW (DX), Y7; \
	VPSLLD $16, Y7, Y7

// Adds the product of the unpacked weights and the group at q to Yacc.
// 4 · 15 · 127 · 2 fits 16 bits. Y15 is ones.
#define MULTIPLY4(q, Ya, Yb, Yacc) \
	VPMADDUBSW (q), Y8, Ya; \
	VPMADDUBSW 32(q), Y9, Yb; \
	VPADDW Yb, Ya, Ya; \
	VPMADDUBSW 64(q), Y10, Yb; \
	VPADDW Yb, Ya, Ya; \
	VPMADDUBSW 96(q), Y11, Yb; \
	VPADDW Yb, Ya, Ya; \
	VPMADDWD Y15, Ya, Ya; \
	VPADDD 128(q), Ya, Ya; \
	VCVTDQ2PS Ya, Ya; \
	VMULPS 160(q), Y7, Yb; \
	VFMADD231PS Yb, Ya, Yacc

#define CONSTANTS4 \
	VPCMPEQW Y15, Y15, Y15; \
	VPSRLW $12, Y15, Y14; \
	VPSLLW $8, Y14, Y13; \
	VPOR Y13, Y14, Y14; \
	VPSRLW $15, Y15, Y15

// func int4One(out *float32, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4One(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ w+8(FP), SI
	MOVQ scales+16(FP), DX
	MOVQ rows+40(FP), R11
	CONSTANTS4

row:
	MOVQ q+24(FP), AX
	MOVQ groups+32(FP), R10
	VXORPS Y0, Y0, Y0

group:
	PREFETCHNTA 8192(SI)
	UNPACK4
	MULTIPLY4(AX, Y12, Y13, Y0)
	ADDQ $64, SI
	ADDQ $2, DX
	ADDQ $192, AX
	DECQ R10
	JNZ group

	SUM(Y0, X0, X1)
	VMOVSS X0, (DI)
	ADDQ $4, DI
	DECQ R11
	JNZ row
	VZEROUPPER
	RET

// func int4Four(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4Four(SB), NOSPLIT, $0-56
	MOVQ out+0(FP), DI
	MOVQ w+16(FP), SI
	MOVQ scales+24(FP), DX
	MOVQ rows+48(FP), R11
	MOVQ groups+40(FP), R9
	IMULQ $192, R9
	CONSTANTS4

row:
	MOVQ q+32(FP), AX
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), R12
	LEAQ (R12)(R9*1), R13
	MOVQ groups+40(FP), R10
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3

group:
	UNPACK4
	MULTIPLY4(AX, Y4, Y5, Y0)
	MULTIPLY4(BX, Y6, Y12, Y1)
	MULTIPLY4(R12, Y4, Y5, Y2)
	MULTIPLY4(R13, Y6, Y12, Y3)
	ADDQ $64, SI
	ADDQ $2, DX
	ADDQ $192, AX
	ADDQ $192, BX
	ADDQ $192, R12
	ADDQ $192, R13
	DECQ R10
	JNZ group

	SUM(Y0, X0, X4)
	SUM(Y1, X1, X5)
	SUM(Y2, X2, X6)
	SUM(Y3, X3, X7)
	MOVQ stride+8(FP), CX
	VMOVSS X0, (DI)
	VMOVSS X1, (DI)(CX*4)
	LEAQ (DI)(CX*8), R10
	VMOVSS X2, (R10)
	VMOVSS X3, (R10)(CX*4)
	ADDQ $4, DI
	DECQ R11
	JNZ row
	VZEROUPPER
	RET
