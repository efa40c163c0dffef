package m2m100

import (
	"math"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/model"
)

// positionOffset is where real positions start: the ids up to the padding
// token's are taken, a habit of fairseq that the checkpoints keep.
const positionOffset = 2

// embedding looks up tokens on the host, so that neither the NPU's graph nor
// its memory holds the vocabulary.
type embedding struct {
	table model.Tensor // [vocabulary, d], in the mapped checkpoint
	scale float32
	// frequencies of the sinusoids, d/2 of them.
	frequencies []float64
}

func newEmbedding(c *model.Checkpoint) (*embedding, error) {
	table, err := c.Embedding()
	if err != nil {
		return nil, err
	}
	e := &embedding{table: table, scale: 1, frequencies: make([]float64, c.Config.DModel/2)}
	if c.Config.ScaleEmbedding {
		e.scale = float32(math.Sqrt(float64(c.Config.DModel)))
	}
	// Sinusoidal positions of Vaswani et al. 2017 as tensor2tensor laid them
	// out: all sines, then all cosines, with wavelengths from 2π to 10000·2π.
	for i := range e.frequencies {
		e.frequencies[i] = math.Exp(-float64(i) * math.Log(10000) / float64(len(e.frequencies)-1))
	}
	return e, nil
}

// width is the length of a token's vector.
func (e *embedding) width() int { return 2 * len(e.frequencies) }

// lookUp writes what the first layer sees for a token at a position, counted
// from 0, to dst of length d.
func (e *embedding) lookUp(dst []float32, token int32, position int) error {
	if err := e.table.Row(dst, int(token)); err != nil {
		return err
	}
	sines, cosines := dst[:len(e.frequencies)], dst[len(e.frequencies):]
	p := float64(position + positionOffset)
	for i, f := range e.frequencies {
		sin, cos := math.Sincos(p * f)
		sines[i] = sines[i]*e.scale + float32(sin)
		cosines[i] = cosines[i]*e.scale + float32(cos)
	}
	return nil
}

// lookUpAll fills dst, of shape [len(tokens), d], for tokens at positions
// from first on.
func (e *embedding) lookUpAll(dst []float32, tokens []int32, first int) error {
	d := e.width()
	for i, token := range tokens {
		if err := e.lookUp(dst[i*d:(i+1)*d], token, first+i); err != nil {
			return err
		}
	}
	return nil
}

// feed gives a sequence its new tokens for the next step, the first at a position.
func (e *embedding) feed(s *host.Sequence, tokens []int32, position int) error {
	s.New, s.Drafted = len(tokens), 0
	if n := len(tokens) * e.width(); n > len(s.Embeddings) {
		s.Embeddings = make([]float32, n)
	}
	return e.lookUpAll(s.Embeddings, tokens, position)
}
