package m2m100

import (
	"context"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/openvino"
)

// hostBeams are those of a search without the runtime. They read the encoder's
// outputs in place.
type hostBeams struct {
	*hostDecoder
	*host.Beams
	cross  []host.Cross
	scores []float32
}

func (d *hostDecoder) makeBeams(context.Context) error { return nil }

func (d *hostDecoder) beams(_ Lane, cross []*openvino.Tensor, _, capacity, width int) (beams, error) {
	b := &hostBeams{hostDecoder: d, Beams: d.model.NewBeams(width), cross: make([]host.Cross, len(d.lanes[0].cross)), scores: make([]float32, beamCandidates)}
	if err := readInPlace(b.cross, cross); err != nil {
		return nil, err
	}
	b.Begin(d.model, b.cross, capacity)
	return b, nil
}

func (b *hostBeams) feed(beam int, tokens []int32, position int) error {
	return b.table.feed(b.Live()[beam], tokens, position)
}

func (b *hostBeams) run() error { return b.step(b.Live()...) }

func (b *hostBeams) best(beam int) ([]float32, []int32) {
	q := b.Live()[beam]
	for i, score := range q.Scores {
		b.scores[i] = score - q.Normal
	}
	return b.scores, q.Tokens[:]
}

func (b *hostBeams) follow(parents []int) { b.Follow(parents) }

func (b *hostBeams) close() {}
