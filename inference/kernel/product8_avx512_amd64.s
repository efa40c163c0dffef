#include "textflag.h"

// As product8_vnni_amd64.s, with AVX-512 and its VNNI: registers of twice the width, so
// that four rows of weights meet two vectors and four.
// Registers: SI the first of the rows, R8 the width, R14 three times that; DX their
// scales, DI results, CX their stride in bytes; R10 groups left of the rows, R11 rows
// left; AX, BX, R12, R13 vectors, R9 the bytes of one; R15 how far ahead of SI to fetch.
// Sums: Z0 to Z3 those of the first vector, by row, Z4 to Z7 of the second... Z31 turns
// weights of -128 to 127 to 0 to 255. Behind a vector are its scale and its offset.

DATA sign<>+0(SB)/4, $0x80808080
GLOBL sign<>(SB), RODATA|NOPTR, $4

#define ARGUMENTS \
	MOVQ out+0(FP), DI; \
	MOVQ stride+8(FP), CX; \
	SHLQ $2, CX; \
	MOVQ w+16(FP), SI; \
	MOVQ scales+24(FP), DX; \
	MOVQ q+32(FP), AX; \
	MOVQ width+40(FP), R8; \
	MOVQ rows+48(FP), R11; \
	LEAQ 64(R8), R9; \
	LEAQ (R8)(R8*2), R14; \
	LEAQ (R8*4), R15; \
	VPBROADCASTD sign<>(SB), Z31

#define BEGIN \
	MOVQ q+32(FP), AX; \
	MOVQ R8, R10; \
	SHRQ $7, R10

// Of one vector: row after row, at the speed of memory.
#define MULTIPLYX1(i, Zw, Zacc) \
	VPXORD (64*i)(SI), Z31, Zw; \
	VPDPBUSD (64*i)(AX), Zw, Zacc

// func int8OneAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8OneAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS
	VMOVSS (AX)(R8*1), X15
	VMOVD 4(AX)(R8*1), X14

row:
	BEGIN
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1

group:
	PREFETCHT0 8192(SI)
	PREFETCHT0 8256(SI)
	MULTIPLYX1(0, Z4, Z0)
	MULTIPLYX1(1, Z5, Z1)
	ADDQ $128, SI
	ADDQ $128, AX
	DECQ R10
	JNZ group

	VPADDD Z1, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
	VPADDD X14, X0, X0
	VCVTDQ2PS X0, X0
	VMULSS (DX), X0, X0
	VMULSS X15, X0, X0
	VMOVSS X0, (DI)
	ADDQ $4, DX
	ADDQ $4, DI
	DECQ R11
	JNZ row
	VZEROUPPER
	RET

// Sixty-four weights of each row.
#define WEIGHTS(i) \
	VPXORD (64*i)(SI), Z31, Z16; \
	VPXORD (64*i)(SI)(R8*1), Z31, Z17; \
	VPXORD (64*i)(SI)(R8*2), Z31, Z18; \
	VPXORD (64*i)(SI)(R14*1), Z31, Z19

#define MULTIPLY(i, q, Za, Zb, Zc, Zd) \
	VMOVDQU32 (64*i)(q), Z20; \
	VPDPBUSD Z20, Z16, Za; \
	VPDPBUSD Z20, Z17, Zb; \
	VPDPBUSD Z20, Z18, Zc; \
	VPDPBUSD Z20, Z19, Zd

#define CLEAR(Za, Zb, Zc, Zd) \
	VPXORD Za, Za, Za; \
	VPXORD Zb, Zb, Zb; \
	VPXORD Zc, Zc, Zc; \
	VPXORD Zd, Zd, Zd

// The sums of a vector, whose end is at q, with four rows, times the rows' scales in X28
// and the vector's, to out.
#define REDUCE(Za, Zb, Zc, Zd, q, out) \
	VPUNPCKLDQ Zb, Za, Z20; \
	VPUNPCKHDQ Zb, Za, Z21; \
	VPUNPCKLDQ Zd, Zc, Z22; \
	VPUNPCKHDQ Zd, Zc, Z23; \
	VPADDD Z21, Z20, Z20; \
	VPADDD Z23, Z22, Z22; \
	VPUNPCKLQDQ Z22, Z20, Z21; \
	VPUNPCKHQDQ Z22, Z20, Z23; \
	VPADDD Z23, Z21, Z20; \
	VEXTRACTI64X4 $1, Z20, Y21; \
	VPADDD Y21, Y20, Y20; \
	VEXTRACTI64X2 $1, Y20, X21; \
	VPADDD X21, X20, X20; \
	VPADDD.BCST 4(q), X20, X20; \
	VCVTDQ2PS X20, X20; \
	VMULPS X28, X20, X20; \
	VMULPS.BCST (q), X20, X20; \
	VMOVUPS X20, out

#define NEXT \
	ADDQ R14, SI; \
	ADDQ $16, DX; \
	ADDQ $16, DI; \
	SUBQ $4, R11

#define MULTIPLYX2(i) \
	WEIGHTS(i); \
	MULTIPLY(i, AX, Z0, Z1, Z2, Z3); \
	MULTIPLY(i, BX, Z4, Z5, Z6, Z7)

// func int8TwoAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8TwoAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS

rows:
	BEGIN
	LEAQ (AX)(R9*1), BX
	CLEAR(Z0, Z1, Z2, Z3)
	CLEAR(Z4, Z5, Z6, Z7)

group:
	MULTIPLYX2(0)
	MULTIPLYX2(1)
	ADDQ $128, SI
	ADDQ $128, AX
	ADDQ $128, BX
	DECQ R10
	JNZ group
	VMOVUPS (DX), X28
	REDUCE(Z0, Z1, Z2, Z3, AX, (DI))
	REDUCE(Z4, Z5, Z6, Z7, BX, (DI)(CX*1))
	NEXT
	JNZ rows
	VZEROUPPER
	RET

#define MULTIPLYX4(i) \
	WEIGHTS(i); \
	MULTIPLY(i, AX, Z0, Z1, Z2, Z3); \
	MULTIPLY(i, BX, Z4, Z5, Z6, Z7); \
	MULTIPLY(i, R12, Z8, Z9, Z10, Z11); \
	MULTIPLY(i, R13, Z12, Z13, Z14, Z15)

// func int8FourAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8FourAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS

rows:
	BEGIN
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), R12
	LEAQ (R12)(R9*1), R13
	CLEAR(Z0, Z1, Z2, Z3)
	CLEAR(Z4, Z5, Z6, Z7)
	CLEAR(Z8, Z9, Z10, Z11)
	CLEAR(Z12, Z13, Z14, Z15)

group:
	MULTIPLYX4(0)
	MULTIPLYX4(1)
	ADDQ $128, SI
	ADDQ $128, AX
	ADDQ $128, BX
	ADDQ $128, R12
	ADDQ $128, R13
	DECQ R10
	JNZ group
	VMOVUPS (DX), X28
	LEAQ (DI)(CX*2), R10
	REDUCE(Z0, Z1, Z2, Z3, AX, (DI))
	REDUCE(Z4, Z5, Z6, Z7, BX, (DI)(CX*1))
	REDUCE(Z8, Z9, Z10, Z11, R12, (R10))
	REDUCE(Z12, Z13, Z14, Z15, R13, (R10)(CX*1))
	NEXT
	JNZ rows
	VZEROUPPER
	RET
