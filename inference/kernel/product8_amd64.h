#include "textflag.h"
#include "sums_amd64.h"

// What the products of weights of eight bits have in common. Two rows of weights go
// together with two vectors and four, so that activations are loaded half as often.
// Sums are integers of 32 bits, which no order of adding changes: so each of the
// instruction sets gives the same results.
//
// Whoever includes this says how activations lie: ELEMENT is the bytes of one, 1 with
// BYTES defined, 2 otherwise. Where they are bytes the instructions take weights without
// signs: as 0 to 255, so that each vector has an offset that undoes this, in Y14.
//
// Registers: SI the upper row, R8 the width, which is the distance to the lower
// row; DX their scales, DI results, CX their stride in numbers; R10 groups left of
// the rows, R11 rows left; AX, BX, R12, R13 vectors, R9 the bytes of one; R14 and R15
// how far ahead of SI to fetch: some rows, two at least. Sums: of one vector Y0, of
// two Y0 and Y1 with the upper row, Y2 and Y3 with the lower, of four Y0 to Y3 and Y4
// to Y7; Y15 the vectors' scales.
//
// PRODUCT8X1, PRODUCT8X2 and PRODUCT8X4 are whole functions. Whoever includes this says
// what a group of 128 columns is, GROUP8X1, GROUP8X2 and GROUP8X4.

// All eight parts of a group.
#define EIGHT(part) part(0); part(1); part(2); part(3); part(4); part(5); part(6); part(7)

// The number of so many bytes behind each of four vectors, twice, in Ysums' order.
#define FOUR_NUMBERS(behind, Ynumbers) \
	VMOVSS behind(AX)(R8*ELEMENT), X0; \
	VMOVSS behind(BX)(R8*ELEMENT), X1; \
	VMOVSS behind(R12)(R8*ELEMENT), X2; \
	VMOVSS behind(R13)(R8*ELEMENT), X3; \
	VSHUFPS $0, X1, X0, X0; \
	VSHUFPS $0, X3, X2, X2; \
	VINSERTF128 $1, X2, Y0, Ynumbers

#ifdef BYTES
#define OFFSETS8X1 \
	VMOVD 4(AX)(R8*ELEMENT), X14;
#define OFFSETS8X2 \
	VPBROADCASTD 4(AX)(R8*ELEMENT), X0; \
	VPBROADCASTD 4(BX)(R8*ELEMENT), X1; \
	VINSERTI128 $1, X1, Y0, Y14;
#define OFFSETS8X4 \
	FOUR_NUMBERS(4, Y14);
#define ADD_OFFSETS(offsets, sums) \
	VPADDD offsets, sums, sums;
#else
#define OFFSETS8X1
#define OFFSETS8X2
#define OFFSETS8X4
#define ADD_OFFSETS(offsets, sums)
#endif

#define ARGUMENTS8 \
	MOVQ out+0(FP), DI; \
	MOVQ stride+8(FP), CX; \
	MOVQ w+16(FP), SI; \
	MOVQ scales+24(FP), DX; \
	MOVQ width+40(FP), R8; \
	MOVQ rows+48(FP), R11; \
	LEAQ 64(R8*ELEMENT), R9; \
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

#define VECTORS8X2 \
	MOVQ q+32(FP), AX; \
	LEAQ (AX)(R9*1), BX; \
	OFFSETS8X2 \
	VBROADCASTSS (AX)(R8*ELEMENT), X0; \
	VBROADCASTSS (BX)(R8*ELEMENT), X1; \
	VINSERTF128 $1, X1, Y0, Y15

#define BEGIN8X2 \
	BEGIN8; \
	LEAQ (AX)(R9*1), BX; \
	VPXOR Y0, Y0, Y0; \
	VPXOR Y1, Y1, Y1; \
	VPXOR Y2, Y2, Y2; \
	VPXOR Y3, Y3, Y3

#define VECTORS8X4 \
	MOVQ q+32(FP), AX; \
	LEAQ (AX)(R9*1), BX; \
	LEAQ (BX)(R9*1), R12; \
	LEAQ (R12)(R9*1), R13; \
	OFFSETS8X4 \
	FOUR_NUMBERS(0, Y15)

#define BEGIN8X4 \
	BEGIN8X2; \
	LEAQ (BX)(R9*1), R12; \
	LEAQ (R12)(R9*1), R13; \
	VPXOR Y4, Y4, Y4; \
	VPXOR Y5, Y5, Y5; \
	VPXOR Y6, Y6, Y6; \
	VPXOR Y7, Y7, Y7

