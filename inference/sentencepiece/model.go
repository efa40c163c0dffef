// Package sentencepiece splits text into pieces, and joins pieces into text,
// by the rules of a SentencePiece BPE model file: its normaliser with the
// character map that the file brings, its merges, its user-defined symbols.
//
// It owns the model file's format and nothing else. It knows no translation
// model, no vocabulary other than the file's, and imports no other package of
// dragoman.
package sentencepiece

import (
	"fmt"
	"os"
)

// pieceKind is the type of a piece, numbered as in the model file.
type pieceKind uint8

const (
	kindNormal      pieceKind = 1
	kindUnknown     pieceKind = 2
	kindControl     pieceKind = 3
	kindUserDefined pieceKind = 4
	kindUnused      pieceKind = 5
	kindByte        pieceKind = 6
)

// pieceRecord is one entry of the model's vocabulary. The text lies in the
// model file's bytes, so 128,000 pieces cost no allocation of their own.
type pieceRecord struct {
	start, end uint32
	score      float32
	kind       pieceKind
}

// Model is a loaded SentencePiece model. It does not change after loading and
// may be used by several goroutines at the same time.
type Model struct {
	file   string // the model file's bytes
	pieces []pieceRecord
	index  pieceIndex

	unknown   int32
	longest   int // bytes of the longest piece that a merge can make
	hasUnused bool

	normalizer   normalizer
	denormalizer *normalizer // nil where the model has none

	unknownSurface string
}

// Load reads the model file at path. The error says where the file is broken,
// or what in it is not supported: everything but BPE, and of BPE byte fallback
// and white space as a suffix.
func Load(path string) (*Model, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read SentencePiece model: %w", err)
	}
	m, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("read SentencePiece model %s: %w", path, err)
	}
	return m, nil
}

// Parse reads a model from the bytes of a model file, which it copies.
func Parse(data []byte) (*Model, error) {
	f, err := parseFile(data)
	if err != nil {
		return nil, err
	}
	if err := f.trainer.check(); err != nil {
		return nil, err
	}
	m := &Model{
		file:           string(data),
		pieces:         f.pieces,
		unknown:        -1,
		unknownSurface: f.trainer.unknownSurface,
	}
	symbols, err := m.indexPieces()
	if err != nil {
		return nil, err
	}
	if m.normalizer, err = newNormalizer(f.normalizer, symbols); err != nil {
		return nil, fmt.Errorf("normaliser: %w", err)
	}
	if len(f.denormalizer.charsmap) > 0 {
		d, err := newNormalizer(f.denormalizer, symbolMatcher{})
		if err != nil {
			return nil, fmt.Errorf("denormaliser: %w", err)
		}
		m.denormalizer = &d
	}
	return m, nil
}

// indexPieces builds the table from a piece's text to its number, finds the
// unknown piece and collects the user-defined symbols.
func (m *Model) indexPieces() (symbolMatcher, error) {
	var symbols symbolMatcher
	m.index = newPieceIndex(len(m.pieces))
	for i := range m.pieces {
		id, p := int32(i), &m.pieces[i]
		if p.start == p.end {
			return symbols, fmt.Errorf("piece %d is empty", id)
		}
		if first := m.index.insert(m, id); first >= 0 {
			return symbols, fmt.Errorf("pieces %d and %d have the same text", first, id)
		}
		switch p.kind {
		case kindUnknown:
			if m.unknown >= 0 {
				return symbols, fmt.Errorf("pieces %d and %d are both the unknown piece", m.unknown, id)
			}
			m.unknown = id
		case kindUserDefined:
			symbols.add(m.Piece(id))
		case kindUnused:
			m.hasUnused = true
		}
		m.longest = max(m.longest, int(p.end-p.start))
	}
	if m.unknown < 0 {
		return symbols, fmt.Errorf("none of the %d pieces is the unknown piece", len(m.pieces))
	}
	symbols.sort()
	return symbols, nil
}

// Size is the number of pieces.
func (m *Model) Size() int { return len(m.pieces) }

// Piece is the text of piece id, which must be in [0, Size).
func (m *Model) Piece(id int32) string {
	p := &m.pieces[id]
	return m.file[p.start:p.end]
}

// Unknown is the number of the piece that stands for text no piece covers.
func (m *Model) Unknown() int32 { return m.unknown }

// Lookup is the number of the piece with this text, control pieces and the
// unknown piece included.
func (m *Model) Lookup(piece string) (int32, bool) { return m.index.lookup(m, piece) }
