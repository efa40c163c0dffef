#include "tiles_amd64.h"

// Products of weights of eight bits in tiles. Weights are read where they lie. As tiles
// are of bytes, an activation is two: the upper one with its sign, the lower one without.

// Row r of the sums at DI: upper and lower bytes' together, times the row's scale and
// the vectors' in Z16.
#define SUMS(r, upper, lower, Zr) \
	VMOVDQU32 upper+64*r(DI), Zr; \
	VPSLLD $8, Zr, Zr; \
	VPADDD lower+64*r(DI), Zr, Zr; \
	VCVTDQ2PS Zr, Zr; \
	VMULPS.BCST (upper/16)+4*r(R14), Zr, Zr; \
	VMULPS Z16, Zr, Zr

// Fetches four lines of what comes next, from R12 on: a core that asks memory only when it
// has come there multiplies half as fast. To the second cache, as the first is full of
// activations.
#define AHEAD(from) \
	PREFETCHT1 from+0(R12); PREFETCHT1 from+64(R12); PREFETCHT1 from+128(R12); PREFETCHT1 from+192(R12)

// Sixty-four columns, and between them as many bytes of the rows behind these as two blocks
// of vectors need to fetch them all.
#define COLUMNS \
	TILELOADD(6, 2, 4); \
	AHEAD(0); \
	TILELOADD(0, 1, 6); \
	TDPBSSD(4, 6, 0); \
	AHEAD(256); \
	TILELOADD(3, 2, 5); \
	ADDQ $1024, AX; \
	TDPBSSD(5, 6, 1); \
	AHEAD(512); \
	TILELOADD(0, 1, 7); \
	TDPBSUD(4, 7, 2); \
	AHEAD(768); \
	TDPBSUD(5, 7, 3); \
	ADDQ $64, SI; \
	ADDQ $64, BX; \
	ADDQ $1024, AX; \
	ADDQ $1024, R12; \
	SUBQ $64, R10

// Sixteen rows of weights, for all vectors there are, to R9.
#define RESULTS(upper, lower, end) \
	VMOVUPS (AX), Z16; \
	SUMS(0, upper, lower, Z0); SUMS(1, upper, lower, Z1); \
	SUMS(2, upper, lower, Z2); SUMS(3, upper, lower, Z3); \
	SUMS(4, upper, lower, Z4); SUMS(5, upper, lower, Z5); \
	SUMS(6, upper, lower, Z6); SUMS(7, upper, lower, Z7); \
	SUMS(8, upper, lower, Z8); SUMS(9, upper, lower, Z9); \
	SUMS(10, upper, lower, Z10); SUMS(11, upper, lower, Z11); \
	SUMS(12, upper, lower, Z12); SUMS(13, upper, lower, Z13); \
	SUMS(14, upper, lower, Z14); SUMS(15, upper, lower, Z15); \
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
	COLUMNS
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

// Two registers of 16-bit numbers at SI to bytes at DI: the upper halves, with their
// signs, and 1,024 bytes on the lower ones. Z31 is the mask of these.
#define SPLIT(r) \
	VMOVDQU32 (SI), Z0; \
	VMOVDQU32 64(SI), Z1; \
	VPANDD Z31, Z0, Z2; \
	VPANDD Z31, Z1, Z3; \
	VPACKUSWB Z3, Z2, Z2; \
	VPSRAW $8, Z0, Z0; \
	VPSRAW $8, Z1, Z1; \
	VPACKSSWB Z1, Z0, Z0; \
	VMOVDQU32 Z0, (64*r)(DI); \
	VMOVDQU32 Z2, (64*r+1024)(DI); \
	FOLLOWING

// Turns sixteen vectors at DI into a tile at BX. VPACK leaves four columns each in the
// order 0, 1, 8, 9, 2, 3, 10, 11...
#define TURN(at) \
	ROWS(at); \
	TRANSPOSE; \
	TO_TILE(at, Z0, Z1, Z4, Z5, Z8, Z9, Z12, Z13, Z2, Z3, Z6, Z7, Z10, Z11, Z14, Z15)

// func packTiles16(tiles, q *byte, size, count int)
TEXT ·packTiles16(SB), 0, $2112-32
	NO_LOCAL_POINTERS
	PACKING
	VPTERNLOGD $0xff, Z31, Z31, Z31
	VPSRLW $8, Z31, Z31
	SIXTEEN(SPLIT)
	TURN(0)
	TURN(1024)
	VZEROUPPER
	RET
