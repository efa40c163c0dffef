package host

import (
	"slices"
	"sync/atomic"

	"dragoman/inference/kernel"
)

// LayerNormEpsilon is PyTorch's default, which the architecture keeps.
const LayerNormEpsilon = 1e-5

// step is what a step works on. Rows are new tokens: those of the first
// sequence, then those of the next.
type step struct {
	sequences []*Sequence
	first     []int // row of each sequence's first new token
	rows      int
	asked     []asked // new tokens of which is asked what follows them

	hidden   []float32      // [rows, d], the residual stream
	wide     []float32      // [rows, 3d or ffn], outputs of the products
	heads    []float32      // [rows, d], what the heads of an attention give
	narrow   kernel.Vectors // what normalisations give
	attended kernel.Vectors
	inner    kernel.Vectors // of the feed-forward layers
	last     []float32      // [asked, d]
	lastQ    kernel.Vectors // of few, which meet four bits
	lastMany kernel.Vectors // of many, which meet eight bits that four are expanded to
	many     bool
	sums     []blockSum // [asked, blocks of the vocabulary], of beam searches
	members  []scratch
	claims   []claim
	alone    bool  // the first member does all
	look     *look // what is asked instead of candidates, nil mostly
}

// working are the members that work on the step.
func (s *step) working() []scratch {
	if s.alone {
		return s.members[:1]
	}
	return s.members
}

// scratch is a member's own memory.
type scratch struct {
	normal     []float32   // d
	attention  []float32   // scores of the positions
	output     []float32   // [asked, outputRows], scores of tokens
	expanded   kernel.Int8 // [outputRows, d] of the output matrix
	candidates []Best
	_          [64]byte
}

// asked is a new token of which is asked what follows it.
type asked struct {
	row, before int // before the sequence's last new token
	*Sequence
	err error
}

// claim hands out the units of one phase.
type claim struct {
	next atomic.Int64
	_    [56]byte
}

const (
	phasesPerLayer = 20
	otherPhases    = 5
	outputChunk    = 1024 // tokens that a member takes at most at once
)

func (s *step) init(m *Model, phases int) {
	s.members = make([]scratch, m.team.size)
	for i := range s.members {
		s.members[i] = scratch{
			normal:    make([]float32, m.config.DModel),
			attention: make([]float32, m.config.MaxPositions+2+kernel.Lanes),
		}
	}
	s.claims = make([]claim, phases)
	s.grow(m, 2, 1)
}

// grow makes room for so many rows and tokens that are asked about, see fill.
func (s *step) grow(m *Model, rows, asking int) {
	c := m.config
	rows, asking = fill(rows), fill(asking)
	if n := rows * c.DModel; n > len(s.hidden) {
		vectors := func(i input) kernel.Vectors {
			if m.format.of(i) == Int4 {
				return kernel.NewGrouped(m.width(i), rows)
			}
			return kernel.NewVectors(m.width(i), rows)
		}
		s.hidden, s.heads = make([]float32, n), make([]float32, n)
		s.wide = make([]float32, rows*max(3*c.DModel, m.ffn))
		s.narrow, s.attended, s.inner = vectors(selfIn), vectors(selfAttended), vectors(feedForwardInner)
	}
	if n := asking * c.DModel; n > len(s.last) {
		s.last = make([]float32, n)
		s.lastQ = kernel.NewGrouped(c.DModel, asking)
		if kernel.ExpandsFor(asking) {
			s.lastMany = kernel.NewVectors(c.DModel, asking)
		}
		s.first, s.asked = make([]int, 0, asking), make([]asked, 0, asking)
		for i := range s.members {
			s.members[i].output = make([]float32, asking*outputRows)
			s.members[i].candidates = make([]Best, asking)
			if kernel.ExpandsFor(asking) && s.members[i].expanded.Width == 0 {
				s.members[i].expanded = kernel.Int8{Width: c.DModel, Weights: make([]int8, outputRows*c.DModel), Scales: make([]float32, outputRows)}
			}
		}
	}
}

