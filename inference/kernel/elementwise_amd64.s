#include "textflag.h"
#include "sums_amd64.h"

// func add(x, y *float32, eights int)
TEXT ·add(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ eights+16(FP), CX

eight:
	VMOVUPS (DI), Y0
	VADDPS (SI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	DECQ CX
	JNZ eight
	VZEROUPPER
	RET

// func addTwo(x, y, z *float32, eights int)
TEXT ·addTwo(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ z+16(FP), DX
	MOVQ eights+24(FP), CX

eight:
	VMOVUPS (SI), Y0
	VADDPS (DX), Y0, Y0
	VADDPS (DI), Y0, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	ADDQ $32, DX
	DECQ CX
	JNZ eight
	VZEROUPPER
	RET

// The maximum is that of its last operand where one is no number.
// func addRectified(x, y *float32, eights int)
TEXT ·addRectified(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), DI
	MOVQ y+8(FP), SI
	MOVQ eights+16(FP), CX
	VXORPS Y1, Y1, Y1

eight:
	VMOVUPS (DI), Y0
	VADDPS (SI), Y0, Y0
	VMAXPS Y0, Y1, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	ADDQ $32, SI
	DECQ CX
	JNZ eight
	VZEROUPPER
	RET

// func normalise(out, x, weight, bias *float32, eights int, count, epsilon float32)
TEXT ·normalise(SB), NOSPLIT, $0-48
	MOVQ out+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ weight+16(FP), DX
	MOVQ bias+24(FP), BX
	MOVQ eights+32(FP), CX
	VBROADCASTSS count+40(FP), Y15
	MOVQ SI, AX
	MOVQ CX, R8
	VXORPS Y0, Y0, Y0

mean:
	VADDPS (AX), Y0, Y0
	ADDQ $32, AX
	DECQ R8
	JNZ mean
	SUM_EVERYWHERE(Y0, Y1)
	VDIVPS Y15, Y0, Y2

	MOVQ SI, AX
	MOVQ CX, R8
	VXORPS Y0, Y0, Y0

variance:
	VMOVUPS (AX), Y1
	VSUBPS Y2, Y1, Y1
	VFMADD231PS Y1, Y1, Y0
	ADDQ $32, AX
	DECQ R8
	JNZ variance
	SUM_EVERYWHERE(Y0, Y1)
	VDIVPS Y15, Y0, Y0
	VBROADCASTSS epsilon+44(FP), Y1
	VADDPS Y1, Y0, Y0
	VSQRTPS Y0, Y3

eight:
	VMOVUPS (SI), Y0
	VSUBPS Y2, Y0, Y0
	VDIVPS Y3, Y0, Y0
	VMOVUPS (BX), Y1
	VFMADD132PS (DX), Y1, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, SI
	ADDQ $32, DI
	ADDQ $32, DX
	ADDQ $32, BX
	DECQ CX
	JNZ eight
	VZEROUPPER
	RET

// func find(x *float32, eights int, least float32) int
TEXT ·find(SB), NOSPLIT, $0-32
	MOVQ x+0(FP), SI
	MOVQ eights+8(FP), CX
	VBROADCASTSS least+16(FP), Y1
	XORQ AX, AX

eight:
	VMOVUPS (SI), Y0
	VCMPPS $0x1d, Y1, Y0, Y0 // at least; false where one is no number
	VMOVMSKPS Y0, DX
	TESTL DX, DX
	JNZ found
	ADDQ $8, AX
	ADDQ $32, SI
	DECQ CX
	JNZ eight
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET

found:
	BSFL DX, DX
	ADDQ DX, AX
	MOVQ AX, ret+24(FP)
	VZEROUPPER
	RET
