package m2m100

import (
	"fmt"
	"path/filepath"
	"sync"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/mapped"
	"dragoman/inference/openvino"
)

// hostDecoder computes the steps without the runtime.
type hostDecoder struct {
	file  *mapped.File
	model *host.Model
	table *embedding
	lanes [lanes]hostLane
	step  func(...*host.Sequence) error

	spare sync.Pool // of *hostRow
}

// hostLane is the output under way on a lane.
type hostLane struct {
	*hostDecoder
	sequence *host.Sequence
	cross    []host.Cross
}

func newHostDecoder(o Options, w written, table *embedding, threads int) (*hostDecoder, error) {
	path := filepath.Join(o.Dir, hostDecoderFile)
	file, err := mapped.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	d := &hostDecoder{file: file, table: table}
	if err := d.open(o, w, path, threads); err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

func (d *hostDecoder) open(o Options, w written, path string, threads int) (err error) {
	if err := w.check(path, d.file.Bytes()); err != nil {
		return err
	}
	if d.model, err = host.Open(d.file.Bytes(), o.Checkpoint, o.recipe().hostFormat(), o.Forbidden, threads); err != nil {
		return fmt.Errorf("open the prepared model: %w", err)
	}
	d.step = d.model.Step
	for i := range d.lanes {
		d.lanes[i] = hostLane{d, d.model.NewSequence(), make([]host.Cross, o.Checkpoint.Config.DecoderLayers)}
	}
	return nil
}

// release keeps the pages: each step reads all of them.
func (d *hostDecoder) release() {}

func (d *hostDecoder) close() {
	d.model.Close()
	_ = d.file.Close() // a map of a file that was only read
}

func (d *hostDecoder) begin(lane Lane, cross []*openvino.Tensor, _, capacity int) (steps, error) {
	l := &d.lanes[lane]
	for i := range l.cross {
		var err error
		if l.cross[i].Keys, err = cross[2*i].Float32s(); err != nil {
			return nil, err
		}
		if l.cross[i].Values, err = cross[2*i+1].Float32s(); err != nil {
			return nil, err
		}
	}
	l.sequence.Begin(d.model, l.cross, capacity)
	return l, nil
}

func (l *hostLane) feed(tokens []int32, position int) error {
	return l.hostDecoder.feed(l.sequence, tokens, position)
}

// feed gives a sequence its new tokens for the next step.
func (d *hostDecoder) feed(s *host.Sequence, tokens []int32, position int) error {
	s.New, s.Drafted = len(tokens), 0
	n := len(tokens) * d.table.width()
	if n > len(s.Embeddings) {
		s.Embeddings = make([]float32, n)
	}
	return d.table.lookUpAll(s.Embeddings, tokens, position)
}

func (l *hostLane) run() error { return l.step(l.sequence) }

func (l *hostLane) best() ([]float32, []int32) {
	return l.sequence.Scores[:], l.sequence.Tokens[:]
}

func (l *hostLane) guessed(n int) { l.sequence.Drafted = n }

func (l *hostLane) checked(i int) ([]float32, []int32) { return checked(l.sequence, i) }

func (l *hostLane) back(n int) { l.sequence.Back(n) }

func (l *hostLane) end(error) {}
