package openvino

import "unsafe"

// InferRequest runs a compiled model. It is not safe for concurrent use.
type InferRequest struct {
	rt  *Runtime
	ptr uintptr
}

// Close gives the native object and the model's state in it back.
func (q *InferRequest) Close() {
	if q == nil || q.rt == nil {
		return
	}
	q.rt.free(q.rt.sym.requestFree, q.ptr)
	q.rt.live.Add(-1)
	q.rt = nil
}

// SetTensor binds a tensor to an input or output by name. The tensor must stay
// open as long as the request uses it.
func (q *InferRequest) SetTensor(name string, t *Tensor) error {
	return q.rt.call("ov_infer_request_set_tensor", q.rt.sym.requestSetTensor, q.ptr, uintptr(unsafe.Pointer(cString(name))), t.ptr)
}

// Tensor returns the tensor that is bound to an input or output. Each call
// makes a new Tensor on the same memory, to be closed by the caller.
func (q *InferRequest) Tensor(name string) (*Tensor, error) {
	var ptr uintptr
	err := q.rt.call("ov_infer_request_get_tensor", q.rt.sym.requestGetTensor, q.ptr, uintptr(unsafe.Pointer(cString(name))), uintptr(unsafe.Pointer(&ptr)))
	if err != nil {
		return nil, err
	}
	return q.rt.newTensor(ptr), nil
}

// Infer runs the model on the bound tensors and returns when it is done.
func (q *InferRequest) Infer() error {
	return q.rt.call("ov_infer_request_infer", q.rt.sym.requestInfer, q.ptr)
}