// fill is how many vectors meet the weights for count of them: three take longer
// than four, which go together.
func fill(count int) int {
	if count%4 == 3 {
		return count + 1
	}
	return count
}

// filled is how many of x meet the weights for count of them: tiles are full as it is.
func filled(x kernel.Vectors, count int) int {
	if x.Pieces(count) > 0 {
		return count
	}
	return fill(count)
}

// Step adds each sequence's new tokens and finds what may come next.
func (m *Model) Step(sequences ...*Sequence) error {
	s := &m.step
	asking := 0
	for _, q := range sequences {
		asking += 1 + q.Drafted
	}
	s.take(m, sequences, asking)
	for i, q := range sequences {
		if q.Drafted > len(q.Checked) {
			q.Checked = make([]Best, q.Drafted)
		}
		for before := q.Drafted; before >= 0; before-- {
			s.asked = append(s.asked, asked{row: s.first[i] + q.New - 1 - before, before: before, Sequence: q})
		}
	}
	s.makeSums(m.config.VocabSize)
	s.many = kernel.ExpandsFor(len(s.asked)) && !slices.ContainsFunc(s.asked, func(a asked) bool { return a.beam })
	s.unclaim()
	if err := m.run(s.rows); err != nil {
		return err
	}
	for _, q := range sequences {
		q.length += q.New
	}
	for _, a := range s.asked {
		if a.err != nil {
			return a.err
		}
	}
	return nil
}

// take makes rows of the sequences' new tokens, of which so many will be asked about.
func (s *step) take(m *Model, sequences []*Sequence, asking int) {
	rows := 0
	for _, q := range sequences {
		rows += q.New
	}
	s.grow(m, rows, asking)
	s.sequences, s.first, s.asked, s.rows = sequences, s.first[:0], s.asked[:0], 0
	for _, q := range sequences {
		s.first = append(s.first, s.rows)
		copy(s.hidden[s.rows*m.config.DModel:], q.Embeddings[:q.New*m.config.DModel])
		s.rows += q.New
	}
}

func (s *step) unclaim() {
	for i := range s.claims {
		s.claims[i].next.Store(0)
	}
}

// member is one of the team in a step. Phases follow each other in all members
// alike.
type member struct {
	*Model
	*scratch
	phase int
}

// share calls work for ranges of n units until all are taken, then waits for
// the others. Ranges begin large and end small, least units at the end, so that
// all members end together however fast each is.
func (m *member) share(n, least, most int, work func(from, to int)) {
	if m.step.alone {
		for from := 0; from < n; from += most {
			work(from, min(from+most, n))
		}
		return
	}
	next := &m.step.claims[m.phase].next
	for {
		from := int(next.Load())
		if from >= n {
			break
		}
		size := (n - from) / (2 * m.team.size)
		size = min(max(size-size%least, least), most, n-from)
		if next.CompareAndSwap(int64(from), int64(from+size)) {
			work(from, from+size)
		}
	}
	m.phase++
	m.team.barrier()
}

// work is a member's part of a step.
func (m *Model) work(number int) {
	b := member{Model: m, scratch: &m.step.members[number]}
	if look := m.step.look; look != nil {
		b.lookAt(look)
		return
	}
	for l := range m.weights.layers {
		b.layer(l)
	}
	b.lastNormal()
	b.score()
	b.rank()
}

// layer is a member's part of one layer.
func (m *member) layer(l int) {
	m.untilCross(l)
	m.fromCross(l)
}

// untilCross is what comes before a layer's cross-attention, whose queries it leaves in wide.
func (m *member) untilCross(l int) {
	s, y := &m.step, &m.weights.layers[l]
	m.normalise(&y.self)
	m.multiply(&y.qkv, s.narrow)
	m.selfAttention(l)
	m.addProduct(&y.selfOut, s.attended)
	m.normalise(&y.cross)
	m.multiply(&y.crossQuery, s.narrow)
}

