package m2m100

import (
	"errors"
	"fmt"
	"math"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// ErrNotFinite is the error of an encoder whose outputs hold NaN or infinity,
// ErrAllZero that of one with an output of nothing but zeros. Both come of a
// device that computes wrongly: a sound encoder gives neither for any text.
var (
	ErrNotFinite = errors.New("the results have values that are no numbers")
	ErrAllZero   = errors.New("the encoder's output is all zero")
)

// packing is what a lane's text reads while another lane's is on the device: the
// rows of a static graph's outputs that are not padding.
type packing struct {
	tensors []*openvino.Tensor // keys and values in turn, f32 [1, heads, length, d/heads]
}

// pack copies the rows of real tokens together, head by head: rows of padding
// hold noise, and leaving them out spares the decoder a mask and the work.
func (p *packing) pack(rt *openvino.Runtime, c model.Config, b *bucket, size, length int) ([]*openvino.Tensor, error) {
	p.close()
	heads := c.DecoderHeads
	head := c.DModel / heads
	for i, from := range b.cross {
		data := packRows(from, heads, size, length, head)
		if err := sound(data); err != nil {
			return nil, fmt.Errorf("output %d: %w", i, err)
		}
		t, err := openvino.NewTensorOn(rt, openvino.F32, data, 1, int64(heads), int64(length), int64(head))
		if err != nil {
			return nil, err
		}
		p.tensors = append(p.tensors, t)
	}
	return p.tensors, nil
}

// packRows makes [heads, length, head] of [heads, size, head].
func packRows(from []float32, heads, size, length, head int) []float32 {
	data := make([]float32, heads*length*head)
	for h := range heads {
		copy(data[h*length*head:(h+1)*length*head], from[h*size*head:])
	}
	return data
}

func (p *packing) close() {
	for _, t := range p.tensors {
		t.Close()
	}
	p.tensors = p.tensors[:0]
}

// sound looks for results that no sound device gives. It runs on every text, so
// it is one pass without branches: adding one to an exponent of all ones, which
// infinity and NaN have (IEEE 754), carries into the sign.
func sound(data []float32) error {
	const exponent, one = 0x7f800000, 0x00800000
	var carried, bits uint32
	for _, v := range data {
		b := math.Float32bits(v)
		bits |= b
		carried |= b&exponent + one
	}
	if carried>>31 != 0 {
		return ErrNotFinite
	}
	if bits<<1 == 0 { // also -0
		return ErrAllZero
	}
	return nil
}
