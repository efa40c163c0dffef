// Turns sixteen registers of sixteen 32-bit numbers, Z0 to Z15, so that columns become
// registers. Z16 to Z31 are overwritten.
#define TRANSPOSE \
	PAIRS(Z0, Z1, Z16, Z17); PAIRS(Z2, Z3, Z18, Z19); \
	PAIRS(Z4, Z5, Z20, Z21); PAIRS(Z6, Z7, Z22, Z23); \
	PAIRS(Z8, Z9, Z24, Z25); PAIRS(Z10, Z11, Z26, Z27); \
	PAIRS(Z12, Z13, Z28, Z29); PAIRS(Z14, Z15, Z30, Z31); \
	FOURS(Z16, Z18, Z0, Z1); FOURS(Z17, Z19, Z2, Z3); \
	FOURS(Z20, Z22, Z4, Z5); FOURS(Z21, Z23, Z6, Z7); \
	FOURS(Z24, Z26, Z8, Z9); FOURS(Z25, Z27, Z10, Z11); \
	FOURS(Z28, Z30, Z12, Z13); FOURS(Z29, Z31, Z14, Z15); \
	LANES(Z0, Z4, Z16, Z17); LANES(Z8, Z12, Z18, Z19); \
	LANES(Z1, Z5, Z20, Z21); LANES(Z9, Z13, Z22, Z23); \
	LANES(Z2, Z6, Z24, Z25); LANES(Z10, Z14, Z26, Z27); \
	LANES(Z3, Z7, Z28, Z29); LANES(Z11, Z15, Z30, Z31); \
	LANES(Z16, Z18, Z0, Z8); LANES(Z17, Z19, Z4, Z12); \
	LANES(Z20, Z22, Z1, Z9); LANES(Z21, Z23, Z5, Z13); \
	LANES(Z24, Z26, Z2, Z10); LANES(Z25, Z27, Z6, Z14); \
	LANES(Z28, Z30, Z3, Z11); LANES(Z29, Z31, Z7, Z15)

#define PAIRS(Za, Zb, Zc, Zd) \
	VPUNPCKLDQ Zb, Za, Zc; \
	VPUNPCKHDQ Zb, Za, Zd

#define FOURS(Za, Zb, Zc, Zd) \
	VPUNPCKLQDQ Zb, Za, Zc; \
	VPUNPCKHQDQ Zb, Za, Zd

// The even lanes of 128 bits, and the odd ones.
#define LANES(Za, Zb, Zc, Zd) \
	VSHUFI32X4 $0x88, Zb, Za, Zc; \
	VSHUFI32X4 $0xdd, Zb, Za, Zd
