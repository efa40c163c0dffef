#include "product4_amd64.h"

// Adds the product of the unpacked weights and the group at q to Yacc.
// 4 · 15 · 127 · 2 fits 16 bits. Y15 is ones.
#define MULTIPLY4(q, Ya, Yb, Yacc) \
	VPMADDUBSW (q), Y8, Ya; \
	VPMADDUBSW 32(q), Y9, Yb; \
	VPADDW Yb, Ya, Ya; \
	VPMADDUBSW 64(q), Y10, Yb; \
	VPADDW Yb, Ya, Ya; \
	VPMADDUBSW 96(q), Y11, Yb; \
	VPADDW Yb, Ya, Ya; \
	VPMADDWD Y15, Ya, Ya; \
	VPADDD 128(q), Ya, Ya; \
	VCVTDQ2PS Ya, Ya; \
	VMULPS 160(q), Y7, Yb; \
	VFMADD231PS Yb, Ya, Yacc

#define GROUP4X1 MULTIPLY4(AX, Y12, Y13, Y0)

#define GROUP4X4 \
	MULTIPLY4(AX, Y4, Y5, Y0); \
	MULTIPLY4(BX, Y6, Y12, Y1); \
	MULTIPLY4(R12, Y4, Y5, Y2); \
	MULTIPLY4(R13, Y6, Y12, Y3)

// func int4One(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4One(SB), NOSPLIT, $0-56
	PRODUCT4X1
	RET

// func int4Four(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4Four(SB), NOSPLIT, $0-56
	PRODUCT4X4
	RET
