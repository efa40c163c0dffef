#include "product8_amd64.h"
#include "vnni_amd64.h"

// As product8_amd64.s, with AVX-VNNI, which multiplies and adds at once.

#define MULTIPLY8X1(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VMOVDQU (32*i)(AX), Y10; \
	VPMOVSXBW (16*i+16)(SI), Y9; \
	VMOVDQU (32*i+32)(AX), Y11; \
	DOT16(10, 8, 0); \
	DOT16(11, 9, 1)

#define MULTIPLY8X2(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VPMOVSXBW (16*i)(SI)(R8*1), Y9; \
	VMOVDQU (32*i)(AX), Y10; \
	VMOVDQU (32*i)(BX), Y11; \
	DOT16(10, 8, 0); DOT16(10, 9, 2); \
	DOT16(11, 8, 1); DOT16(11, 9, 3)

#define MULTIPLY8X4(i) \
	VPMOVSXBW (16*i)(SI), Y8; \
	VPMOVSXBW (16*i)(SI)(R8*1), Y9; \
	VMOVDQU (32*i)(AX), Y10; \
	VMOVDQU (32*i)(BX), Y11; \
	VMOVDQU (32*i)(R12), Y12; \
	VMOVDQU (32*i)(R13), Y13; \
	DOT16(10, 8, 0); DOT16(10, 9, 4); \
	DOT16(11, 8, 1); DOT16(11, 9, 5); \
	DOT16(12, 8, 2); DOT16(12, 9, 6); \
	DOT16(13, 8, 3); DOT16(13, 9, 7)

#define GROUP8X1 MULTIPLY8X1(0); MULTIPLY8X1(2); MULTIPLY8X1(4); MULTIPLY8X1(6)
#define GROUP8X2 EIGHT(MULTIPLY8X2)
#define GROUP8X4 EIGHT(MULTIPLY8X4)

// func int8OneVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8OneVNNI(SB), NOSPLIT, $0-56
	PRODUCT8X1
	RET

// func int8TwoVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8TwoVNNI(SB), NOSPLIT, $0-56
	PRODUCT8X2
	RET

// func int8FourVNNI(out *float32, stride int, w *int8, scales *float32, q *byte, width, rows int)
TEXT ·int8FourVNNI(SB), NOSPLIT, $0-56
	PRODUCT8X4
	RET
