package kernel

import "encoding/binary"

// Tiles are how a processor with instructions for them multiplies (Intel AMX): sixteen
// vectors at once with 32 rows of weights of eight bits, or 16 of four.
const (
	tileVectors = 16
	tileColumns = 64
	tileRows    = 32
	tileBytes   = tileVectors * tileColumns

	// Fewer vectors are faster by the other instructions.
	leastTiled = 6

	// Of weights of four bits.
	mostGroups     = 8
	groupsTogether = 4
)

// tiled tells whether products with so many vectors go in tiles.
func (v Vectors) tiled(count int) bool { return v.tiles != nil && count >= leastTiled }

// withTiles makes room for those of so many vectors, where there are tiles here.
func (v Vectors) withTiles(count int) Vectors {
	groups := v.width / Group
	if best.tiles && (!v.grouped || groups%groupsTogether == 0 && groups <= mostGroups) {
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
	if v.grouped {
		v.packGroup(tiles[group*tileGroup:][:tileGroup], data[group*group8:], n)
		return
	}
	packTiles8(&tiles[group*2*tileBytes], &data[group*Group], v.size, n)
	if group == 0 {
		scales := tiles[groups*2*tileBytes:]
		for i := range n {
			copy(scales[4*i:4*i+4], data[i*v.size+v.width:])
		}
	}
}

// tileGroup is how many bytes a group of sixteen vectors with a scale a group takes: two
// tiles, then for each vector what undoes the weights' offset, and its scale.
const tileGroup = 2*tileBytes + 2*4*tileVectors

func (v Vectors) packGroup(tiles, data []byte, n int) {
	packTiles4(&tiles[0], &data[0], v.size, n)
	offsets, scales := tiles[2*tileBytes:], tiles[2*tileBytes+4*tileVectors:]
	for i := range n {
		group := data[i*v.size:][:group8]
		offset := uint32(0)
		for lane := range Lanes {
			offset += binary.LittleEndian.Uint32(group[Group+4*lane:])
		}
		binary.LittleEndian.PutUint32(offsets[4*i:], offset)
		copy(scales[4*i:4*i+4], group[Group+4*Lanes:])
	}
}

// tileBlock is how many bytes sixteen vectors take: groups as above, or two tiles for each
// group of columns, then the vectors' scales.
func (v Vectors) tileBlock() int {
	groups := v.width / Group
	if v.grouped {
		return groups * tileGroup
	}
	return groups*2*tileBytes + 4*tileVectors
}
