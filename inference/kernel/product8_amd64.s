#define ELEMENT 2
#include "product8_amd64.h"

// With AVX2, whose products of bytes overflow: of 16 bits. Sixteen weights of each row, as 16 bits.
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

#define MULTIPLY8X1(i, Ya, Yacc) \
	VPMOVSXBW (16*i)(SI), Ya; \
	VPMADDWD (32*i)(AX), Ya, Ya; \
	VPADDD Ya, Yacc, Yacc

#define MULTIPLY8X2(i) \
	WEIGHTS8(i); \
	MULTIPLY8(i, AX, Y11, Y12, Y0, Y2); \
	MULTIPLY8(i, BX, Y13, Y14, Y1, Y3)

#define MULTIPLY8X4(i) \
	WEIGHTS8(i); \
	MULTIPLY8(i, AX, Y11, Y12, Y0, Y4); \
	MULTIPLY8(i, BX, Y13, Y14, Y1, Y5); \
	MULTIPLY8(i, R12, Y11, Y12, Y2, Y6); \
	MULTIPLY8(i, R13, Y13, Y14, Y3, Y7)

#define GROUP8X1 \
	MULTIPLY8X1(0, Y4, Y0); MULTIPLY8X1(1, Y5, Y1); MULTIPLY8X1(2, Y6, Y2); MULTIPLY8X1(3, Y7, Y3); \
	MULTIPLY8X1(4, Y4, Y0); MULTIPLY8X1(5, Y5, Y1); MULTIPLY8X1(6, Y6, Y2); MULTIPLY8X1(7, Y7, Y3)

#define GROUP8X2 EIGHT(MULTIPLY8X2)
#define GROUP8X4 EIGHT(MULTIPLY8X4)

// func int8One(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8One(SB), NOSPLIT, $0-56
	PRODUCT8X1
	RET

// func int8Two(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8Two(SB), NOSPLIT, $0-56
	PRODUCT8X2
	RET

// func int8Four(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8Four(SB), NOSPLIT, $0-56
	PRODUCT8X4
	RET
