package sentencepiece

import "hash/maphash"

// pieceIndex maps the text of a piece to its number: open addressing with
// linear probing over a table of numbers, the texts staying in the model file.
// A Go map of 128,000 strings takes four times as long to fill and gives the
// garbage collector 128,000 pointers to follow.
type pieceIndex struct {
	seed  maphash.Seed
	mask  uint64
	slots []uint64 // upper half of the hash, number of the piece + 1; 0 is free
}

func newPieceIndex(n int) pieceIndex {
	size := 16
	for size < 2*n {
		size *= 2
	}
	return pieceIndex{seed: maphash.MakeSeed(), mask: uint64(size - 1), slots: make([]uint64, size)}
}

// insert adds piece id; where another piece with the same text is there
// already, that piece's number is returned, else -1.
func (x *pieceIndex) insert(m *Model, id int32) int32 {
	text := m.Piece(id)
	hash := maphash.String(x.seed, text)
	for at := hash & x.mask; ; at = (at + 1) & x.mask {
		slot := x.slots[at]
		if slot == 0 {
			x.slots[at] = hash&^0xFFFFFFFF | uint64(id+1)
			return -1
		}
		if (slot^hash)>>32 == 0 && m.Piece(slotPiece(slot)) == text {
			return slotPiece(slot)
		}
	}
}

func (x *pieceIndex) lookup(m *Model, text string) (int32, bool) {
	hash := maphash.String(x.seed, text)
	for at := hash & x.mask; ; at = (at + 1) & x.mask {
		slot := x.slots[at]
		if slot == 0 {
			return 0, false
		}
		if (slot^hash)>>32 == 0 && m.Piece(slotPiece(slot)) == text {
			return slotPiece(slot), true
		}
	}
}

func slotPiece(slot uint64) int32 { return int32(uint32(slot)) - 1 }
