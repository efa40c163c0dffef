package draft

import (
	"math"
	"slices"
	"sync"
)

// Memory keeps the last sources and outputs of a process. It is bounded (some
// megabytes) and safe for concurrent use.
type Memory struct {
	begins func(token int32) bool // a word

	mu     sync.Mutex
	last   []pair   // in a ring
	pairs  uint32   // that there ever were
	places []uint32 // numbers of pairs, from 1 on, by a mark of their source

	outputs []int32  // in a ring, each output after a boundary
	end     uint32   // tokens that were ever put there
	follows []uint32 // numbers of tokens, by the tokens before them
}

// pair is a source with its output.
type pair struct {
	source []int32
	target int32
	output []int32
}

const (
	mostPairs   = 4096
	marks       = 8       // of a source
	markPlaces  = 1 << 16 // twice as many as there are marks
	mostOutputs = 1 << 16 // tokens
	boundary    = -1
	before      = 3 // tokens that outputs share where one may go on like the other
	// leastAlike is the share of tokens that need no change in a source whose
	// output is worth following.
	leastAlike = 0.5
)

// NewMemory makes an empty memory. begins tells whether a token begins a word.
func NewMemory(begins func(token int32) bool) *Memory { return &Memory{begins: begins} }

// Forget empties the memory.
func (m *Memory) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last, m.places, m.outputs, m.follows = nil, nil, nil, nil
	m.pairs, m.end = 0, 0
}

// Learn remembers an output that is not from a Sentence. Tokens are as there.
func (m *Memory) Learn(source []int32, target int32, output []int32) {
	m.put(slices.Clone(source), target, slices.Clone(output))
}

// put remembers. The slices are the memory's from now on.
func (m *Memory) put(source []int32, target int32, output []int32) {
	if len(output) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.last == nil {
		m.last, m.places = make([]pair, mostPairs), make([]uint32, markPlaces)
		m.outputs, m.follows = make([]int32, mostOutputs), make([]uint32, mostOutputs)
	}
	m.pairs++
	m.last[m.pairs%mostPairs] = pair{source, target, output}
	for _, mark := range marksOf(source, target) {
		m.places[mark%markPlaces] = m.pairs
	}
	m.write(boundary)
	for i, token := range output {
		m.write(token)
		if i+1 >= before {
			m.follows[hashOf(target, output[i+1-before:i+1])%mostOutputs] = m.end
		}
	}
}

func (m *Memory) write(token int32) {
	m.outputs[m.end%mostOutputs] = token
	m.end++
}

// after appends to guess how an earlier output went on that had the same last
// tokens.
func (m *Memory) after(guess []int32, target int32, output []int32) []int32 {
	if len(output) < before {
		return guess
	}
	tail := output[len(output)-before:]
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.follows == nil {
		return guess
	}
	next := m.follows[hashOf(target, tail)%mostOutputs]
	if next < before || m.end-next > mostOutputs-before {
		return guess // there is none, or it was overwritten
	}
	for i, token := range tail {
		if m.outputs[(next-before+uint32(i))%mostOutputs] != token {
			return guess
		}
	}
	for ; next != m.end && len(guess) < Most; next++ {
		token := m.outputs[next%mostOutputs]
		if token == boundary {
			break
		}
		guess = append(guess, token)
	}
	return guess
}

// like is the output of the source that is most like this one, nil where none is
// near.
func (m *Memory) like(source []int32, target int32) []int32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.places == nil {
		return nil
	}
	seen := make([]uint32, 0, marks)
	best, share := []int32(nil), leastAlike
	for _, mark := range marksOf(source, target) {
		n := m.places[mark%markPlaces]
		if n == 0 || m.pairs-n >= mostPairs || slices.Contains(seen, n) {
			continue
		}
		seen = append(seen, n)
		p := m.last[n%mostPairs]
		if p.target != target || p.source[0] != source[0] {
			continue
		}
		if a := alike(p.source, source); a >= share {
			best, share = p.output, a
		}
	}
	return best
}

// marksOf are the least hashes of a source's pairs of tokens, by several hash
// functions: two sources share each with a probability that is the share of pairs
// they have in common (Broder 1997).
func marksOf(source []int32, target int32) (least [marks]uint32) {
	for i := range least {
		least[i] = math.MaxUint32
	}
	for i := 1; i < len(source); i++ {
		h := hashOf(source[0], []int32{target, source[i-1], source[i]})
		for f := range least {
			h = mix(h + uint64(f))
			least[f] = min(least[f], uint32(h>>32))
		}
	}
	return least
}

func hashOf(first int32, rest []int32) uint64 {
	h := mix(uint64(uint32(first)) + 1)
	for _, token := range rest {
		h = mix(h ^ uint64(uint32(token)))
	}
	return h
}

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// alike is the share of tokens that need no change (Levenshtein's distance).
func alike(a, b []int32) float64 {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		corner := row[0]
		row[0] = i + 1
		for j := range b {
			change := corner
			if a[i] != b[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	longest := max(len(a), len(b))
	return float64(longest-row[len(b)]) / float64(longest)
}
