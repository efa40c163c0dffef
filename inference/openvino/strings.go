package openvino

import "unsafe"

// cString returns s with a final NUL, as the C API wants it.
func cString(s string) *byte {
	b := make([]byte, len(s)+1)
	copy(b, s)
	return &b[0]
}

// goString copies a NUL-terminated string out of native memory.
func goString(p *byte) string {
	if p == nil {
		return ""
	}
	n := 0
	for *(*byte)(unsafe.Add(unsafe.Pointer(p), n)) != 0 {
		n++
	}
	return string(unsafe.Slice(p, n))
}

// takeString copies a string that the library has given away, and frees it.
func (r *Runtime) takeString(p *byte) string {
	s := goString(p)
	if p != nil {
		r.free(r.sym.freeString, uintptr(unsafe.Pointer(p)))
	}
	return s
}
