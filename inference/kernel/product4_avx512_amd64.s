#include "textflag.h"

// As product4_amd64.s, with AVX-512 and its VNNI: two rows of weights side by side, the
// upper one in the lower half of each register, so that lanes are those of one row.
// Registers: SI the upper row, R8 its bytes, which are the distance to the lower one;
// DX its scales, R14 theirs; DI results, CX their stride in bytes; R10 groups left of
// the rows, R11 rows left; AX vectors, R9 the bytes of one, R15 those of three.

// Where the sums of two rows and four vectors belong.
DATA places4<>+0(SB)/8, $0x0000000400000000
DATA places4<>+8(SB)/8, $0x0000000c00000008
DATA places4<>+16(SB)/8, $0x0000000500000001
DATA places4<>+24(SB)/8, $0x0000000d00000009
GLOBL places4<>(SB), RODATA|NOPTR, $32

#define ARGUMENTS \
	MOVQ out+0(FP), DI; \
	MOVQ stride+8(FP), CX; \
	SHLQ $2, CX; \
	MOVQ w+16(FP), SI; \
	MOVQ scales+24(FP), DX; \
	MOVQ groups+40(FP), R9; \
	MOVQ rows+48(FP), R11; \
	MOVQ R9, R8; \
	SHLQ $6, R8; \
	LEAQ (R9)(R9*1), R14; \
	IMULQ $192, R9; \
	LEAQ (R9)(R9*2), R15; \
	VPTERNLOGD $0xff, Z31, Z31, Z31; \
	VPSRLW $12, Z31, Z31; \
	VPSLLW $8, Z31, Z30; \
	VPORD Z30, Z31, Z31

#define BEGIN \
	MOVQ q+32(FP), AX; \
	MOVQ groups+40(FP), R10

// Unpacks 128 weights of each row to Z8 to Z11, as 0 to 15, and their scales to Z7.
#define UNPACK \
	VMOVDQU (SI), Y8; \
	VMOVDQU 32(SI), Y10; \
	VINSERTI64X4 $1, (SI)(R8*1), Z8, Z8; \
	VINSERTI64X4 $1, 32(SI)(R8*1), Z10, Z10; \
	VPSRLW $4, Z8, Z9; \
	VPSRLW $4, Z10, Z11; \
	VPANDD Z31, Z8, Z8; \
	VPANDD Z31, Z9, Z9; \
	VPANDD Z31, Z10, Z10; \
	VPANDD Z31, Z11, Z11; \
	VPBROADCASTW (DX), Y7; \
	VPBROADCASTW (DX)(R14*1), Y6; \
	VINSERTI64X4 $1, Y6, Z7, Z7; \
	VPSLLD $16, Z7, Z7

// Adds the product of the unpacked weights and a group to Zacc. Its activations, what
// undoes the weights' offset and its scale are at q0 to q5.
#define MULTIPLY(q0, q1, q2, q3, q4, q5, Za, Zb, Zc, Zacc) \
	VBROADCASTI64X4 q4, Za; \
	VBROADCASTI64X4 q0, Zb; \
	VBROADCASTI64X4 q1, Zc; \
	VPDPBUSD Zb, Z8, Za; \
	VPDPBUSD Zc, Z9, Za; \
	VBROADCASTI64X4 q2, Zb; \
	VBROADCASTI64X4 q3, Zc; \
	VPDPBUSD Zb, Z10, Za; \
	VPDPBUSD Zc, Z11, Za; \
	VCVTDQ2PS Za, Za; \
	VBROADCASTF64X4 q5, Zb; \
	VMULPS Zb, Z7, Zb; \
	VFMADD231PS Zb, Za, Zacc

#define FIRST(Za, Zb, Zc, Zacc) MULTIPLY((AX), 32(AX), 64(AX), 96(AX), 128(AX), 160(AX), Za, Zb, Zc, Zacc)
#define LATER(from, Za, Zb, Zc, Zacc) MULTIPLY((AX)(from), 32(AX)(from), 64(AX)(from), 96(AX)(from), 128(AX)(from), 160(AX)(from), Za, Zb, Zc, Zacc)

#define NEXT \
	ADDQ $64, SI; \
	ADDQ $2, DX; \
	ADDQ $192, AX; \
	DECQ R10

#define END \
	ADDQ R8, SI; \
	ADDQ R14, DX; \
	ADDQ $8, DI; \
	SUBQ $2, R11

// Adds the halves of each half of Za and of Zb, side by side in Za.
#define HALVES(Za, Zb, Zt) \
	VSHUFF64X2 $0x88, Zb, Za, Zt; \
	VSHUFF64X2 $0xdd, Zb, Za, Za; \
	VADDPS Za, Zt, Za

// Adds neighbours of Za and of Zb, side by side in Za.
#define NEIGHBOURS(Za, Zb, Zt) \
	VSHUFPS $0x88, Zb, Za, Zt; \
	VSHUFPS $0xdd, Zb, Za, Za; \
	VADDPS Za, Zt, Za

// func int4OneAVX512(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4OneAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS

rows:
	BEGIN
	VXORPS X0, X0, X0

group:
	PREFETCHT0 8192(SI)
	PREFETCHT0 8192(SI)(R8*1)
	UNPACK
	FIRST(Z4, Z5, Z6, Z0)
	NEXT
	JNZ group
	HALVES(Z0, Z0, Z1)
	NEIGHBOURS(Z0, Z0, Z1)
	NEIGHBOURS(Z0, Z0, Z1)
	VMOVSS X0, (DI)
	VEXTRACTF128 $1, Y0, X0
	VMOVSS X0, 4(DI)
	END
	JNZ rows
	VZEROUPPER
	RET

// func int4FourAVX512(out *float32, stride int, w *byte, scales *uint16, q *byte, groups, rows int)
TEXT ·int4FourAVX512(SB), NOSPLIT, $0-56
	ARGUMENTS
	VMOVDQU32 places4<>(SB), Y29

rows:
	BEGIN
	VXORPS X0, X0, X0
	VXORPS X1, X1, X1
	VXORPS X2, X2, X2
	VXORPS X3, X3, X3

group:
	UNPACK
	FIRST(Z4, Z5, Z6, Z0)
	LATER(R9*1, Z12, Z13, Z14, Z1)
	LATER(R9*2, Z16, Z17, Z18, Z2)
	LATER(R15*1, Z20, Z21, Z22, Z3)
	NEXT
	JNZ group
	HALVES(Z0, Z1, Z4)
	HALVES(Z2, Z3, Z4)
	NEIGHBOURS(Z0, Z2, Z4)
	NEIGHBOURS(Z0, Z0, Z4)
	VPERMPS Z0, Z29, Z0
	LEAQ (DI)(CX*2), R10
	VMOVLPS X0, (DI)
	VMOVHPS X0, (DI)(CX*1)
	VEXTRACTF128 $1, Y0, X0
	VMOVLPS X0, (R10)
	VMOVHPS X0, (R10)(CX*1)
	END
	JNZ rows
	VZEROUPPER
	RET
