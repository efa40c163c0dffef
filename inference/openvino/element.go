package openvino

import "fmt"

// ElementType is OpenVINO's ov_element_type_e as numbered since 2025.1.
type ElementType int32

// The element types that dragoman uses.
const (
	BF16 ElementType = 2
	F16  ElementType = 3
	F32  ElementType = 4
	I4   ElementType = 6
	I8   ElementType = 7
	I32  ElementType = 9
	I64  ElementType = 10
	U8   ElementType = 16
)

var elementNames = map[ElementType]string{BF16: "bf16", F16: "f16", F32: "f32", I4: "i4", I8: "i8", I32: "i32", I64: "i64", U8: "u8"}

func (t ElementType) String() string {
	if name, ok := elementNames[t]; ok {
		return name
	}
	return fmt.Sprintf("element type %d", int32(t))
}

// bytes is the memory that n elements take; four-bit types are packed.
func (t ElementType) bytes(n int64) int64 {
	switch t {
	case I4:
		return (n + 1) / 2
	case I8, U8:
		return n
	case F16, BF16:
		return 2 * n
	case I64:
		return 8 * n
	default:
		return 4 * n
	}
}
