#include "textflag.h"
#include "sums_amd64.h"

// What the products of weights of four bits have in common. A lane of a vector's
// float32 sums gets the same products in the same order in each of the instruction
// sets, and lanes are added in one order.
//
// Registers: SI weights, DX their scales, DI results, R10 groups left of a row, R11
// rows left; AX, BX, R12, R13 vectors, R9 the bytes of one.

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

// The mask in Y14, and ones of 16 bits in Y15.
#define CONSTANTS4 \
	VPCMPEQW Y15, Y15, Y15; \
	VPSRLW $12, Y15, Y14; \
	VPSLLW $8, Y14, Y13; \
	VPOR Y13, Y14, Y14; \
	VPSRLW $15, Y15, Y15

#define ARGUMENTS4X1 \
	MOVQ out+0(FP), DI; \
	MOVQ w+16(FP), SI; \
	MOVQ scales+24(FP), DX; \
	MOVQ rows+48(FP), R11

#define BEGIN4X1 \
	MOVQ q+32(FP), AX; \
	MOVQ groups+40(FP), R10; \
	VXORPS Y0, Y0, Y0

#define NEXT4X1 \
	ADDQ $64, SI; \
	ADDQ $2, DX; \
	ADDQ $192, AX; \
	DECQ R10

#define END4X1 \
	SUM(Y0, X0, X1); \
	VMOVSS X0, (DI); \
	ADDQ $4, DI; \
	DECQ R11

#define ARGUMENTS4X4 \
	ARGUMENTS4X1; \
	MOVQ groups+40(FP), R9; \
	IMULQ $192, R9

#define BEGIN4X4 \
	BEGIN4X1; \
	LEAQ (AX)(R9*1), BX; \
	LEAQ (BX)(R9*1), R12; \
	LEAQ (R12)(R9*1), R13; \
	VXORPS Y1, Y1, Y1; \
	VXORPS Y2, Y2, Y2; \
	VXORPS Y3, Y3, Y3

#define NEXT4X4 \
	ADDQ $192, BX; \
	ADDQ $192, R12; \
	ADDQ $192, R13; \
	NEXT4X1

// The four sums go together, each in the order of one alone.
#define END4X4 \
	SIDE_BY_SIDE(X2, Y0, Y2, Y4); \
	SIDE_BY_SIDE(X3, Y1, Y3, Y4); \
	VHADDPS Y1, Y0, Y0; \
	VHADDPS Y0, Y0, Y0; \
	MOVQ stride+8(FP), CX; \
	LEAQ (DI)(CX*8), R10; \
	VMOVSS X0, (DI); \
	VEXTRACTPS $1, X0, (DI)(CX*4); \
	VEXTRACTF128 $1, Y0, X0; \
	VMOVSS X0, (R10); \
	VEXTRACTPS $1, X0, (R10)(CX*4); \
	ADDQ $4, DI; \
	DECQ R11

#define PRODUCT4X1 \
	ARGUMENTS4X1; \
	CONSTANTS4; \
row: \
	BEGIN4X1; \
group: \
	PREFETCHT0 8192(SI); \
	UNPACK4; \
	GROUP4X1; \
	NEXT4X1; \
	JNZ group; \
	END4X1; \
	JNZ row; \
	VZEROUPPER

#define PRODUCT4X4 \
	ARGUMENTS4X4; \
	CONSTANTS4; \
row: \
	BEGIN4X4; \
group: \
	UNPACK4; \
	GROUP4X4; \
	NEXT4X4; \
	JNZ group; \
	END4X4; \
	JNZ row; \
	VZEROUPPER
