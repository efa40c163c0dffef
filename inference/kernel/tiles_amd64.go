package kernel

//go:noescape
func int8Tiles(out *float32, stride int, w *int8, scales *float32, tiles *byte, width, rows, count int)

//go:noescape
func packTiles8(tiles, q *byte, size, count int)

//go:noescape
func int4Tiles(out *float32, stride int, w *byte, scales *uint16, tiles *byte, groups, rows, count int)

//go:noescape
func packTiles4(tiles, q *byte, size, count int)