// fromCross is the rest of a layer.
func (m *member) fromCross(l int) {
	s, y := &m.step, &m.weights.layers[l]
	m.crossAttention(l)
	m.addProduct(&y.crossOut, s.attended)
	m.normalise(&y.final)
	m.expand(&y.fc1)
	m.addProduct(&y.fc2, s.inner)
}

// normalise is a layer normalisation of the residual stream, into narrow.
func (m *member) normalise(n *norm) {
	s, d := &m.step, m.config.DModel
	m.share(s.rows, 1, 1, func(i, _ int) {
		n.apply(m.normal, s.hidden[i*d:(i+1)*d])
		s.narrow.Set(i, m.normal)
	})
	m.pack(s.narrow, s.rows)
}

func (n *norm) apply(out, x []float32) {
	kernel.Normalise(out, x, n.weight, n.bias, LayerNormEpsilon)
}

// quantise makes activations of rows of a width.
func (m *member) quantise(into kernel.Vectors, from []float32, width int) {
	m.share(m.step.rows, 1, 1, func(i, _ int) { into.Set(i, from[i*width:(i+1)*width]) })
	m.pack(into, m.step.rows)
}

// pack makes the first n of activations, which were set, ready for products.
func (m *member) pack(x kernel.Vectors, n int) {
	if pieces := x.Pieces(n); pieces > 0 {
		m.share(pieces, 1, pieces, func(from, to int) {
			for piece := from; piece < to; piece++ {
				x.Pack(piece, n)
			}
		})
	}
}

// leastRows is how many rows of a matrix a member takes at once at least.
const leastRows = 32

// multiply is a linear layer into wide.
func (m *member) multiply(y *linear, x kernel.Vectors) {
	m.observe(y.input, x)
	s := &m.step
	m.share(y.rows, leastRows, y.rows, func(from, to int) {
		y.product(s.wide[from:], y.rows, x, s.rows, from, to-from)
		for i := range s.rows {
			kernel.Add(s.wide[i*y.rows+from:i*y.rows+to], y.bias[from:to])
		}
	})
}

// addProduct is a linear layer that is added to the residual stream.
func (m *member) addProduct(y *linear, x kernel.Vectors) {
	m.observe(y.input, x)
	s := &m.step
	m.share(y.rows, leastRows, y.rows, func(from, to int) {
		y.product(s.wide[from:], y.rows, x, s.rows, from, to-from)
		for i := range s.rows {
			kernel.AddTwo(s.hidden[i*y.rows+from:i*y.rows+to], s.wide[i*y.rows+from:i*y.rows+to], y.bias[from:to])
		}
	})
}

// expand is the first of the feed-forward layers with its ReLU, into inner.
func (m *member) expand(y *linear) {
	s := &m.step
	m.observe(y.input, s.narrow)
	m.share(y.rows, leastRows, y.rows, func(from, to int) {
		y.product(s.wide[from:], y.rows, s.narrow, s.rows, from, to-from)
		for i := range s.rows {
			kernel.AddRectified(s.wide[i*y.rows+from:i*y.rows+to], y.bias[from:to])
		}
	})
	m.quantise(s.inner, s.wide, y.rows)
}

// blockRows is how many rows of a matrix meet all vectors before the next rows
// do: they stay in the processor's cache meanwhile.
const blockRows = 32

func (m *matrix) product(out []float32, stride int, x kernel.Vectors, count, first, rows int) {
	if count == 1 || x.Pieces(count) > 0 {
		m.block(out, stride, x, count, first, rows)
		return
	}
	for at := 0; at < rows; at += blockRows {
		m.block(out[at:], stride, x, fill(count), first+at, min(blockRows, rows-at))
	}
}

func (m *matrix) block(out []float32, stride int, x kernel.Vectors, count, first, rows int) {
	if m.int4 {
		m.four.Multiply(out, stride, x, count, first, rows)
	} else {
		m.eight.Multiply(out, stride, x, count, first, rows)
	}
}
