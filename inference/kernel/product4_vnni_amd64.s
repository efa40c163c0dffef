#include "product4_amd64.h"
#include "vnni_amd64.h"

// As product4_amd64.s, with AVX-VNNI.

// Adds the product of the unpacked weights and the group at q to Yacc.
#define MULTIPLY4(q, Ya, a, Yb, b, Yc, c, Yacc) \
	VMOVDQU 128(q), Ya; \
	VMOVDQU (q), Yb; \
	VMOVDQU 32(q), Yc; \
	DOT8(b, 8, a); \
	DOT8(c, 9, a); \
	VMOVDQU 64(q), Yb; \
	VMOVDQU 96(q), Yc; \
	DOT8(b, 10, a); \
	DOT8(c, 11, a); \
	VCVTDQ2PS Ya, Ya; \
	VMULPS 160(q), Y7, Yb; \
	VFMADD231PS Yb, Ya, Yacc

#define GROUP4X1 MULTIPLY4(AX, Y12, 12, Y13, 13, Y5, 5, Y0)

#define GROUP4X4 \
	MULTIPLY4(AX, Y4, 4, Y5, 5, Y6, 6, Y0); \
	MULTIPLY4(BX, Y12, 12, Y13, 13, Y15, 15, Y1); \
	MULTIPLY4(R12, Y4, 4, Y5, 5, Y6, 6, Y2); \
	MULTIPLY4(R13, Y12, 12, Y13, 13, Y15, 15, Y3)

// func int4OneVNNI(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4OneVNNI(SB), NOSPLIT, $0-56
	PRODUCT4X1
	RET

// func int4FourVNNI(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4FourVNNI(SB), NOSPLIT, $0-56
	PRODUCT4X4
	RET
