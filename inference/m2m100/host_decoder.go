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
	file  *mapped.File // nil of a worker
	model *host.Model
	table *embedding
	lanes [lanes]hostLane
	step  func(...*host.Sequence) error

	spare sync.Pool // of *hostRow
}

// hostLane is the output under way on a lane.
type hostLane struct {
	*hostDecoder
	hostOutput
	cross []host.Cross
}

// hostOutput is one output, and checks its guesses.
type hostOutput struct{ *host.Sequence }

func (o hostOutput) best() ([]float32, []int32) { return o.checked(o.Drafted) }

func (o hostOutput) guessed(n int) { o.Drafted = n }

func (o hostOutput) checked(guess int) ([]float32, []int32) {
	b := &o.Best
	if guess < o.Drafted {
		b = &o.Checked[guess]
	}
	return b.Scores[:candidates], b.Tokens[:candidates] // the others are of beam searches
}

func (o hostOutput) back(n int) { o.Back(n) }

func newHostDecoder(o Options, w written, table *embedding, threads int) (*hostDecoder, error) {
	path := filepath.Join(o.Dir, hostDecoderFile)
	file, err := mapped.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the prepared model: %w", err)
	}
	d := &hostDecoder{file: file, table: table}
	err = w.check(path, file.Bytes())
	if err == nil {
		err = d.open(o, file.Bytes(), threads)
	}
	if err != nil {
		d.close()
		return nil, err
	}
	return d, nil
}

// worker is another decoder with the same weights, on one thread.
func (d *hostDecoder) worker(o Options) (*hostDecoder, error) {
	k := &hostDecoder{table: d.table}
	return k, k.open(o, d.file.Bytes(), 1)
}

func (d *hostDecoder) open(o Options, weights []byte, threads int) (err error) {
	if d.model, err = host.Open(weights, o.Checkpoint, o.recipe().hostFormat(), o.Forbidden, threads); err != nil {
		return fmt.Errorf("open the prepared model: %w", err)
	}
	d.step = d.model.Step
	for i := range d.lanes {
		d.lanes[i] = hostLane{d, hostOutput{d.model.NewSequence()}, make([]host.Cross, o.Checkpoint.Config.DecoderLayers)}
	}
	return nil
}

// release keeps the pages: each step reads all of them.
func (d *hostDecoder) release() {}

func (d *hostDecoder) close() {
	d.model.Close()
	if d.file != nil { // which workers leave to whom it belongs
		_ = d.file.Close() // a map of a file that was only read
	}
}

func (d *hostDecoder) begin(lane Lane, cross []*openvino.Tensor, _, capacity int) (steps, error) {
	l := &d.lanes[lane]
	if err := readInPlace(l.cross, cross); err != nil {
		return nil, err
	}
	l.Begin(d.model, l.cross, capacity)
	return l, nil
}

// readInPlace has layers read an encoder's outputs, keys and values in turn.
func readInPlace(layers []host.Cross, outputs []*openvino.Tensor) (err error) {
	for i := range layers {
		if layers[i].Keys, err = outputs[2*i].Float32s(); err != nil {
			return err
		}
		if layers[i].Values, err = outputs[2*i+1].Float32s(); err != nil {
			return err
		}
	}
	return nil
}

func (l *hostLane) feed(tokens []int32, position int) error {
	return l.table.feed(l.Sequence, tokens, position)
}

func (l *hostLane) run() error { return l.step(l.Sequence) }

func (l *hostLane) end(error) {}
