package host

import (
	"errors"
	"fmt"

	"dragoman/inference/kernel"
	"dragoman/inference/model"
)

// Encoder makes of sources the cross-attention's keys and values. What a source gets
// does not depend on those beside it, to the bit. One call is under way at a time.
type Encoder struct {
	model   *Model
	layers  []encoderLayer
	norm    norm
	cross   [2][]*linear // keys and values, by decoder layer
	block   [][]float32  // by member, [rows, head]
	sources []Source
	first   []int // row of each source
}

// Source is what a call encodes: so many tokens, whose embeddings are [Rows, d], and
// where their keys and values go, by decoder layer. The slices of Out are used again
// where they are long enough.
type Source struct {
	Embeddings []float32
	Rows       int
	Out        []Cross
}

type encoderLayer struct {
	self, final norm
	qkv         [3]*linear
	out         linear
	fc1, fc2    linear
}

const (
	phasesPerEncoderLayer = 13
	otherEncoderPhases    = 3
)

// OpenEncoder takes 8-bit weights with a scale a row and vectors of float32 by
// their keys: those of the checkpoint's tensors, with ".int8" and ".scale" for
// matrices. Their bytes must stay in place until Close.
func OpenEncoder(bytes func(key string) ([]byte, error), c model.Config, threads int) (*Encoder, error) {
	return openEncoder(bytes, c, 0, threads)
}

// EncoderServes tells whether OpenEncoder takes models of a shape on this processor.
func EncoderServes(c model.Config) bool {
	return Fits(c) && c.EncoderFFN%kernel.Group == 0 && c.DModel == kernel.Head*c.EncoderHeads
}

// openEncoder makes keys and values for c.DecoderLayers layers of the decoder from
// first on.
func openEncoder(bytes func(key string) ([]byte, error), c model.Config, first, threads int) (*Encoder, error) {
	if !EncoderServes(c) {
		return nil, errors.New("the model's shape or this processor does not fit the encoder's kernels")
	}
	b := binder{bytes: bytes}
	e := &Encoder{model: &Model{config: c, ffn: c.EncoderFFN}, layers: make([]encoderLayer, c.EncoderLayers)}
	d := c.DModel
	for i := range e.layers {
		name := fmt.Sprintf("model.encoder.layers.%d.", i)
		self := name + "self_attn"
		q, k, v := b.linear(self+".q_proj", d, d), b.linear(self+".k_proj", d, d), b.linear(self+".v_proj", d, d)
		e.layers[i] = encoderLayer{
			self: b.norm(self+"_layer_norm", d), final: b.norm(name+"final_layer_norm", d),
			qkv: [3]*linear{&q, &k, &v}, out: b.linear(self+".out_proj", d, d),
			fc1: b.linear(name+"fc1", c.EncoderFFN, d), fc2: b.linear(name+"fc2", d, c.EncoderFFN),
		}
	}
	e.norm = b.norm("model.encoder.layer_norm", d)
	for i := range c.DecoderLayers {
		name := fmt.Sprintf("model.decoder.layers.%d.encoder_attn", first+i)
		k, v := b.linear(name+".k_proj", d, d), b.linear(name+".v_proj", d, d)
		e.cross[0], e.cross[1] = append(e.cross[0], &k), append(e.cross[1], &v)
	}
	if b.err != nil {
		return nil, b.err
	}
	e.block = make([][]float32, max(threads, 1))
	e.model.team = startTeam(max(threads, 1), e.work)
	e.model.step.init(e.model, phasesPerEncoderLayer*c.EncoderLayers+otherEncoderPhases)
	return e, nil
}

// Close ends the threads.
func (e *Encoder) Close() {
	if e != nil {
		e.model.team.stop()
	}
}

// binder finds what was written. The first failure is kept in err.
type binder struct {
	bytes func(key string) ([]byte, error)
	err   error
}

func find[T any](b *binder, key string, n int) []T {
	data, err := b.bytes(key)
	values := view[T](data)
	if err == nil && len(values) != n {
		err = fmt.Errorf("%s has %d elements, not %d", key, len(values), n)
	}
	if err != nil && b.err == nil {
		b.err = err
	}
	return values
}

