package openvino

import (
	"fmt"
	"runtime"
	"unsafe"
)

// Tensor is a typed array that the runtime reads or writes. It is not safe for
// concurrent use.
type Tensor struct {
	rt  *Runtime
	ptr uintptr
	pin runtime.Pinner // holds Go memory in place until Close
}

// NewTensor makes a tensor on the runtime's memory. Its content is undefined.
func (r *Runtime) NewTensor(t ElementType, dims ...int64) (*Tensor, error) {
	out := new(uintptr)
	if err := r.callWithShape("ov_tensor_create", r.sym.tensorCreate, dims, []uintptr{uintptr(t)}, uintptr(unsafe.Pointer(out))); err != nil {
		return nil, err
	}
	return r.newTensor(*out), nil
}

// NewTensorOn makes a tensor on the caller's memory, Go or mapped. Go memory
// is pinned until Close; the runtime must not use the tensor afterwards.
// data must hold exactly the elements of the shape.
func NewTensorOn[T any](r *Runtime, t ElementType, data []T, dims ...int64) (*Tensor, error) {
	elements := int64(1)
	for _, d := range dims {
		elements *= d
	}
	var zero T
	if have := int64(len(data)) * int64(unsafe.Sizeof(zero)); have != t.bytes(elements) {
		return nil, fmt.Errorf("openvino: a tensor of shape %v and type %v has %d bytes, not %d", dims, t, t.bytes(elements), have)
	}
	tensor := r.newTensor(0)
	address := unsafe.SliceData(data)
	tensor.pin.Pin(address)
	out := new(uintptr)
	err := r.callWithShape("ov_tensor_create_from_host_ptr", r.sym.tensorFromHost, dims,
		[]uintptr{uintptr(t)}, uintptr(unsafe.Pointer(address)), uintptr(unsafe.Pointer(out)))
	if err != nil {
		tensor.Close()
		return nil, err
	}
	tensor.ptr = *out
	return tensor, nil
}

func (r *Runtime) newTensor(ptr uintptr) *Tensor {
	r.live.Add(1)
	return &Tensor{rt: r, ptr: ptr}
}

// Close gives the native object back and lets go of pinned memory.
func (t *Tensor) Close() {
	if t == nil || t.rt == nil {
		return
	}
	if t.ptr != 0 {
		t.rt.free(t.rt.sym.tensorFree, t.ptr)
	}
	t.pin.Unpin()
	t.rt.live.Add(-1)
	t.rt = nil
}

// Shape returns the lengths of the dimensions.
func (t *Tensor) Shape() ([]int64, error) {
	var s shape
	if err := t.rt.call("ov_tensor_get_shape", t.rt.sym.tensorGetShape, t.ptr, uintptr(unsafe.Pointer(&s))); err != nil {
		return nil, err
	}
	return t.rt.takeShape(&s), nil
}

// SetShape changes the shape. On the caller's memory it may only shrink.
func (t *Tensor) SetShape(dims ...int64) error {
	return t.rt.callWithShape("ov_tensor_set_shape", t.rt.sym.tensorSetShape, dims, []uintptr{t.ptr})
}

// Type returns the element type.
func (t *Tensor) Type() (ElementType, error) {
	var code ElementType
	err := t.rt.call("ov_tensor_get_element_type", t.rt.sym.tensorType, t.ptr, uintptr(unsafe.Pointer(&code)))
	return code, err
}

func (t *Tensor) byteSize() (int, error) {
	var size uintptr
	err := t.rt.call("ov_tensor_get_byte_size", t.rt.sym.tensorBytes, t.ptr, uintptr(unsafe.Pointer(&size)))
	return int(size), err
}

// Float32s is the tensor's memory, in row-major order. It stays valid until
// Close, SetShape or, for a tensor of a request, the next inference.
func (t *Tensor) Float32s() ([]float32, error) { return view[float32](t, F32) }

// Int32s is the tensor's memory; see Float32s.
func (t *Tensor) Int32s() ([]int32, error) { return view[int32](t, I32) }

func view[T any](t *Tensor, want ElementType) ([]T, error) {
	code, err := t.Type()
	if err != nil {
		return nil, err
	}
	if code != want {
		return nil, fmt.Errorf("openvino: the tensor's elements are %v, not %v", code, want)
	}
	size, err := t.byteSize()
	if err != nil || size == 0 {
		return nil, err
	}
	var data *T
	if err := t.rt.call("ov_tensor_data", t.rt.sym.tensorData, t.ptr, uintptr(unsafe.Pointer(&data))); err != nil {
		return nil, err
	}
	return unsafe.Slice(data, size/int(unsafe.Sizeof(*data))), nil
}
