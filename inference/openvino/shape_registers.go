//go:build !(windows && amd64)

package openvino

import "unsafe"

// shapeArguments passes both words in registers: System V AMD64 ABI (class
// INTEGER up to 16 bytes) and AAPCS64 (composite up to 16 bytes), which
// Windows on ARM64 follows too.
func shapeArguments(s *shape) []uintptr {
	return []uintptr{uintptr(s.rank), uintptr(unsafe.Pointer(s.dims))}
}
