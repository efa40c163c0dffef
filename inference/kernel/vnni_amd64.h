// Adds to each 32-bit number of Yd two products of 16-bit numbers of Yv and Ym
// (VPDPWSSD), or four of unsigned bytes of Yv and signed ones of Ym (VPDPBUSD). The
// assembler knows only the instructions of AVX-512; these are those of AVX-VNNI, which
// processors have without it. Registers are given by their numbers.
#define VNNI(opcode, m, v, d) \
	BYTE $0xc4; \
	BYTE $(0x42 | (1-(d>>3))<<7 | (1-(m>>3))<<5); \
	BYTE $(0x05 | (15-v)<<3); \
	BYTE $opcode; \
	BYTE $(0xc0 | (d&7)<<3 | (m&7))

#define DOT16(m, v, d) VNNI(0x52, m, v, d)
#define DOT8(m, v, d) VNNI(0x50, m, v, d)
