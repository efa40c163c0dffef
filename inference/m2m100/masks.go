package m2m100

import "dragoman/inference/openvino"

// masks are those of a single sentence, which may look at everything: zeros in
// every length, made when first needed. The
// plugin takes no mask that merely broadcasts to the right length: it reads
// past its end.
type masks struct {
	rt      *openvino.Runtime
	zeros   []float32
	tensors []*openvino.Tensor // by length
}

func newMasks(rt *openvino.Runtime, longest int) masks {
	return masks{rt: rt, zeros: make([]float32, longest+1), tensors: make([]*openvino.Tensor, longest+1)}
}

// get is the mask for length tokens, f32 [1, 1, 1, length].
func (m *masks) get(length int) (*openvino.Tensor, error) {
	if t := m.tensors[length]; t != nil {
		return t, nil
	}
	t, err := openvino.NewTensorOn(m.rt, openvino.F32, m.zeros[:length], 1, 1, 1, int64(length))
	m.tensors[length] = t
	return t, err
}

func (m *masks) close() {
	for _, t := range m.tensors {
		t.Close()
	}
}
