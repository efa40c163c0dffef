package m2m100

import (
	"context"
	"errors"
	"fmt"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/openvino"
)

// ErrNoLook is the error of Look where package host does not decode.
var ErrNoLook = errors.New("how the model looks at its source is known only of its decoder on processors with AVX2")

// Pair is a source, with its language and end token, and a text in the language of
// the target token, whoever translated it.
type Pair struct {
	Source []int32
	Target int32
	Text   []int32
}

// Layers is how many the decoder has.
func (e *Engine) Layers() int { return e.config.DecoderLayers }

// Looks tells whether Look is possible.
func (e *Engine) Looks() bool {
	_, ok := e.decoder.steps.(*hostDecoder)
	return ok
}

// lookedTokens is of how many tokens pairs are looked at together at most: more of them
// save nothing, and each takes the memory of its keys and values.
const lookedTokens = 256

// Look tells how the decoder looks at the sources while it reads the pairs' texts: of
// each pair, by layer, the weights of the cross-attention, [1+len(Text), len(Source)]. A
// token's own row is the one behind that which predicts it: the first predicts the first
// token of the text. Between two groups of pairs more urgent texts go first.
func (e *Engine) Look(ctx context.Context, lane Lane, layers []int, pairs ...Pair) (weights [][][]float32, err error) {
	decoder, ok := e.decoder.steps.(*hostDecoder)
	if !ok {
		return nil, ErrNoLook
	}
	for _, p := range pairs {
		if err := e.checkLength(p.Source); err != nil {
			return nil, err
		}
		if n := len(e.decoder.start(p.Target)) + len(p.Text); n > e.config.MaxPositions {
			return nil, fmt.Errorf("the translation has %d tokens, the model takes %d at once: cut it", n, e.config.MaxPositions)
		}
	}
	turn, err := e.turns.take(ctx, lane)
	if err != nil {
		return nil, err
	}
	defer turn.end()
	l := looking{Engine: e, host: decoder, lane: lane, layers: layers}
	for len(pairs) > 0 {
		if err := ctx.Err(); err != nil { // whoever ended it may have closed the engine
			return nil, err
		}
		if err := turn.yield(ctx); err != nil {
			return nil, err
		}
		n, tokens := 0, 0
		for n < len(pairs) && (n == 0 || tokens+pairs[n].tokens() <= lookedTokens) {
			tokens += pairs[n].tokens()
			n++
		}
		some, err := l.look(ctx, pairs[:n])
		if err != nil {
			return nil, err
		}
		weights, pairs = append(weights, some...), pairs[n:]
	}
	return weights, nil
}

func (p Pair) tokens() int { return len(p.Source) + len(p.Text) }

// looking is pairs that are looked at in groups.
type looking struct {
	*Engine
	host      *hostDecoder
	lane      Lane
	layers    []int
	cross     [][]host.Cross // by pair of a group, used again
	sequences []*host.Sequence
}

// look is Look of a group.
func (l *looking) look(ctx context.Context, pairs []Pair) ([][][]float32, error) {
	for len(l.sequences) < len(pairs) {
		l.sequences = append(l.sequences, l.host.model.NewSequence())
		l.cross = append(l.cross, make([]host.Cross, l.config.DecoderLayers))
	}
	if err := l.encodeAll(ctx, pairs); err != nil {
		return nil, fmt.Errorf("encode: %w", err)
	}
	for i, p := range pairs {
		tokens := append(l.decoder.start(p.Target), p.Text...)
		l.sequences[i].Begin(l.host.model, l.cross[i], len(tokens))
		if err := l.host.table.feed(l.sequences[i], tokens, 0); err != nil {
			return nil, err
		}
	}
	weights, err := l.host.model.Look(l.layers, l.sequences[:len(pairs)]...)
	if err != nil {
		return nil, err
	}
	for i, p := range pairs {
		before := len(l.decoder.start(p.Target)) - 1
		for k := range weights[i] {
			weights[i][k] = weights[i][k][before*len(p.Source):]
		}
	}
	return weights, nil
}

// encodeAll encodes the sources of a group, together where package host does that.
func (l *looking) encodeAll(ctx context.Context, pairs []Pair) error {
	if encoder, ok := l.encoder.(*hostEncoder); ok && l.InUse() == nil {
		sources := make([][]int32, len(pairs))
		for i, p := range pairs {
			sources[i] = p.Source
		}
		return encoder.encodeInto(sources, l.cross[:len(pairs)])
	}
	for i, p := range pairs {
		out, err := l.encode(ctx, l.lane, p.Source)
		if err != nil {
			return err
		}
		if err := copyCross(l.cross[i], out.cross); err != nil {
			return err
		}
	}
	return nil
}

// copyCross is for outputs that last until the next source is encoded.
func copyCross(layers []host.Cross, outputs []*openvino.Tensor) error {
	read := make([]host.Cross, len(layers))
	if err := readInPlace(read, outputs); err != nil {
		return err
	}
	for i, r := range read {
		layers[i].Keys, layers[i].Values = append(layers[i].Keys[:0], r.Keys...), append(layers[i].Values[:0], r.Values...)
	}
	return nil
}
