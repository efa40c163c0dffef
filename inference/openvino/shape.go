package openvino

import (
	"runtime"
	"unsafe"
)

// shape is ov_shape_t: 16 bytes that C passes by value.
type shape struct {
	rank int64
	dims *int64
}

// callWithShape runs function(before…, shape, after…). How 16 bytes travel by
// value depends on the platform: see shapeArguments.
//
//go:uintptrescapes
func (r *Runtime) callWithShape(name string, function uintptr, dims []int64, before []uintptr, after ...uintptr) error {
	s := &shape{rank: int64(len(dims)), dims: unsafe.SliceData(dims)}
	var pin runtime.Pinner
	defer pin.Unpin()
	pin.Pin(s)
	if len(dims) > 0 {
		pin.Pin(s.dims)
	}
	args := append(append(before, shapeArguments(s)...), after...)
	return r.call(name, function, args...)
}

// takeShape copies a shape that the library has filled, and frees it.
func (r *Runtime) takeShape(s *shape) []int64 {
	dims := make([]int64, s.rank)
	copy(dims, unsafe.Slice(s.dims, s.rank))
	r.free(r.sym.shapeFree, uintptr(unsafe.Pointer(s)))
	return dims
}
