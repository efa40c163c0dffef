package kernel

// Tiles are how a processor with instructions for them multiplies (Intel AMX): sixteen
// vectors at once with 32 rows of weights.
const (
	tileVectors = 16
	tileColumns = 64
	tileRows    = 32
	// Fewer vectors are faster by the other instructions.
	leastTiled = 6
)

// Pieces is how many pieces of Pack make so many vectors of 16 bits ready for products,
// 0 where there is nothing to do.
func (v Vectors) Pieces(count int) int {
	if v.tiles == nil || count < leastTiled {
		return 0
	}
	return (count + tileVectors - 1) / tileVectors * (v.width / tileColumns)
}

// Pack makes a piece of the first count vectors ready for products with all of them,
// after they were set. Pieces may be made at once.
func (v Vectors) Pack(piece, count int) {
	columns := v.width / tileColumns
	block, column := piece/columns, piece%columns
	n := min(count-block*tileVectors, tileVectors)
	tiles := v.tiles[block*tileBlock(v.width):][:tileBlock(v.width)]
	from := block * tileVectors * v.size
	packTiles(&tiles[column*2*tileVectors*tileColumns], &v.data[from+column*2*tileColumns], v.size, n)
	if column == 0 {
		scales := tiles[columns*2*tileVectors*tileColumns:]
		for i := range n {
			copy(scales[4*i:4*i+4], v.data[from+i*v.size+2*v.width:])
		}
	}
}

// tileBlock is how many bytes the tiles of sixteen vectors take: for each 64 columns one
// of the upper bytes and one of the lower, then the vectors' scales.
func tileBlock(width int) int {
	return tileVectors*2*width + tileVectors*4
}
