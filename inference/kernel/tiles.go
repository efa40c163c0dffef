package kernel

// Tiles are how a processor with instructions for them multiplies (Intel AMX): sixteen
// vectors at once with 32 rows of weights of eight bits.
const (
	tileVectors = 16
	tileRows    = 32
	tileGroup   = tileVectors * Group // bytes of a group's columns of sixteen vectors: two tiles

	// Fewer vectors are faster by the other instructions.
	leastTiled = 6
)

// tiled tells whether products with so many vectors go in tiles.
func (v Vectors) tiled(count int) bool { return v.tiles != nil && count >= leastTiled }

// withTiles makes room for those of so many vectors, where there are tiles here.
func (v Vectors) withTiles(count int) Vectors {
	if best.tiles {
		v.tiles = aligned((count + tileVectors - 1) / tileVectors * v.tileBlock())
	}
	return v
}

// Pieces is how many pieces of Pack make so many vectors ready for products, 0 where
// there is nothing to do.
func (v Vectors) Pieces(count int) int {
	if !v.tiled(count) {
		return 0
	}
	return (count + tileVectors - 1) / tileVectors * (v.width / Group)
}

// Pack makes a piece of the first count vectors ready for products with all of them,
// after they were set: a group of columns of sixteen. Pieces may be made at once.
func (v Vectors) Pack(piece, count int) {
	groups := v.width / Group
	block, group := piece/groups, piece%groups
	n := min(count-block*tileVectors, tileVectors)
	tiles := v.tiles[block*v.tileBlock():][:v.tileBlock()]
	data := v.data[block*tileVectors*v.size:]
	packTiles(&tiles[group*tileGroup], &data[group*Group], v.size, n)
	if group == 0 {
		scales := tiles[groups*tileGroup:]
		for i := range n {
			copy(scales[4*i:4*i+4], data[i*v.size+v.width:])
		}
	}
}

// tileBlock is how many bytes sixteen vectors take: two tiles for each group of columns,
// then the vectors' scales.
func (v Vectors) tileBlock() int { return v.width/Group*tileGroup + 4*tileVectors }
