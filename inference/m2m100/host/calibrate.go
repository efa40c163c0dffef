package host

import (
	"bytes"
	"errors"

	"dragoman/inference/kernel"
	"dragoman/inference/m2m100/rounding"
	"dragoman/inference/model"
)

// Example is an output that a model gives, for calibration: its tokens' embeddings,
// [tokens, d], and what the encoder made of its source, [tokens of it, d].
type Example struct{ Output, Source []float32 }

// Calibration finds the moments of the inputs of a decoder's matrices from examples,
// layer by layer as they are asked for. Weights have eight bits meanwhile.
type Calibration struct {
	checkpoint *model.Checkpoint
	encoder    func(key string) ([]byte, error)
	examples   []Example // outputs: what the layer at hand sees
	threads    int
	tell       func(rows int) error
	layer      int // the one whose moments are there
	moments    [inputs]*rounding.Moments
}

// Calibrate takes over the examples. The encoder's weights are those that OpenEncoder
// takes. Told of the rows that went through a layer, tell may end it with an error.
func Calibrate(c *model.Checkpoint, encoder func(key string) ([]byte, error), examples []Example, threads int, tell func(rows int) error) *Calibration {
	return &Calibration{checkpoint: c, encoder: encoder, examples: examples, threads: max(threads, 1), tell: tell, layer: -1}
}

// damping is that of GPTQ (Frantar et al. 2022, section 3.3).
const damping = 0.01

// feedback is of an input's matrix. Layers must be asked for in their order.
func (c *Calibration) feedback(a at) func() (*rounding.Feedback, error) {
	if c == nil {
		return nil
	}
	return func() (*rounding.Feedback, error) {
		for c.layer < a.layer {
			if err := c.next(); err != nil {
				return nil, err
			}
		}
		if c.layer > a.layer {
			return nil, errors.New("the layers of a calibration were asked for in another order")
		}
		return c.moments[a.input].Feedback(damping)
	}
}

// together is how many rows go through a layer at once, if no example has more.
const together = 512

// next runs the next layer.
func (c *Calibration) next() error {
	c.layer++
	config := c.checkpoint.Config
	config.EncoderLayers, config.DecoderLayers = 0, 1
	encoder, err := openEncoder(c.encoder, config, c.layer, c.threads)
	if err != nil {
		return err
	}
	defer encoder.Close()
	o, err := c.openObserver(config)
	if err != nil {
		return err
	}
	defer o.Close()
	for i := range inputs {
		c.moments[i] = nil
		if Int4.of(i) == Int4 {
			c.moments[i] = rounding.NewMoments(o.width(i), c.threads)
		}
	}
	d := config.DModel
	for rest := c.examples; len(rest) > 0; {
		n, rows := 0, 0
		for n < len(rest) && (n == 0 || rows+len(rest[n].Output)/d <= together) {
			rows += len(rest[n].Output) / d
			n++
		}
		if err := o.run(encoder, rest[:n], rows); err != nil {
			return err
		}
		for i, m := range c.moments {
			if m != nil {
				w := o.width(input(i))
				for r := range rows {
					m.Add(o.seen[i][r*w : (r+1)*w])
				}
			}
		}
		if err := c.tell(rows); err != nil {
			return err
		}
		rest = rest[n:]
	}
	return nil
}

// observer is a decoder of one layer that keeps what its matrices are multiplied
// with.
type observer struct {
	*Model
	sequences []*Sequence
	cross     [][]Cross
}

func (c *Calibration) openObserver(config model.Config) (*observer, error) {
	o := &observer{Model: &Model{config: config, ffn: config.DecoderFFN}}
	o.weights.layers = make([]layer, 1)
	l := &layout{checkpoint: c.checkpoint, threads: c.threads}
	l.layer(&o.weights.layers[0], Int8, c.layer)
	if l.err != nil {
		return nil, l.err
	}
	for _, s := range l.sections {
		var b bytes.Buffer
		b.Grow(int(s.size))
		if err := s.fill(&b); err != nil {
			return nil, err
		}
		s.bind(b.Bytes())
	}
	o.team = startTeam(c.threads, o.work)
	o.step.init(o.Model, phasesPerLayer+int(inputs))
	return o, nil
}

// run has examples go through the layer, in place.
func (o *observer) run(e *Encoder, examples []Example, rows int) error {
	d := o.config.DModel
	sources := make([]Source, len(examples))
	for i, x := range examples {
		if i == len(o.sequences) {
			o.sequences, o.cross = append(o.sequences, o.NewSequence()), append(o.cross, make([]Cross, 1))
		}
		sources[i] = Source{x.Source, len(x.Source) / d, o.cross[i]}
	}
	if err := e.Encode(sources...); err != nil {
		return err
	}
	for i, x := range examples {
		s := o.sequences[i]
		s.Embeddings, s.New = x.Output, len(x.Output)/d
		s.Begin(o.Model, o.cross[i], s.New)
	}
	for i := range inputs {
		if Int4.of(i) == Int4 {
			o.seen[i] = sized(o.seen[i], rows*o.width(i))
		}
	}
	if err := o.Step(o.sequences[:len(examples)]...); err != nil {
		return err
	}
	hidden := o.step.hidden
	for _, x := range examples {
		hidden = hidden[copy(x.Output, hidden):]
	}
	return nil
}

// work is a member's part: nobody asks what follows the tokens.
func (o *observer) work(number int) {
	b := member{Model: o.Model, scratch: &o.step.members[number]}
	b.layer(0)
}

// observe keeps what a matrix is multiplied with, where a calibration asks for it.
func (m *member) observe(i input, x kernel.Vectors) {
	seen := m.seen[i]
	if seen == nil {
		return
	}
	w := m.width(i)
	m.share(m.step.rows, 1, kernel.Group, func(from, to int) {
		for ; from < to; from++ {
			x.Row(seen[from*w:(from+1)*w], from)
		}
	})
}

// Hidden is what the encoder's layers made of source i of the last call, [rows, d],
// before the last normalisation: an Example's. It lasts until the next call.
func (e *Encoder) Hidden(i, rows int) []float32 {
	d := e.model.config.DModel
	return e.model.step.hidden[e.first[i]*d:][:rows*d]
}
