// The halves of Ya and of Yb, added, side by side in Ya. Several products are summed
// together in the order of one, so that each is the same beside others as alone.
#define SIDE_BY_SIDE(Xb, Ya, Yb, Yt) \
	VINSERTF128 $1, Xb, Ya, Yt; \
	VPERM2F128 $0x31, Yb, Ya, Ya; \
	VADDPS Ya, Yt, Ya

// Adds the eight numbers of Yn into the lowest of Xn. Xt is overwritten.
#define SUM(Yn, Xn, Xt) \
	VEXTRACTF128 $1, Yn, Xt; \
	VADDPS Xt, Xn, Xn; \
	VHADDPS Xn, Xn, Xn; \
	VHADDPS Xn, Xn, Xn

// Adds the eight numbers of Yn into all lanes of it. Yt is overwritten.
#define SUM_EVERYWHERE(Yn, Yt) \
	VPERM2F128 $1, Yn, Yn, Yt; \
	VADDPS Yt, Yn, Yn; \
	VHADDPS Yn, Yn, Yn; \
	VHADDPS Yn, Yn, Yn

// As SIDE_BY_SIDE and SUM, of integers.
#define INTEGERS_SIDE_BY_SIDE(Xb, Ya, Yb, Yt) \
	VINSERTI128 $1, Xb, Ya, Yt; \
	VPERM2I128 $0x31, Yb, Ya, Ya; \
	VPADDD Ya, Yt, Ya

#define SUM_INTEGERS(Yn, Xn, Xt) \
	VEXTRACTI128 $1, Yn, Xt; \
	VPADDD Xt, Xn, Xn; \
	VPHADDD Xn, Xn, Xn; \
	VPHADDD Xn, Xn, Xn
