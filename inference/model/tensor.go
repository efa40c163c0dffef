package model

import (
	"fmt"
	"math"
)

// DType is an element type by safetensors' name for it.
type DType string

// The element types that Float32 converts.
const (
	F32  DType = "F32"
	F16  DType = "F16"
	BF16 DType = "BF16"
)

// Sizes in bytes of all element types that a file may hold. Types other than
// F32, F16 and BF16 are listed so that a file with, say, an integer counter
// still opens; their values cannot be read.
var dtypeSizes = map[DType]int64{
	F32: 4, F16: 2, BF16: 2,
	"F64": 8, "I64": 8, "U64": 8, "I32": 4, "U32": 4, "I16": 2, "U16": 2,
	"I8": 1, "U8": 1, "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1,
}

// Tensor is a contiguous row-major array inside a checkpoint's mapped file.
// It may be used by several goroutines, and not after the checkpoint's Close.
type Tensor struct {
	Name  string
	DType DType
	Shape []int // empty for a single value

	src   *mapping
	off   int64 // of the first element in src, bytes
	elems int
}

// Len is the number of elements.
func (t Tensor) Len() int { return t.elems }

// Float32 converts the len(dst) elements from element first on, in row-major
// order. It fails for elements outside the tensor, for element types other
// than F32, F16 and BF16, after Close, and when the file can no longer be read.
func (t Tensor) Float32(dst []float32, first int) error {
	if first < 0 || first > t.elems || len(dst) > t.elems-first {
		return fmt.Errorf("tensor %q: elements %d to %d asked for, it has %d", t.Name, first, first+len(dst), t.elems)
	}
	var convert func([]float32, []byte)
	switch t.DType {
	case F32:
		convert = fromF32
	case F16:
		convert = fromF16
	case BF16:
		convert = fromBF16
	default:
		return fmt.Errorf("tensor %q has element type %s: only F32, F16 and BF16 weights are supported", t.Name, t.DType)
	}
	size := dtypeSizes[t.DType]
	err := t.src.read(t.off+int64(first)*size, int64(len(dst))*size, func(src []byte) { convert(dst, src) })
	if err != nil {
		return fmt.Errorf("tensor %q: %w", t.Name, err)
	}
	return nil
}

// Row converts row i of a matrix; dst has as many elements as the matrix has
// columns.
func (t Tensor) Row(dst []float32, i int) error {
	if len(t.Shape) != 2 {
		return fmt.Errorf("tensor %q has shape %v: only a matrix has rows", t.Name, t.Shape)
	}
	rows, columns := t.Shape[0], t.Shape[1]
	if i < 0 || i >= rows {
		return fmt.Errorf("tensor %q: row %d asked for, it has %d", t.Name, i, rows)
	}
	if len(dst) != columns {
		return fmt.Errorf("tensor %q: %d elements of room for a row of %d", t.Name, len(dst), columns)
	}
	return t.Float32(dst, i*columns)
}

// extent checks a shape and returns its number of elements and of bytes.
func extent(dtype DType, shape []int) (elems int, bytes int64, err error) {
	size, ok := dtypeSizes[dtype]
	if !ok {
		return 0, 0, fmt.Errorf("unknown element type %q", dtype)
	}
	// No more than 8 dimensions and 2^48 elements: nothing that is a weight
	// is larger, and nothing below overflows.
	const maxElems = 1 << 48
	if len(shape) > 8 {
		return 0, 0, fmt.Errorf("%d dimensions", len(shape))
	}
	elems = 1
	empty := false
	for _, n := range shape {
		switch {
		case n < 0:
			return 0, 0, fmt.Errorf("shape %v has a negative dimension", shape)
		case n == 0:
			empty = true
		case n > maxElems/elems:
			return 0, 0, fmt.Errorf("shape %v overflows", shape)
		default:
			elems *= n
		}
	}
	if empty {
		return 0, 0, nil
	}
	if int64(elems) > math.MaxInt64/size {
		return 0, 0, fmt.Errorf("shape %v overflows", shape)
	}
	return elems, int64(elems) * size, nil
}
