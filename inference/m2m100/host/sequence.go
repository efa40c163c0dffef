package host

import (
	"slices"

	"dragoman/inference/kernel"
)

// Cross is the keys and values of one decoder layer's cross-attention,
// [heads, source, kernel.Head] each.
type Cross struct{ Keys, Values []float32 }

// Sequence is one output on its way.
type Sequence struct {
	// Embeddings of the tokens that the next step adds, [New, d].
	Embeddings []float32
	New        int
	// Drafted is how many of the last new tokens are guesses. What follows the
	// tokens before them, from the last one that is none on, is in Checked.
	Drafted int

	// Best are those to follow the last of the new tokens. Of a model that
	// computes nonsense the first score is no number.
	Best
	// Checked are those to follow the token before each guess, in their order.
	Checked []Best

	cross    []Cross
	source   int
	length   int // tokens in the cache
	capacity int
	keys     [][]float32 // by layer, [heads, capacity, kernel.Head]
	values   [][]float32
	past     []span // tokens that other beams have in their caches, from the first on
}

// NewSequence makes a sequence of the model.
func (m *Model) NewSequence() *Sequence {
	return &Sequence{keys: make([][]float32, m.config.DecoderLayers), values: make([][]float32, m.config.DecoderLayers)}
}

// Begin empties the sequence for an output of at most capacity tokens with those
// before the first. cross, by layer, is read in each step and not copied.
func (s *Sequence) Begin(m *Model, cross []Cross, capacity int) {
	s.cross, s.length, s.Drafted, s.past = cross, 0, 0, s.past[:0]
	s.source = len(cross[0].Keys) / m.config.DModel
	if capacity <= s.capacity {
		return
	}
	s.capacity = capacity
	for l := range s.keys {
		s.keys[l] = make([]float32, capacity*m.config.DModel)
		s.values[l] = make([]float32, capacity*m.config.DModel)
	}
}

// Back takes the last n tokens out of the cache, as if no step had added them.
func (s *Sequence) Back(n int) { s.length -= n }

// follow is where the candidates go that follow a token so many before the last
// new one.
func (s *Sequence) follow(before int) *Best {
	if before == 0 {
		return &s.Best
	}
	return &s.Checked[s.Drafted-before]
}

// remember puts the keys and values of one head and token into the cache.
func (s *Sequence) remember(l, head, at int, key, value []float32) {
	i := s.at(head, at)
	copy(s.keys[l][i:i+kernel.Head], key)
	copy(s.values[l][i:i+kernel.Head], value)
}

// Cut copies to dst the keys or values of one of several sources, [sources, heads,
// length, kernel.Head], without its padding after used positions. It returns dst,
// or a longer slice where that is too short.
func (m *Model) Cut(dst, from []float32, index, length, used int) []float32 {
	n := used * kernel.Head
	dst = slices.Grow(dst[:0], m.config.DecoderHeads*n)
	for head := range m.config.DecoderHeads {
		at := (index*m.config.DecoderHeads + head) * length * kernel.Head
		dst = append(dst, from[at:at+n]...)
	}
	return dst
}
