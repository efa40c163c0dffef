#include "textflag.h"

// As product8_amd64.s, with AVX-512 and its VNNI: registers of twice the width, so
// that four rows of weights meet two vectors and four.
// Registers: SI the first of the rows, R8 the width, R14 three times that; DX their
// scales, DI results, CX their stride in bytes; R10 groups left of the rows, R11 rows
// left; AX, BX, R12, R13 vectors, R9 the bytes of one; R15 how far ahead of SI to fetch.
// Sums: Z0 to Z3 those of the first vector, by row, Z4 to Z7 of the second...

#define ARGUMENTS \
	MOVQ out+0(FP), DI; \
	MOVQ stride+8(FP), CX; \
	SHLQ $2, CX; \
	MOVQ w+16(FP), SI; \
	MOVQ scales+24(FP), DX; \
	MOVQ q+32(FP), AX; \
	MOVQ width+40(FP), R8; \
	MOVQ rows+48(FP), R11; \
	LEAQ 64(R8*2), R9; \
	LEAQ (R8)(R8*2), R14; \
	LEAQ (R8*4), R15

#define BEGIN \
	MOVQ q+32(FP), AX; \
	MOVQ R8, R10; \
	SHRQ $7, R10

// Of one vector: row after row, at the speed of memory.
#define MULTIPLYX1(i, Zw, Zacc) \
	VPMOVSXBW (32*i)(SI), Zw; \
	VPDPWSSD (64*i)(AX), Zw, Zacc

// func int8OneAVX512(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8OneAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS
	VMOVSS (AX)(R8*2), X15

row:
	BEGIN
	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3

group:
	PREFETCHT0 8192(SI)
	PREFETCHT0 8256(SI)
	MULTIPLYX1(0, Z4, Z0)
	MULTIPLYX1(1, Z5, Z1)
	MULTIPLYX1(2, Z6, Z2)
	MULTIPLYX1(3, Z7, Z3)
	ADDQ $128, SI
	ADDQ $256, AX
	DECQ R10
	JNZ group

	VPADDD Z1, Z0, Z0
	VPADDD Z3, Z2, Z2
	VPADDD Z2, Z0, Z0
	VEXTRACTI64X4 $1, Z0, Y1
	VPADDD Y1, Y0, Y0
	VEXTRACTI128 $1, Y0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0x4e, X0, X1
	VPADDD X1, X0, X0
	VPSHUFD $0xb1, X0, X1
	VPADDD X1, X0, X0
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

// Thirty-two weights of each row, as 16 bits.
#define WEIGHTS(i) \
	VPMOVSXBW (32*i)(SI), Z16; \
	VPMOVSXBW (32*i)(SI)(R8*1), Z17; \
	VPMOVSXBW (32*i)(SI)(R8*2), Z18; \
	VPMOVSXBW (32*i)(SI)(R14*1), Z19

#define MULTIPLY(i, q, Za, Zb, Zc, Zd) \
	VMOVDQU32 (64*i)(q), Z20; \
	VPDPWSSD Z20, Z16, Za; \
	VPDPWSSD Z20, Z17, Zb; \
	VPDPWSSD Z20, Z18, Zc; \
	VPDPWSSD Z20, Z19, Zd

#define CLEAR(Za, Zb, Zc, Zd) \
	VPXORD Za, Za, Za; \
	VPXORD Zb, Zb, Zb; \
	VPXORD Zc, Zc, Zc; \
	VPXORD Zd, Zd, Zd

// The sums of a vector with four rows, times the rows' scales in X28 and the vector's,
// to out.
#define REDUCE(Za, Zb, Zc, Zd, scale, out) \
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
	VCVTDQ2PS X20, X20; \
	VMULPS X28, X20, X20; \
	VMULPS scale, X20, X20; \
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
	LEAQ (AX)(R9*1), BX
	VBROADCASTSS (AX)(R8*2), X24
	VBROADCASTSS (BX)(R8*2), X25

rows:
	BEGIN
	LEAQ (AX)(R9*1), BX
	CLEAR(Z0, Z1, Z2, Z3)
	CLEAR(Z4, Z5, Z6, Z7)

group:
	MULTIPLYX2(0)
	MULTIPLYX2(1)
	MULTIPLYX2(2)
	MULTIPLYX2(3)
	ADDQ $128, SI
	ADDQ $256, AX
	ADDQ $256, BX
	DECQ R10
	JNZ group
	VMOVUPS (DX), X28
	REDUCE(Z0, Z1, Z2, Z3, X24, (DI))
	REDUCE(Z4, Z5, Z6, Z7, X25, (DI)(CX*1))
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
	LEAQ (AX)(R9*1), BX
	LEAQ (BX)(R9*1), R12
	LEAQ (R12)(R9*1), R13
	VBROADCASTSS (AX)(R8*2), X24
	VBROADCASTSS (BX)(R8*2), X25
	VBROADCASTSS (R12)(R8*2), X26
	VBROADCASTSS (R13)(R8*2), X27

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
	MULTIPLYX4(2)
	MULTIPLYX4(3)
	ADDQ $128, SI
	ADDQ $256, AX
	ADDQ $256, BX
	ADDQ $256, R12
	ADDQ $256, R13
	DECQ R10
	JNZ group
	VMOVUPS (DX), X28
	LEAQ (DI)(CX*2), R10
	REDUCE(Z0, Z1, Z2, Z3, X24, (DI))
	REDUCE(Z4, Z5, Z6, Z7, X25, (DI)(CX*1))
	REDUCE(Z8, Z9, Z10, Z11, X26, (R10))
	REDUCE(Z12, Z13, Z14, Z15, X27, (R10)(CX*1))
	NEXT
	JNZ rows
	VZEROUPPER
	RET
