#include "textflag.h"
#include "sums_amd64.h"

// The products of the query, in Y8 to Y15, and the key at SI, in Ya. Yb is
// overwritten.
#define PRODUCTS(at, Ya, Yb) \
	VMULPS (at)(SI), Y8, Ya; \
	VMULPS (at+32)(SI), Y9, Yb; \
	VFMADD231PS (at+64)(SI), Y10, Ya; \
	VFMADD231PS (at+96)(SI), Y11, Yb; \
	VFMADD231PS (at+128)(SI), Y12, Ya; \
	VFMADD231PS (at+160)(SI), Y13, Yb; \
	VFMADD231PS (at+192)(SI), Y14, Ya; \
	VFMADD231PS (at+224)(SI), Y15, Yb; \
	VADDPS Yb, Ya, Ya

// func dots64(out, q, k *float32, rows int)
TEXT ·dots64(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ q+8(FP), AX
	MOVQ k+16(FP), SI
	MOVQ rows+24(FP), CX
	VMOVUPS (AX), Y8
	VMOVUPS 32(AX), Y9
	VMOVUPS 64(AX), Y10
	VMOVUPS 96(AX), Y11
	VMOVUPS 128(AX), Y12
	VMOVUPS 160(AX), Y13
	VMOVUPS 192(AX), Y14
	VMOVUPS 224(AX), Y15

	SUBQ $4, CX
	JLT rest

four:
	PRODUCTS(0, Y0, Y4)
	PRODUCTS(256, Y1, Y5)
	PRODUCTS(512, Y2, Y6)
	PRODUCTS(768, Y3, Y7)
	SIDE_BY_SIDE(X1, Y0, Y1, Y4)
	SIDE_BY_SIDE(X3, Y2, Y3, Y5)
	VHADDPS Y2, Y0, Y0
	VHADDPS Y0, Y0, Y0
	VEXTRACTF128 $1, Y0, X1
	VUNPCKLPS X1, X0, X0
	VMOVUPS X0, (DI)
	ADDQ $1024, SI
	ADDQ $16, DI
	SUBQ $4, CX
	JGE four

rest:
	ADDQ $4, CX
	JZ done

row:
	PRODUCTS(0, Y0, Y1)
	SUM(Y0, X0, X1)
	VMOVSS X0, (DI)
	ADDQ $256, SI
	ADDQ $4, DI
	DECQ CX
	JNZ row

done:
	VZEROUPPER
	RET

// func weigh64(out, p, v *float32, rows int)
TEXT ·weigh64(SB), NOSPLIT, $0-32
	MOVQ out+0(FP), DI
	MOVQ p+8(FP), AX
	MOVQ v+16(FP), SI
	MOVQ rows+24(FP), CX
	VMOVUPS (DI), Y0
	VMOVUPS 32(DI), Y1
	VMOVUPS 64(DI), Y2
	VMOVUPS 96(DI), Y3
	VMOVUPS 128(DI), Y4
	VMOVUPS 160(DI), Y5
	VMOVUPS 192(DI), Y6
	VMOVUPS 224(DI), Y7

row:
	VBROADCASTSS (AX), Y8
	VFMADD231PS (SI), Y8, Y0
	VFMADD231PS 32(SI), Y8, Y1
	VFMADD231PS 64(SI), Y8, Y2
	VFMADD231PS 96(SI), Y8, Y3
	VFMADD231PS 128(SI), Y8, Y4
	VFMADD231PS 160(SI), Y8, Y5
	VFMADD231PS 192(SI), Y8, Y6
	VFMADD231PS 224(SI), Y8, Y7
	ADDQ $4, AX
	ADDQ $256, SI
	DECQ CX
	JNZ row
	VMOVUPS Y0, (DI)
	VMOVUPS Y1, 32(DI)
	VMOVUPS Y2, 64(DI)
	VMOVUPS Y3, 96(DI)
	VMOVUPS Y4, 128(DI)
	VMOVUPS Y5, 160(DI)
	VMOVUPS Y6, 192(DI)
	VMOVUPS Y7, 224(DI)
	VZEROUPPER
	RET

// func dot(a, b *float32, eights int) float32
TEXT ·dot(SB), NOSPLIT, $0-28
	MOVQ a+0(FP), SI
	MOVQ b+8(FP), DI
	MOVQ eights+16(FP), CX
	VXORPS Y0, Y0, Y0

eight:
	VMOVUPS (SI), Y1
	VFMADD231PS (DI), Y1, Y0
	ADDQ $32, SI
	ADDQ $32, DI
	DECQ CX
	JNZ eight
	SUM(Y0, X0, X1)
	VMOVSS X0, ret+24(FP)
	VZEROUPPER
	RET

// e to the power of r is 1 + r + r²/2! + … + r⁶/6! for |r| ≤ ln(2)/2, and ln 2 is in
// two parts, the first with few bits.
DATA exponentials<>+0(SB)/4, $0xc2a00000  // -80, of which e is taken at least
DATA exponentials<>+4(SB)/4, $0x3fb8aa3b  // 1/ln(2)
DATA exponentials<>+8(SB)/4, $0x3f318000  // 0.693359375
DATA exponentials<>+12(SB)/4, $0xb95e8083 // -2.12194440e-4
DATA exponentials<>+16(SB)/4, $0x3ab60b61 // 1/720
DATA exponentials<>+20(SB)/4, $0x3c088889 // 1/120
DATA exponentials<>+24(SB)/4, $0x3d2aaaab // 1/24
DATA exponentials<>+28(SB)/4, $0x3e2aaaab // 1/6
DATA exponentials<>+32(SB)/4, $0x3f000000 // 1/2
DATA exponentials<>+36(SB)/4, $0x3f800000 // 1
GLOBL exponentials<>(SB), RODATA|NOPTR, $40

// The largest of the numbers at DI, DX registers of them, in all lanes of Y0.
#define LARGEST_OF \
	VMOVUPS (DI), Y0; \
most: \
	VMAXPS (DI), Y0, Y0; \
	ADDQ $32, DI; \
	DECQ DX; \
	JNZ most; \
	VEXTRACTF128 $1, Y0, X1; \
	VMAXPS X1, X0, X0; \
	VPSHUFD $0x4e, X0, X1; \
	VMAXPS X1, X0, X0; \
	VPSHUFD $0xb1, X0, X1; \
	VMAXPS X1, X0, X0; \
	VBROADCASTSS X0, Y0

#define CONSTANTS_EXP \
	VBROADCASTSS exponentials<>+0(SB), Y6; \
	VBROADCASTSS exponentials<>+4(SB), Y7; \
	VBROADCASTSS exponentials<>+8(SB), Y8; \
	VBROADCASTSS exponentials<>+12(SB), Y9; \
	VBROADCASTSS exponentials<>+16(SB), Y10; \
	VBROADCASTSS exponentials<>+20(SB), Y11; \
	VBROADCASTSS exponentials<>+24(SB), Y12; \
	VBROADCASTSS exponentials<>+28(SB), Y13; \
	VBROADCASTSS exponentials<>+32(SB), Y14; \
	VBROADCASTSS exponentials<>+36(SB), Y15

// Y4 is e to the power of Y2; what is no number stays none, because the maximum is
// that of its last operand then.
#define EXP \
	VMAXPS Y2, Y6, Y2; \
	VMULPS Y7, Y2, Y3; \
	VROUNDPS $0, Y3, Y3; \
	VFNMADD231PS Y8, Y3, Y2; \
	VFNMADD231PS Y9, Y3, Y2; \
	VMOVAPS Y10, Y4; \
	VFMADD213PS Y11, Y2, Y4; \
	VFMADD213PS Y12, Y2, Y4; \
	VFMADD213PS Y13, Y2, Y4; \
	VFMADD213PS Y14, Y2, Y4; \
	VFMADD213PS Y15, Y2, Y4; \
	VFMADD213PS Y15, Y2, Y4; \
	VCVTPS2DQ Y3, Y3; \
	VPSLLD $23, Y3, Y3; \
	VPADDD Y3, Y4, Y4

// func sumExp(x *float32, eights int) (largest, sum float32)
TEXT ·sumExp(SB), NOSPLIT, $0-24
	MOVQ x+0(FP), SI
	MOVQ eights+8(FP), CX
	MOVQ SI, DI
	MOVQ CX, DX
	LARGEST_OF
	VMOVSS X0, largest+16(FP)
	VXORPS Y1, Y1, Y1
	CONSTANTS_EXP

power:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	EXP
	VADDPS Y4, Y1, Y1
	ADDQ $32, SI
	DECQ CX
	JNZ power
	SUM(Y1, X1, X2)
	VMOVSS X1, sum+20(FP)
	VZEROUPPER
	RET

// func softmax(x *float32, eights int)
TEXT ·softmax(SB), NOSPLIT, $0-16
	MOVQ x+0(FP), SI
	MOVQ eights+8(FP), CX
	MOVQ SI, DI
	MOVQ CX, DX
	LARGEST_OF
	VXORPS Y1, Y1, Y1
	CONSTANTS_EXP
	MOVQ SI, DI
	MOVQ CX, DX

power:
	VMOVUPS (SI), Y2
	VSUBPS Y0, Y2, Y2
	EXP
	VMOVUPS Y4, (SI)
	VADDPS Y4, Y1, Y1
	ADDQ $32, SI
	DECQ CX
	JNZ power
	SUM_EVERYWHERE(Y1, Y2)
	VDIVPS Y1, Y15, Y1

share:
	VMULPS (DI), Y1, Y0
	VMOVUPS Y0, (DI)
	ADDQ $32, DI
	DECQ DX
	JNZ share
	VZEROUPPER
	RET

// func pause()
TEXT ·pause(SB), NOSPLIT, $0-0
	MOVL $4, CX

again:
	PAUSE
	DECL CX
	JNZ again
	RET
