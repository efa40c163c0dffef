package openvino

import "unsafe"

// shapeArguments passes the address of a copy: on 64-bit Windows for x86 a
// struct that is not 1, 2, 4 or 8 bytes long goes by reference (Microsoft x64
// calling convention).
func shapeArguments(s *shape) []uintptr {
	return []uintptr{uintptr(unsafe.Pointer(s))}
}
