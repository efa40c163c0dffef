#include "tiles_amd64.h"

// Products of weights of four bits in tiles. Weights are unpacked to room on the stack,
// sixteen rows at once, as 0 to 15; what undoes that is what sums begin with.
//
// The room: for each group of 128 columns two tiles of weights, the even 32 columns of
// them and the odd ones; then the rows' scales by group; then four tiles of sums.
#define MOST_GROUPS 8
#define SCALES (2048*MOST_GROUPS)
#define SUMS (SCALES + 64*MOST_GROUPS)

// A group of sixteen vectors: two tiles, what their sums begin with, their scales.
#define GROUP 2176

// One of four groups: its sums to tile k.
#define PRODUCTS(k) \
	LEAQ 2048(AX), SI; \
	TILELOADD(6, SAME, k); \
	TILELOADD(7, 1, 4); \
	TILELOADD(0, 1, 6); \
	TDPBUSD(4, 6, k); \
	ADDQ $1024, DI; \
	ADDQ $1024, AX; \
	TILELOADD(7, 1, 5); \
	TILELOADD(0, 1, 7); \
	TDPBUSD(5, 7, k); \
	ADDQ $1024, DI; \
	ADDQ $(GROUP-1024), AX

#define ADD(k, r, Zr) \
	VCVTDQ2PS (1024*k+64*r)(SI), Z17; \
	VMULPS Z16, Z17, Z17; \
	VFMADD231PS.BCST (64*k+4*r)(BX), Z17, Zr

// The sums of group k at SI, times the scales of the rows, at BX, and of the vectors.
#define ADDS(k) \
	VMOVUPS (GROUP*k-4*GROUP+2112)(AX), Z16; \
	ADD(k, 0, Z0); ADD(k, 1, Z1); ADD(k, 2, Z2); ADD(k, 3, Z3); \
	ADD(k, 4, Z4); ADD(k, 5, Z5); ADD(k, 6, Z6); ADD(k, 7, Z7); \
	ADD(k, 8, Z8); ADD(k, 9, Z9); ADD(k, 10, Z10); ADD(k, 11, Z11); \
	ADD(k, 12, Z12); ADD(k, 13, Z13); ADD(k, 14, Z14); ADD(k, 15, Z15)

#define CLEAR(Za, Zb, Zc, Zd) \
	VPXORD Za, Za, Za; \
	VPXORD Zb, Zb, Zb; \
	VPXORD Zc, Zc, Zc; \
	VPXORD Zd, Zd, Zd

// Registers: SI weights while they are unpacked, then sums; R14 scales; AX tiles of
// activations; DI tiles of weights; BX scales of float32; CX the bytes of a tile's row,
// DX the room; R8 vectors left; R9, R12 results of a vector, vectors left of these sixteen;
// R10 groups left; R11 rows left; R13 the results' stride in bytes; R15 results.

// func int4Tiles(out *float32, stride int, w *byte, scales *uint16, tiles *byte, groups, rows, count int)
TEXT ·int4Tiles(SB), 0, $21072-64
	NO_LOCAL_POINTERS
	LEAQ shapes<>(SB), AX
	LDTILECFG_AX
	MOVQ out+0(FP), R15
	MOVQ stride+8(FP), R13
	SHLQ $2, R13
	MOVQ w+16(FP), SI
	MOVQ scales+24(FP), R14
	MOVQ rows+48(FP), R11
	LEAQ room-21072(SP), DX
	ADDQ $63, DX
	ANDQ $~63, DX

rows:
	MOVQ $16, R12
	CMPQ R11, R12
	CMOVQLT R11, R12
	MOVQ R12, CX
	MOVL $1, AX
	SHLL CX, AX
	DECL AX
	KMOVW AX, K1
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSRLW $12, Z31, Z31
	VPSLLW $8, Z31, Z30
	VPORD Z30, Z31, Z31
	MOVQ DX, DI
	LEAQ SCALES(DX), BX

row:
	MOVQ DI, R8
	MOVQ BX, R9
	MOVQ groups+40(FP), R10

unpack:
	VMOVDQU32 (SI), Z0
	VPSRLW $4, Z0, Z1
	VPANDD Z31, Z0, Z0
	VPANDD Z31, Z1, Z1
	VMOVDQU32 Z0, (R8)
	VMOVDQU32 Z1, 1024(R8)
	MOVWLZX (R14), AX
	SHLL $16, AX // a bfloat16
	MOVL AX, (R9)
	PREFETCHT0 8192(SI)
	ADDQ $64, SI
	ADDQ $2, R14
	ADDQ $2048, R8
	ADDQ $64, R9
	DECQ R10
	JNZ unpack
	ADDQ $64, DI
	ADDQ $4, BX
	DECQ R12
	JNZ row

	MOVQ SI, w-8(SP)
	MOVQ $64, CX
	MOVQ tiles+32(FP), AX
	MOVQ count+56(FP), R8
	MOVQ R15, R9

vectors:
	MOVQ DX, DI
	LEAQ SCALES(DX), BX
	MOVQ groups+40(FP), R10
	CLEAR(Z0, Z1, Z2, Z3)
	CLEAR(Z4, Z5, Z6, Z7)
	CLEAR(Z8, Z9, Z10, Z11)
	CLEAR(Z12, Z13, Z14, Z15)

groups:
	PRODUCTS(0)
	PRODUCTS(1)
	PRODUCTS(2)
	PRODUCTS(3)
	LEAQ SUMS(DX), SI
	TILESTORED(0, 6, 1)
	ADDQ $1024, SI
	TILESTORED(1, 6, 1)
	ADDQ $1024, SI
	TILESTORED(2, 6, 1)
	ADDQ $1024, SI
	TILESTORED(3, 6, 1)
	SUBQ $3072, SI
	ADDS(0)
	ADDS(1)
	ADDS(2)
	ADDS(3)
	ADDQ $256, BX
	SUBQ $4, R10
	JNZ groups

	TRANSPOSE
	MOVQ $16, R12
	CMPQ R8, R12
	CMOVQLT R8, R12
	STORES(stored)

stored:
	SUBQ $16, R8
	JG vectors

	MOVQ w-8(SP), SI
	ADDQ $64, R15
	SUBQ $16, R11
	JG rows
	TILERELEASE
	VZEROUPPER
	RET

// The even 32 columns of a group, and the odd ones 1,024 bytes on.
#define SPLIT(r) \
	VMOVDQU (SI), Y0; \
	VMOVDQU 32(SI), Y1; \
	VINSERTI64X4 $1, 64(SI), Z0, Z0; \
	VINSERTI64X4 $1, 96(SI), Z1, Z1; \
	VMOVDQU32 Z0, (64*r)(DI); \
	VMOVDQU32 Z1, (64*r+1024)(DI); \
	FOLLOWING

// func packTiles4(tiles, q *byte, size, count int)
TEXT ·packTiles4(SB), 0, $2112-32
	NO_LOCAL_POINTERS
	PACKING
	SIXTEEN(SPLIT)
	TURN(0)
	TURN(1024)
	VZEROUPPER
	RET
