package m2m100

import (
	"context"

	"dragoman/inference/openvino"
)

// graphBeams are those of a search in one request of the graph of beams. Each reads
// a copy of the encoder's outputs.
type graphBeams struct{ *graphRows }

// makeBeams compiles the graph when the first search comes: its weights are there
// twice from then on.
func (d *graphDecoder) makeBeams(ctx context.Context) error {
	d.making.Lock()
	defer d.making.Unlock()
	if d.beamGraph.CompiledModel != nil {
		return nil
	}
	graph, err := d.load(ctx, beamFile)
	if err != nil {
		return err
	}
	graph.release()
	d.beamGraph = graph
	return nil
}

func (d *graphDecoder) beams(_ Lane, cross []*openvino.Tensor, source, _, width int) (beams, error) {
	lengths := make([]int, width)
	for i := range lengths {
		lengths[i] = source
	}
	b := graphBeams{d.newRows(d.beamGraph, beamCandidates, lengths)}
	outputs, err := views(cross)
	if err != nil {
		return nil, err
	}
	for i := range lengths {
		b.put(i, outputs, 0, source)
	}
	if err := b.begin(0); err != nil {
		return nil, err
	}
	b.keep(1)
	return b, nil
}

// follow has the next step read the state of the parents. All of a search read the
// same of the encoder.
func (b graphBeams) follow(parents []int) {
	for i, parent := range parents {
		b.graphRows.beams[i] = int32(parent)
	}
	b.keep(len(parents))
}