func (b *binder) linear(name string, out, in int) linear {
	w := name + ".weight"
	m := kernel.Int8{Width: in, Weights: find[int8](b, w+".int8", out*in), Scales: find[float32](b, w+".scale", out)}
	return linear{matrix: matrix{rows: out, eight: m}, bias: find[float32](b, name+".bias", out)}
}

func (b *binder) norm(name string, d int) norm {
	return norm{find[float32](b, name+".weight", d), find[float32](b, name+".bias", d)}
}

// Encode runs sources together: their rows are one below the other, without padding.
func (e *Encoder) Encode(sources ...Source) error {
	s, d := &e.model.step, e.model.config.DModel
	s.rows, e.first = 0, e.first[:0]
	for _, x := range sources {
		e.first = append(e.first, s.rows)
		s.rows += x.Rows
	}
	s.grow(e.model, s.rows, 1)
	for i, x := range sources {
		copy(s.hidden[e.first[i]*d:], x.Embeddings[:x.Rows*d])
		for l := range x.Out {
			x.Out[l].Keys, x.Out[l].Values = sized(x.Out[l].Keys, x.Rows*d), sized(x.Out[l].Values, x.Rows*d)
		}
	}
	for i := range e.block {
		e.block[i] = sized(e.block[i], s.rows*kernel.Head)
	}
	e.sources = sources
	s.unclaim()
	err := e.model.run(s.rows)
	e.sources = nil
	return err
}

func sized(x []float32, n int) []float32 {
	if cap(x) < n {
		return make([]float32, n)
	}
	return x[:n]
}

// work is a member's part.
func (e *Encoder) work(number int) {
	b := member{Model: e.model, scratch: &e.model.step.members[number]}
	s := &e.model.step
	for l := range e.layers {
		y := &e.layers[l]
		b.normalise(&y.self)
		b.heads(y.qkv[:], func(part, at int) []float32 {
			return s.wide[(part*e.model.config.DModel+at)*s.rows:]
		}, nil)
		b.attendAll(e.sources, e.first)
		b.addProduct(&y.out, s.attended)
		b.normalise(&y.final)
		b.expand(&y.fc1)
		b.addProduct(&y.fc2, s.inner)
	}
	b.normalise(&e.norm)
	n := len(e.cross[0])
	all := append(append(make([]*linear, 0, 2*n), e.cross[0]...), e.cross[1]...)
	block := e.block[number]
	b.heads(all, func(int, int) []float32 { return block }, func(part, at int) {
		const head = kernel.Head
		for i, x := range e.sources {
			out := x.Out[part%n].Keys
			if part >= n {
				out = x.Out[part%n].Values
			}
			copy(out[at*x.Rows:(at+head)*x.Rows], block[e.first[i]*head:])
		}
	})
}

// heads are linear layers of narrow. into says where the outputs of a head go, that
// of a layer which begins at a row of its matrix: [rows, kernel.Head]; done, where
// not nil, is told when they are there.
func (m *member) heads(layers []*linear, into func(part, at int) []float32, done func(part, at int)) {
	s, d := &m.step, m.config.DModel
	const head = kernel.Head
	m.share(len(layers)*d, head, len(layers)*d, func(from, to int) {
		for ; from < to; from += head {
			y, at := layers[from/d], from%d
			out := into(from/d, at)[:head*s.rows]
			y.block(out, head, s.narrow, s.rows, at, head)
			for i := range s.rows {
				kernel.Add(out[i*head:(i+1)*head], y.bias[at:at+head])
			}
			if done != nil {
				done(from/d, at)
			}
		}
	})
}

// attendAll has each row attend to all of its source's, into attended. Queries, keys
// and values are in wide, by heads.
func (m *member) attendAll(sources []Source, first []int) {
	s, d, heads := &m.step, m.config.DModel, m.config.EncoderHeads
	const head = kernel.Head
	m.share(len(sources)*heads, 1, 1, func(unit, _ int) {
		n, number := unit/heads, unit%heads
		rows := sources[n].Rows
		at := (number*s.rows + first[n]) * head
		keys, values := s.wide[s.rows*d+at:][:rows*head], s.wide[2*s.rows*d+at:][:rows*head]
		for i := range rows {
			query := s.wide[at+i*head:][:head]
			for j := range query {
				query[j] *= queryScale
			}
			m.attend(s.heads[(first[n]+i)*d+number*head:][:head], query, keys, values, rows)
		}
	})
	m.quantise(s.attended, s.heads, d)
}
