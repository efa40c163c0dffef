#include "textflag.h"
#include "funcdata.h"

// Instructions for tiles (Intel AMX), which the assembler does not know. A tile is sixteen
// rows of 64 bytes: of weights sixteen rows, 64 columns, of activations sixteen vectors
// side by side, four columns a row, of sums sixteen rows of weights, for as many vectors.
//
// Registers are given by their numbers: AX is 0, CX 1, DX 2, BX 3, SI 6, DI 7.

// VEX.128, opcodes of 0F 38.
#define TILE(v, prefix, opcode, modrm) \
	BYTE $0xc4; BYTE $0xe2; BYTE $((15-v)<<3 | prefix); BYTE $opcode; BYTE $(modrm)

#define LDTILECFG_AX TILE(0, 0, 0x49, 0x00)
#define TILERELEASE TILE(0, 0, 0x49, 0xc0)
#define TILEZERO(t) TILE(0, 3, 0x49, 0xc0 | t<<3)
// From and to rows at base, stride bytes apart.
#define TILELOADD(base, stride, t) TILE(0, 3, 0x4b, 0x04 | t<<3); BYTE $(stride<<3 | base)
#define TILESTORED(t, base, stride) TILE(0, 2, 0x4b, 0x04 | t<<3); BYTE $(stride<<3 | base)
// Adds to sum the products of a's and b's signed bytes.
#define TDPBSSD(a, b, sum) TILE(b, 3, 0x5e, 0xc0 | sum<<3 | a)

// Eight tiles, all of them whole.
DATA shapes<>+0(SB)/8, $1
DATA shapes<>+8(SB)/8, $0
DATA shapes<>+16(SB)/8, $0x0040004000400040
DATA shapes<>+24(SB)/8, $0x0040004000400040
DATA shapes<>+32(SB)/8, $0
DATA shapes<>+40(SB)/8, $0
DATA shapes<>+48(SB)/8, $0x1010101010101010
DATA shapes<>+56(SB)/8, $0
GLOBL shapes<>(SB), RODATA|NOPTR, $64

#define STORE(Zr, end) \
	VMOVUPS Zr, K1, (R9); \
	ADDQ R13, R9; \
	DECQ R12; \
	JZ end

// Z0 to Z15 to the results of so many vectors as R12 says, at most sixteen, from R9 on,
// R13 bytes apart. K1 is which rows there are.
#define STORES(end) \
	STORE(Z0, end); STORE(Z1, end); STORE(Z2, end); STORE(Z3, end); \
	STORE(Z4, end); STORE(Z5, end); STORE(Z6, end); STORE(Z7, end); \
	STORE(Z8, end); STORE(Z9, end); STORE(Z10, end); STORE(Z11, end); \
	STORE(Z12, end); STORE(Z13, end); STORE(Z14, end); STORE(Z15, end)

// Sixteen rows at from(DI) to Z0 to Z15.
#define ROWS(from) \
	VMOVDQU32 from+0(DI), Z0; VMOVDQU32 from+64(DI), Z1; \
	VMOVDQU32 from+128(DI), Z2; VMOVDQU32 from+192(DI), Z3; \
	VMOVDQU32 from+256(DI), Z4; VMOVDQU32 from+320(DI), Z5; \
	VMOVDQU32 from+384(DI), Z6; VMOVDQU32 from+448(DI), Z7; \
	VMOVDQU32 from+512(DI), Z8; VMOVDQU32 from+576(DI), Z9; \
	VMOVDQU32 from+640(DI), Z10; VMOVDQU32 from+704(DI), Z11; \
	VMOVDQU32 from+768(DI), Z12; VMOVDQU32 from+832(DI), Z13; \
	VMOVDQU32 from+896(DI), Z14; VMOVDQU32 from+960(DI), Z15

// All sixteen vectors, or rows.
#define SIXTEEN(one) \
	one(0); one(1); one(2); one(3); one(4); one(5); one(6); one(7); \
	one(8); one(9); one(10); one(11); one(12); one(13); one(14); one(15)

// Packing: sixteen vectors at SI become two tiles at BX. SPLIT makes two rows of 64 bytes
// of a vector, in room on the stack at DI; TURN turns them. R8 is
// the bytes of a vector, CX how many there are behind.
#define PACKING \
	MOVQ tiles+0(FP), BX; \
	MOVQ q+8(FP), SI; \
	MOVQ size+16(FP), R8; \
	MOVQ count+24(FP), CX; \
	LEAQ room-2112(SP), DI; \
	ADDQ $63, DI; \
	ANDQ $~63, DI; \
	SUBQ $1, CX

// The next vector, or the last one again.
#define FOLLOWING \
	XORQ AX, AX; \
	SUBQ $1, CX; \
	CMOVQPL R8, AX; \
	ADDQ AX, SI

// Turns sixteen vectors at DI into a tile at BX.
#define TURN(at) \
	ROWS(at); \
	TRANSPOSE; \
	VMOVDQU32 Z0, at+0(BX); VMOVDQU32 Z1, at+64(BX); VMOVDQU32 Z2, at+128(BX); VMOVDQU32 Z3, at+192(BX); \
	VMOVDQU32 Z4, at+256(BX); VMOVDQU32 Z5, at+320(BX); VMOVDQU32 Z6, at+384(BX); VMOVDQU32 Z7, at+448(BX); \
	VMOVDQU32 Z8, at+512(BX); VMOVDQU32 Z9, at+576(BX); VMOVDQU32 Z10, at+640(BX); VMOVDQU32 Z11, at+704(BX); \
	VMOVDQU32 Z12, at+768(BX); VMOVDQU32 Z13, at+832(BX); VMOVDQU32 Z14, at+896(BX); VMOVDQU32 Z15, at+960(BX)
