package kernel

//go:noescape
func int8Tiles(out *float32, stride int, w *int8, scales *float32, tiles *byte, width, rows, count int)

//go:noescape
func packTiles(tiles, q *byte, size, count int)
