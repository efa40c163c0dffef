package m2m100

import (
	"encoding/binary"
	"io"
	"math"

	"dragoman/inference/ir"
	"dragoman/inference/m2m100/host"
	"dragoman/inference/model"
)

// matrix is a weight of shape [out, in] in the format asked for, as f32.
func (b *builder) matrix(t model.Tensor, f Format) ir.Value {
	if b.err != nil {
		return ir.Value{}
	}
	rows := t.Shape[0]
	if f == Float32 {
		return b.Const(t.Name, ir.F32, t.Shape, func(w io.Writer) error { return writeFloats(w, t) })
	}
	scales := make([]float32, rows)
	q := b.Const(t.Name+".int8", ir.I8, t.Shape, func(w io.Writer) error { return writeInt8(w, t, scales) })
	return b.Multiply(b.Convert(q, ir.F32), b.Floats(t.Name+".scale", []int{rows, 1}, scales))
}

func writeFloats(w io.Writer, t model.Tensor) error {
	row := make([]float32, t.Shape[1])
	out := make([]byte, 4*len(row))
	for r := range t.Shape[0] {
		if err := t.FiniteRow(row, r); err != nil {
			return err
		}
		for i, v := range row {
			binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(v))
		}
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}

// writeInt8 quantises row by row.
func writeInt8(w io.Writer, t model.Tensor, scales []float32) error {
	row := make([]float32, t.Shape[1])
	out := make([]byte, len(row))
	for r := range t.Shape[0] {
		if err := t.FiniteRow(row, r); err != nil {
			return err
		}
		scales[r] = host.QuantiseRow(out, row)
		if _, err := w.Write(out); err != nil {
			return err
		}
	}
	return nil
}
