package sentencepiece

import "unicode/utf8"

// symbol is a stretch of the normalised text in a doubly linked list. A symbol
// that was merged into its left neighbour is empty.
type symbol struct {
	start, end int32
	prev, next int32 // -1 at the ends
	frozen     bool  // a user-defined symbol, never merged
}

// candidate is a possible merge of a symbol with its right neighbour. It is
// stale, and skipped, when the two have another size by the time it is taken:
// symbols only grow, so the same size means the same symbols.
type candidate struct {
	score float32
	left  int32
	size  int32 // bytes of the merged piece
}

// before is the order of merges: the highest score, among equal ones the
// leftmost.
func (c candidate) before(d candidate) bool {
	return c.score > d.score || c.score == d.score && c.left < d.left
}

// merger cuts one normalised text. Time is O(n log n) in the text's length,
// for one long word too: every merge takes one symbol away and adds at most two
// candidates, and no candidate is longer than the longest piece.
type merger struct {
	m       *Model
	text    string
	symbols []symbol
	agenda  agenda
	// splits says where a piece of type "unused" was put together, so that it
	// can be taken apart again; nil where the model has no such piece.
	splits map[string]int32
}

func newMerger(m *Model, text string) *merger {
	g := &merger{m: m, text: text, symbols: make([]symbol, 0, utf8.RuneCountInString(text))}
	if m.hasUnused {
		g.splits = make(map[string]int32)
	}
	for at := 0; at < len(text); {
		size := m.normalizer.symbols.match(text[at:])
		frozen := size > 0
		if !frozen {
			_, size = utf8.DecodeRuneInString(text[at:])
		}
		i := int32(len(g.symbols))
		g.symbols = append(g.symbols, symbol{
			start: int32(at), end: int32(at + size), prev: i - 1, next: i + 1, frozen: frozen,
		})
		at += size
	}
	if n := len(g.symbols); n > 0 {
		g.symbols[n-1].next = -1
	}
	return g
}

// run merges until nothing is left to merge.
func (g *merger) run() {
	g.agenda = make(agenda, 0, len(g.symbols))
	for i := range g.symbols {
		if c, ok := g.candidate(int32(i)); ok {
			g.agenda = append(g.agenda, c)
		}
	}
	g.agenda.order()
	for len(g.agenda) > 0 {
		c := g.agenda.pop()
		left := &g.symbols[c.left]
		if left.start == left.end || left.next < 0 {
			continue
		}
		right := &g.symbols[left.next]
		if right.end-left.start != c.size {
			continue
		}
		left.end = right.end
		left.next = right.next
		right.start = right.end
		if left.next >= 0 {
			g.symbols[left.next].prev = c.left
		}
		g.push(left.prev)
		g.push(c.left)
	}
}

func (g *merger) push(left int32) {
	if left < 0 {
		return
	}
	if c, ok := g.candidate(left); ok {
		g.agenda.push(c)
	}
}

// candidate looks up the piece that symbol left makes with its neighbour.
func (g *merger) candidate(left int32) (candidate, bool) {
	l := &g.symbols[left]
	if l.next < 0 {
		return candidate{}, false
	}
	r := &g.symbols[l.next]
	size := r.end - l.start
	if l.frozen || r.frozen || int(size) > g.m.longest {
		return candidate{}, false
	}
	merged := g.text[l.start:r.end]
	id, ok := g.m.Lookup(merged)
	if !ok {
		return candidate{}, false
	}
	switch p := &g.m.pieces[id]; p.kind {
	case kindNormal, kindUserDefined:
	case kindUnused:
		g.splits[merged] = l.end - l.start
	default:
		return candidate{}, false // control pieces are not made from text
	}
	return candidate{score: g.m.pieces[id].score, left: left, size: size}, true
}

// emit calls f with the pieces from left to right, "unused" ones taken apart.
func (g *merger) emit(f func(start, end, id int32)) {
	for i := int32(0); i >= 0 && len(g.symbols) > 0; i = g.symbols[i].next {
		g.emitPiece(g.symbols[i].start, g.symbols[i].end, f)
	}
}

func (g *merger) emitPiece(start, end int32, f func(start, end, id int32)) {
	piece := g.text[start:end]
	id, ok := g.m.Lookup(piece)
	if !ok {
		id = g.m.unknown
	}
	if g.m.pieces[id].kind == kindUnused {
		if split, ok := g.splits[piece]; ok {
			g.emitPiece(start, start+split, f)
			g.emitPiece(start+split, end, f)
			return
		}
	}
	f(start, end, id)
}
