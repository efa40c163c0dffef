#include "tiles_amd64.h"
#include "transpose_amd64.h"

// Products of weights of eight bits in tiles. Weights are read where they lie.

// Row r of the sums at DI: those of the even 64 columns and of the odd ones together,
// times the row's scale and the vectors' in Z16.
#define SUMS(r, even, odd, Zr) \
	VMOVDQU32 even+64*r(DI), Zr; \
	VPADDD odd+64*r(DI), Zr, Zr; \
	VCVTDQ2PS Zr, Zr; \
	VMULPS.BCST (even/16)+4*r(R14), Zr, Zr; \
	VMULPS Z16, Zr, Zr

// Fetches four lines of what comes next, from R12 on: a core that asks memory only when it
// has come there multiplies half as fast. To the second cache, as the first is full of
// activations.
#define AHEAD(from) \
	PREFETCHT1 from+0(R12); PREFETCHT1 from+64(R12); PREFETCHT1 from+128(R12); PREFETCHT1 from+192(R12)

// Sixty-four columns to two tiles of sums, and between them as many bytes of the rows
// behind these as two blocks of vectors need to fetch them all.
#define COLUMNS(upper, lower) \
	TILELOADD(6, 2, 4); \
	AHEAD(0); \
	TILELOADD(0, 1, 6); \
	AHEAD(256); \
	TILELOADD(3, 2, 5); \
	TDPBSSD(4, 6, upper); \
	AHEAD(512); \
	TDPBSSD(5, 6, lower); \
	AHEAD(768); \
	ADDQ $64, SI; \
	ADDQ $64, BX; \
	ADDQ $1024, AX; \
	ADDQ $1024, R12

// Sixteen rows of weights, for all vectors there are, to R9.
#define RESULTS(even, odd, end) \
	VMOVUPS (AX), Z16; \
	SUMS(0, even, odd, Z0); SUMS(1, even, odd, Z1); \
	SUMS(2, even, odd, Z2); SUMS(3, even, odd, Z3); \
	SUMS(4, even, odd, Z4); SUMS(5, even, odd, Z5); \
	SUMS(6, even, odd, Z6); SUMS(7, even, odd, Z7); \
	SUMS(8, even, odd, Z8); SUMS(9, even, odd, Z9); \
	SUMS(10, even, odd, Z10); SUMS(11, even, odd, Z11); \
	SUMS(12, even, odd, Z12); SUMS(13, even, odd, Z13); \
	SUMS(14, even, odd, Z14); SUMS(15, even, odd, Z15); \
	TRANSPOSE; \
	STORES(end)

// Registers: SI and BX sixteen rows of weights each, DX their width; AX tiles of
// activations; DI room for sums, CX the bytes of a tile's row; R8 vectors left; R9, R12
// results of a vector, vectors left of these sixteen, R12 before that what is fetched; R10
// columns left; R11 rows left; R13 the results' stride in bytes; R14 scales of the rows;
// R15 results.

// func int8Tiles(out *float32, stride int, w *int8, scales *float32, tiles *byte, width, rows, count int)
TEXT ·int8Tiles(SB), 0, $4176-64
	NO_LOCAL_POINTERS
	LEAQ shapes<>(SB), AX
	LDTILECFG_AX
	MOVL $0xffff, AX
	KMOVW AX, K1
	MOVQ out+0(FP), R15
	MOVQ stride+8(FP), R13
	SHLQ $2, R13
	MOVQ w+16(FP), SI
	MOVQ scales+24(FP), R14
	MOVQ width+40(FP), DX
	MOVQ rows+48(FP), R11
	MOVQ $64, CX
	LEAQ room-4176(SP), DI
	ADDQ $63, DI
	ANDQ $~63, DI

rows:
	MOVQ tiles+32(FP), AX
	MOVQ count+56(FP), R8
	MOVQ R15, R9
	MOVQ DX, BX
	SHLQ $5, BX
	ADDQ SI, BX
	MOVQ BX, next-8(SP)

vectors:
	MOVQ next-8(SP), R12
	MOVQ DX, BX
	SHLQ $4, BX
	ADDQ SI, BX
	MOVQ DX, R10
	TILEZERO(0)
	TILEZERO(1)
	TILEZERO(2)
	TILEZERO(3)

columns:
	COLUMNS(0, 1)
	COLUMNS(2, 3)
	SUBQ $128, R10
	JNZ columns

	MOVQ R12, next-8(SP)
	TILESTORED(0, 7, 1)
	ADDQ $1024, DI
	TILESTORED(1, 7, 1)
	ADDQ $1024, DI
	TILESTORED(2, 7, 1)
	ADDQ $1024, DI
	TILESTORED(3, 7, 1)
	SUBQ $3072, DI

	MOVQ R9, R10
	MOVQ R8, R12
	CMPQ R12, $16
	JLE upper
	MOVQ $16, R12

upper:
	MOVQ R12, BX
	RESULTS(0, 2048, middle)

middle:
	LEAQ 64(R10), R9
	MOVQ BX, R12
	RESULTS(1024, 3072, lower)

lower:
	SUBQ $64, R9
	SUBQ DX, SI
	ADDQ $64, AX
	SUBQ $16, R8
	JG vectors

	MOVQ DX, BX
	SHLQ $5, BX
	ADDQ BX, SI
	ADDQ $128, R14
	ADDQ $128, R15
	SUBQ $32, R11
	JNZ rows
	TILERELEASE
	VZEROUPPER
	RET

// The even 64 columns of a piece, and the odd ones 1,024 bytes on.
#define SPLIT(r) \
	VMOVDQU32 (SI), Z0; \
	VMOVDQU32 64(SI), Z1; \
	VMOVDQU32 Z0, (64*r)(DI); \
	VMOVDQU32 Z1, (64*r+1024)(DI); \
	FOLLOWING

// func packTiles(tiles, q *byte, size, count int)
TEXT ·packTiles(SB), 0, $2112-32
	NO_LOCAL_POINTERS
	PACKING
	SIXTEEN(SPLIT)
	TURN(0)
	TURN(1024)
	VZEROUPPER
	RET
