// The halves of Ya and of Yb, added, side by side in Ya. Several products are summed
// together in the order of one, so that each is the same beside others as alone.
#define SIDE_BY_SIDE(Xb, Ya, Yb, Yt) \
	VINSERTF128 $1, Xb, Ya, Yt; \
	VPERM2F128 $0x31, Yb, Ya, Ya; \
	VADDPS Ya, Yt, Ya
