#define BYTES
#define ELEMENT 1
#include "product8_amd64.h"
#include "vnni_amd64.h"

// As product8_amd64.s, with AVX-VNNI, which multiplies four bytes and adds at once.

// Turns weights of -128 to 127 to 0 to 255, in Y12.
DATA sign<>+0(SB)/4, $0x80808080
GLOBL sign<>(SB), RODATA|NOPTR, $4
#define SIGN8 VPBROADCASTD sign<>(SB), Y12

#define MULTIPLY8X1(i, w, Yw, q, Yq, sum) \
	VPXOR (32*i)(SI), Y12, Yw; \
	VMOVDQU (32*i)(AX), Yq; \
	DOT8(q, w, sum)

#define WEIGHTS8(i) \
	VPXOR (32*i)(SI), Y12, Y8; \
	VPXOR (32*i)(SI)(R8*1), Y12, Y9

// Times thirty-two activations, into the sums of the upper and of the lower row.
#define MULTIPLY8(i, vector, q, Yq, upper, lower) \
	VMOVDQU (32*i)(vector), Yq; \
	DOT8(q, 8, upper); \
	DOT8(q, 9, lower)

#define MULTIPLY8X2(i) \
	WEIGHTS8(i); \
	MULTIPLY8(i, AX, 10, Y10, 0, 2); \
	MULTIPLY8(i, BX, 11, Y11, 1, 3)

#define MULTIPLY8X4(i) \
	WEIGHTS8(i); \
	MULTIPLY8(i, AX, 10, Y10, 0, 4); \
	MULTIPLY8(i, BX, 11, Y11, 1, 5); \
	MULTIPLY8(i, R12, 13, Y13, 2, 6); \
	MULTIPLY8(i, R13, 10, Y10, 3, 7)

#define GROUP8X1 \
	MULTIPLY8X1(0, 4, Y4, 5, Y5, 0); MULTIPLY8X1(1, 6, Y6, 7, Y7, 1); \
	MULTIPLY8X1(2, 8, Y8, 9, Y9, 2); MULTIPLY8X1(3, 10, Y10, 11, Y11, 3)
#define GROUP8X2 MULTIPLY8X2(0); MULTIPLY8X2(1); MULTIPLY8X2(2); MULTIPLY8X2(3)
#define GROUP8X4 MULTIPLY8X4(0); MULTIPLY8X4(1); MULTIPLY8X4(2); MULTIPLY8X4(3)

// func int8OneVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8OneVNNI(SB), NOSPLIT, $0-56
	SIGN8
	PRODUCT8X1
	RET

// func int8TwoVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8TwoVNNI(SB), NOSPLIT, $0-56
	SIGN8
	PRODUCT8X2
	RET

// func int8FourVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8FourVNNI(SB), NOSPLIT, $0-56
	SIGN8
	PRODUCT8X4
	RET
