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

// func int4OneVNNI(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4OneVNNI(SB), NOSPLIT, $0-56
	ARGUMENTS4X1
	CONSTANTS4

row:
	BEGIN4X1

group:
	PREFETCHT0 8192(SI)
	UNPACK4
	MULTIPLY4(AX, Y12, 12, Y13, 13, Y5, 5, Y0)
	NEXT4X1
	JNZ group
	END4X1
	JNZ row
	VZEROUPPER
	RET

// func int4FourVNNI(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4FourVNNI(SB), NOSPLIT, $0-56
	ARGUMENTS4X4
	CONSTANTS4

row:
	BEGIN4X4

group:
	UNPACK4
	MULTIPLY4(AX, Y4, 4, Y5, 5, Y6, 6, Y0)
	MULTIPLY4(BX, Y12, 12, Y13, 13, Y15, 15, Y1)
	MULTIPLY4(R12, Y4, 4, Y5, 5, Y6, 6, Y2)
	MULTIPLY4(R13, Y12, 12, Y13, 13, Y15, 15, Y3)
	NEXT4X4
	JNZ group
	END4X4
	JNZ row
	VZEROUPPER
	RET
