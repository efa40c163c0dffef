#include "textflag.h"
#include "sums_amd64.h"

// Bits of 1e-30: the least magnitude that is told from zero.
DATA least<>+0(SB)/4, $0x0da24260
GLOBL least<>(SB), RODATA|NOPTR, $4
DATA magnitude<>+0(SB)/4, $0x7fffffff
GLOBL magnitude<>(SB), RODATA|NOPTR, $4
DATA most8<>+0(SB)/4, $0x42fe0000 // 127
GLOBL most8<>(SB), RODATA|NOPTR, $4
DATA order<>+0(SB)/8, $0x0000000400000000
DATA order<>+8(SB)/8, $0x0000000500000001
DATA order<>+16(SB)/8, $0x0000000600000002
DATA order<>+24(SB)/8, $0x0000000700000003
GLOBL order<>(SB), RODATA|NOPTR, $32

#define MOST(i, Yacc) \
	VPAND (32*i)(SI), Y15, Y2; \
	VPMAXUD Y2, Yacc, Yacc

// The largest magnitudes of 128 numbers at SI and before, by lane, in Y0 and Y1.
// They are found by comparing bits, so that NaN counts as the largest of all.
#define MAGNITUDES \
	MOST(0, Y0); MOST(1, Y1); MOST(2, Y0); MOST(3, Y1); \
	MOST(4, Y0); MOST(5, Y1); MOST(6, Y0); MOST(7, Y1); \
	MOST(8, Y0); MOST(9, Y1); MOST(10, Y0); MOST(11, Y1); \
	MOST(12, Y0); MOST(13, Y1); MOST(14, Y0); MOST(15, Y1)

// The largest of those, in all lanes of Y0.
#define LARGEST \
	VPMAXUD Y1, Y0, Y0; \
	VEXTRACTI128 $1, Y0, X1; \
	VPMAXUD X1, X0, X0; \
	VPSHUFD $0x4e, X0, X1; \
	VPMAXUD X1, X0, X0; \
	VPSHUFD $0xb1, X0, X1; \
	VPMAXUD X1, X0, X0; \
	VBROADCASTSS X0, Y0

// The scale of a vector of CX groups at SI, in all lanes of Y0, and its reciprocal in Y1.
#define SCALE \
	MOVQ SI, AX; \
	MOVQ CX, DX; \
	VBROADCASTSS least<>(SB), Y0; \
	VMOVDQU Y0, Y1; \
magnitudes: \
	MAGNITUDES; \
	ADDQ $512, SI; \
	DECQ DX; \
	JNZ magnitudes; \
	LARGEST; \
	VDIVPS Y0, Y14, Y1; \
	VDIVPS Y14, Y0, Y0; \
	MOVQ AX, SI

// Sixteen numbers to 16 bits.
#define ROUND16(i) \
	VMULPS (64*i)(SI), Y1, Y2; \
	VMULPS (64*i+32)(SI), Y1, Y3; \
	VCVTPS2DQ Y2, Y2; \
	VCVTPS2DQ Y3, Y3; \
	VPACKSSDW Y3, Y2, Y2; \
	VPERMQ $0xd8, Y2, Y2; \
	VMOVDQU Y2, (32*i)(DI)

// func quantiseWords(q *byte, x *float32, groups int)
TEXT ·quantiseWords(SB), NOSPLIT, $0-24
	MOVQ q+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ groups+16(FP), CX
	VBROADCASTSS magnitude<>(SB), Y15
	VBROADCASTSS most8<>(SB), Y14
	SCALE

group:
	ROUND16(0)
	ROUND16(1)
	ROUND16(2)
	ROUND16(3)
	ROUND16(4)
	ROUND16(5)
	ROUND16(6)
	ROUND16(7)
	ADDQ $512, SI
	ADDQ $256, DI
	DECQ CX
	JNZ group
	VMOVSS X0, (DI)
	VZEROUPPER
	RET

// What MAGNITUDES and ROUND8 need.
#define ROUNDING8 \
	VBROADCASTSS magnitude<>(SB), Y15; \
	VBROADCASTSS most8<>(SB), Y14; \
	VMOVDQU order<>(SB), Y13; \
	VPCMPEQW Y11, Y11, Y11; \
	VPABSB Y11, Y12; \
	VPSRLW $15, Y11, Y11

// Thirty-two numbers to 8 bits; their sums, by lane, are added to Y6.
#define ROUND8(i) \
	VMULPS (128*i)(SI), Y1, Y2; \
	VMULPS (128*i+32)(SI), Y1, Y3; \
	VMULPS (128*i+64)(SI), Y1, Y4; \
	VMULPS (128*i+96)(SI), Y1, Y5; \
	VCVTPS2DQ Y2, Y2; \
	VCVTPS2DQ Y3, Y3; \
	VCVTPS2DQ Y4, Y4; \
	VCVTPS2DQ Y5, Y5; \
	VPACKSSDW Y3, Y2, Y2; \
	VPACKSSDW Y5, Y4, Y4; \
	VPACKSSWB Y4, Y2, Y2; \
	VPERMD Y2, Y13, Y2; \
	VMOVDQU Y2, (32*i)(DI); \
	VPMADDUBSW Y2, Y12, Y2; \
	VPMADDWD Y11, Y2, Y2; \
	VPADDD Y2, Y6, Y6

// func quantiseBytes(q *byte, x *float32, groups int)
TEXT ·quantiseBytes(SB), NOSPLIT, $0-24
	MOVQ q+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ groups+16(FP), CX
	ROUNDING8
	SCALE
	VPXOR Y6, Y6, Y6

group:
	ROUND8(0)
	ROUND8(1)
	ROUND8(2)
	ROUND8(3)
	ADDQ $512, SI
	ADDQ $128, DI
	DECQ CX
	JNZ group
	SUM_INTEGERS(Y6, X6, X2)
	VPSLLD $7, X6, X6
	VPXOR X2, X2, X2
	VPSUBD X6, X2, X6
	VMOVSS X0, (DI)
	VMOVD X6, 4(DI)
	VZEROUPPER
	RET

// func quantiseGroups(q *byte, x *float32, groups int)
TEXT ·quantiseGroups(SB), NOSPLIT, $0-24
	MOVQ q+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ groups+16(FP), CX
	ROUNDING8

group:
	VBROADCASTSS least<>(SB), Y0
	VMOVDQU Y0, Y1
	MAGNITUDES
	LARGEST
	VDIVPS Y0, Y14, Y1
	VDIVPS Y14, Y0, Y0
	VMOVUPS Y0, 160(DI)
	VPXOR Y6, Y6, Y6
	ROUND8(0)
	ROUND8(1)
	ROUND8(2)
	ROUND8(3)
	VPSLLD $3, Y6, Y6
	VPXOR Y2, Y2, Y2
	VPSUBD Y6, Y2, Y6
	VMOVDQU Y6, 128(DI)
	ADDQ $512, SI
	ADDQ $192, DI
	DECQ CX
	JNZ group
	VZEROUPPER
	RET
