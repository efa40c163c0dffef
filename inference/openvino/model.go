package openvino

// Model is a graph that was read and not compiled yet. It may be closed once
// it is compiled, but the weights that it was read from must stay.
type Model struct {
	rt      *Runtime
	ptr     uintptr
	weights *Tensor
}

func newModel(r *Runtime) *Model {
	r.live.Add(1)
	return &Model{rt: r}
}

func (m *Model) orClose(err error) (*Model, error) {
	if err != nil {
		m.Close()
		return nil, err
	}
	return m, nil
}

// Close gives the native object back.
func (m *Model) Close() {
	if m == nil || m.rt == nil {
		return
	}
	if m.ptr != 0 {
		m.rt.free(m.rt.sym.modelFree, m.ptr)
	}
	m.weights.Close()
	m.rt.live.Add(-1)
	m.rt = nil
}