// The sums, times the scales, to the results.
#define END8X1 \
	SUM_INTEGERS(Y0, X0, X1); \
	ADD_OFFSETS(X14, X0) \
	VCVTDQ2PS X0, X0; \
	VMULSS (DX), X0, X0; \
	VMULSS X15, X0, X0; \
	VMOVSS X0, (DI); \
	ADDQ $4, DX; \
	ADDQ $4, DI; \
	DECQ R11

#define END8X2 \
	INTEGERS_SIDE_BY_SIDE(X1, Y0, Y1, Y4); \
	INTEGERS_SIDE_BY_SIDE(X3, Y2, Y3, Y4); \
	VPHADDD Y2, Y0, Y0; \
	VPHADDD Y0, Y0, Y0; \
	ADD_OFFSETS(Y14, Y0) \
	VCVTDQ2PS Y0, Y0; \
	VBROADCASTSD (DX), Y1; \
	VMULPS Y1, Y0, Y0; \
	VMULPS Y15, Y0, Y0; \
	VMOVLPS X0, (DI); \
	VEXTRACTF128 $1, Y0, X0; \
	VMOVLPS X0, (DI)(CX*4); \
	NEXT8

#define END8X4 \
	INTEGERS_SIDE_BY_SIDE(X2, Y0, Y2, Y8); \
	INTEGERS_SIDE_BY_SIDE(X6, Y4, Y6, Y8); \
	INTEGERS_SIDE_BY_SIDE(X3, Y1, Y3, Y9); \
	INTEGERS_SIDE_BY_SIDE(X7, Y5, Y7, Y9); \
	VPHADDD Y4, Y0, Y0; \
	VPHADDD Y5, Y1, Y1; \
	VPHADDD Y1, Y0, Y0; \
	ADD_OFFSETS(Y14, Y0) \
	VCVTDQ2PS Y0, Y0; \
	VBROADCASTSD (DX), Y1; \
	VMULPS Y1, Y0, Y0; \
	VMULPS Y15, Y0, Y0; \
	LEAQ (DI)(CX*8), R10; \
	VMOVLPS X0, (DI); \
	VMOVHPS X0, (DI)(CX*4); \
	VEXTRACTF128 $1, Y0, X0; \
	VMOVLPS X0, (R10); \
	VMOVHPS X0, (R10)(CX*4); \
	NEXT8

// One vector reads the weights at the speed of memory, so row follows row. Its sums are
// Y0 to Y3.
#define PRODUCT8X1 \
	ARGUMENTS8; \
	MOVQ q+32(FP), AX; \
	VMOVSS (AX)(R8*ELEMENT), X15; \
	OFFSETS8X1 \
row: \
	BEGIN8; \
	VPXOR Y0, Y0, Y0; \
	VPXOR Y1, Y1, Y1; \
	VPXOR Y2, Y2, Y2; \
	VPXOR Y3, Y3, Y3; \
group: \
	PREFETCHT0 8192(SI); \
	PREFETCHT0 8256(SI); \
	GROUP8X1; \
	ADDQ $128, SI; \
	ADDQ $(128*ELEMENT), AX; \
	DECQ R10; \
	JNZ group; \
	VPADDD Y1, Y0, Y0; \
	VPADDD Y3, Y2, Y2; \
	VPADDD Y2, Y0, Y0; \
	END8X1; \
	JNZ row; \
	VZEROUPPER

#define PRODUCT8X2 \
	ARGUMENTS8; \
	VECTORS8X2; \
row: \
	BEGIN8X2; \
group: \
	PREFETCH8; \
	GROUP8X2; \
	ADDQ $128, SI; \
	ADDQ $(128*ELEMENT), AX; \
	ADDQ $(128*ELEMENT), BX; \
	DECQ R10; \
	JNZ group; \
	END8X2; \
	JNZ row; \
	VZEROUPPER

#define PRODUCT8X4 \
	ARGUMENTS8; \
	VECTORS8X4; \
row: \
	BEGIN8X4; \
group: \
	PREFETCH8; \
	GROUP8X4; \
	ADDQ $128, SI; \
	ADDQ $(128*ELEMENT), AX; \
	ADDQ $(128*ELEMENT), BX; \
	ADDQ $(128*ELEMENT), R12; \
	ADDQ $(128*ELEMENT), R13; \
	DECQ R10; \
	JNZ group; \
	END8X4; \
	JNZ row; \
	VZEROUPPER
