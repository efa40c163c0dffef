#include "textflag.h"

// func halves(dst *float32, src *byte, eights int)
TEXT ·halves(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ eights+16(FP), CX

eight:
	VCVTPH2PS (SI), Y0
	VMOVUPS Y0, (DI)
	ADDQ $16, SI
	ADDQ $32, DI
	DECQ CX
	JNZ eight
	VZEROUPPER
	RET

// func cpuHalves() bool
TEXT ·cpuHalves(SB), NOSPLIT, $0-1
	MOVL $1, AX
	XORL CX, CX
	CPUID
	SHRL $29, CX // F16C
	ANDL $1, CX
	MOVB CX, ret+0(FP)
	RET
