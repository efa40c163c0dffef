#include "textflag.h"

// What a scale of four bits is to one of eight that holds its largest weight: 8/127.
DATA ratio<>+0(SB)/4, $0x3d810204
GLOBL ratio<>(SB), RODATA|NOPTR, $4
DATA one<>+0(SB)/4, $0x3f800000
GLOBL one<>(SB), RODATA|NOPTR, $4
DATA tiny<>+0(SB)/4, $0x0da24260 // 1e-30
GLOBL tiny<>(SB), RODATA|NOPTR, $4

// What four bits stand for, in the order in which VPACK leaves them: -8 to -5 and 0 to 3,
// -4 to -1 and 4 to 7.
DATA levels<>+0(SB)/8, $0xc0e00000c1000000
DATA levels<>+8(SB)/8, $0xc0a00000c0c00000
DATA levels<>+16(SB)/8, $0x3f80000000000000
DATA levels<>+24(SB)/8, $0x4040000040000000
DATA levels<>+32(SB)/8, $0xc0400000c0800000
DATA levels<>+40(SB)/8, $0xbf800000c0000000
DATA levels<>+48(SB)/8, $0x40a0000040800000
DATA levels<>+56(SB)/8, $0x40e0000040c00000
GLOBL levels<>(SB), RODATA|NOPTR, $64

// Registers: SI weights of four bits, DX their scales, DI weights of eight, R8 theirs; R10
// groups left of a row, R11 rows left. Y14 is the mask of low halves, Y6 the reciprocal of
// a row's scale, Y7 what each of sixteen weights of a group becomes.

// func expand(to *int8, toScales *float32, w *byte, scales *uint16, groups, rows int)
TEXT ·expand(SB), NOSPLIT, $0-48
	MOVQ to+0(FP), DI
	MOVQ toScales+8(FP), R8
	MOVQ w+16(FP), SI
	MOVQ scales+24(FP), DX
	MOVQ rows+40(FP), R11
	VPCMPEQW Y15, Y15, Y15
	VPSRLW $12, Y15, Y14
	VPSLLW $8, Y14, Y13
	VPOR Y13, Y14, Y14
	VMOVUPS levels<>(SB), Y12
	VMOVUPS levels<>+32(SB), Y11

row:
	MOVQ groups+32(FP), R10
	MOVQ DX, R9
	XORL BX, BX

largest:
	MOVWLZX (R9), AX
	ANDL $0x7fff, AX
	CMPL AX, BX
	CMOVLGT AX, BX
	ADDQ $2, R9
	DECQ R10
	JNZ largest
	SHLL $16, BX // a bfloat16
	VMOVD BX, X6
	VMAXSS tiny<>(SB), X6, X6
	VMULSS ratio<>(SB), X6, X6
	VMOVSS X6, (R8)
	VMOVSS one<>(SB), X5
	VDIVSS X6, X5, X6
	VBROADCASTSS X6, Y6
	MOVQ groups+32(FP), R10

group:
	VPBROADCASTW (DX), Y7
	VPSLLD $16, Y7, Y7
	VMULPS Y6, Y7, Y7
	VMULPS Y12, Y7, Y8
	VMULPS Y11, Y7, Y9
	VCVTPS2DQ Y8, Y8
	VCVTPS2DQ Y9, Y9
	VPACKSSDW Y9, Y8, Y8
	VPACKSSWB Y8, Y8, Y8
	VPERMQ $0x88, Y8, Y7
	VMOVDQU (SI), Y0
	VMOVDQU 32(SI), Y2
	VPSRLW $4, Y0, Y1
	VPSRLW $4, Y2, Y3
	VPAND Y14, Y0, Y0
	VPAND Y14, Y1, Y1
	VPAND Y14, Y2, Y2
	VPAND Y14, Y3, Y3
	VPSHUFB Y0, Y7, Y0
	VPSHUFB Y1, Y7, Y1
	VPSHUFB Y2, Y7, Y2
	VPSHUFB Y3, Y7, Y3
	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	VMOVDQU Y2, 64(DI)
	VMOVDQU Y3, 96(DI)
	PREFETCHT0 8192(SI)
	ADDQ $2, DX
	ADDQ $64, SI
	ADDQ $128, DI
	DECQ R10
	JNZ group
	ADDQ $4, R8
	DECQ R11
	JNZ row
	VZEROUPPER
	RET
