package ir

import (
	"fmt"
	"io"
	"strconv"
)

// Const is a constant whose bytes fill writes, row-major and little-endian.
// Constants of one key are the same in all graphs on one Weights.
func (g *Graph) Const(key string, t Type, shape []int, fill func(io.Writer) error) Value {
	elements := int64(1)
	for _, d := range shape {
		elements *= int64(d)
	}
	span := g.weights.Add(key, (elements*t.bits()+7)/8, fill)
	v := g.add("Const", "opset1", [][2]string{
		{"element_type", string(t)}, {"shape", shapeText(shape)},
		{"offset", strconv.FormatInt(span.Offset, 10)}, {"size", strconv.FormatInt(span.Size, 10)},
	}, nil, t)
	return v
}

// Floats is a constant of float32 numbers.
func (g *Graph) Floats(key string, shape []int, values []float32) Value {
	return g.Const(key, F32, shape, func(w io.Writer) error {
		_, err := w.Write(float32Bytes(values))
		return err
	})
}

// Integers is a constant list of int64 numbers: shapes, axes, orders.
func (g *Graph) Integers(values ...int64) Value {
	return g.integers([]int{len(values)}, values)
}

// Integer is a constant scalar of int64.
func (g *Graph) Integer(value int64) Value { return g.integers(nil, []int64{value}) }

func (g *Graph) integers(shape []int, values []int64) Value {
	return g.Const(fmt.Sprintf("i64%v%v", shape, values), I64, shape, func(w io.Writer) error {
		_, err := w.Write(int64Bytes(values))
		return err
	})
}

// Add is a + b with NumPy's broadcasting.
func (g *Graph) Add(a, b Value) Value { return g.elementwise("Add", a, b) }

// Multiply is a · b with NumPy's broadcasting.
func (g *Graph) Multiply(a, b Value) Value { return g.elementwise("Multiply", a, b) }

func (g *Graph) elementwise(kind string, a, b Value) Value {
	return g.add(kind, "opset1", [][2]string{{"auto_broadcast", "numpy"}}, []Value{a, b}, a.kind)
}

// Convert changes the element type.
func (g *Graph) Convert(a Value, t Type) Value {
	return g.add("Convert", "opset1", [][2]string{{"destination_type", string(t)}}, []Value{a}, t)
}

// MatMulTransposed is a · bᵀ over the last two dimensions.
func (g *Graph) MatMulTransposed(a, b Value) Value {
	return g.add("MatMul", "opset1", [][2]string{{"transpose_a", "false"}, {"transpose_b", "true"}}, []Value{a, b}, a.kind)
}

// ReLU is max(a, 0).
func (g *Graph) ReLU(a Value) Value { return g.add("ReLU", "opset1", nil, []Value{a}, a.kind) }

// Normalise brings the last dimension to mean 0 and variance 1:
// (x - mean) / sqrt(variance + epsilon).
func (g *Graph) Normalise(a Value, epsilon float64) Value {
	return g.add("MVN", "opset6", [][2]string{
		{"eps", strconv.FormatFloat(epsilon, 'g', -1, 64)}, {"normalize_variance", "true"}, {"eps_mode", "INSIDE_SQRT"},
	}, []Value{a, g.Integers(-1)}, a.kind)
}

// Reshape gives a new shape; a 0 keeps a length, one -1 takes what is left.
func (g *Graph) Reshape(a Value, shape ...int64) Value {
	return g.add("Reshape", "opset1", [][2]string{{"special_zero", "true"}}, []Value{a, g.Integers(shape...)}, a.kind)
}

// Transpose reorders the dimensions.
func (g *Graph) Transpose(a Value, order ...int64) Value {
	return g.add("Transpose", "opset1", nil, []Value{a, g.Integers(order...)}, a.kind)
}

// Attention is scaled dot-product attention, softmax(q·kᵀ/√d + mask)·v, on
// [batch, heads, length, d] (Vaswani et al. 2017, section 3.2.1).
func (g *Graph) Attention(q, k, v Value, mask ...Value) Value {
	return g.add("ScaledDotProductAttention", "opset13", [][2]string{{"causal", "false"}}, append([]Value{q, k, v}, mask...), q.kind)
}

// Concat joins along an axis.
func (g *Graph) Concat(axis int, values ...Value) Value {
	return g.add("Concat", "opset1", [][2]string{{"axis", strconv.Itoa(axis)}}, values, values[0].kind)
}

// Gather picks slices of data along an axis; a scalar index drops the axis.
func (g *Graph) Gather(data, indices Value, axis int64) Value {
	return g.add("Gather", "opset8", [][2]string{{"batch_dims", "0"}}, []Value{data, indices, g.Integer(axis)}, data.kind)
}

// ShapeOf is the shape of a, as int64.
func (g *Graph) ShapeOf(a Value) Value {
	return g.add("ShapeOf", "opset3", [][2]string{{"output_type", "i64"}}, []Value{a}, I64)
}

// Broadcast stretches a to a shape that is computed in the graph.
func (g *Graph) Broadcast(a, shape Value) Value {
	return g.add("Broadcast", "opset3", [][2]string{{"mode", "numpy"}}, []Value{a, shape}, a.kind)
}

// LogSoftmax is the logarithm of the softmax along an axis.
func (g *Graph) LogSoftmax(a Value, axis int) Value {
	return g.add("LogSoftmax", "opset5", [][2]string{{"axis", strconv.Itoa(axis)}}, []Value{a}, a.kind)
}

// TopK returns the k largest values along the axis, largest first, and their
// positions as int32.
func (g *Graph) TopK(a Value, k int64, axis int) (values, indices Value) {
	values = g.add("TopK", "opset11", [][2]string{
		{"axis", strconv.Itoa(axis)}, {"mode", "max"}, {"sort", "value"}, {"index_element_type", "i32"}, {"stable", "false"},
	}, []Value{a, g.Integer(k)}, a.kind, I32)
	return values, g.second(values)
}

// ReadState is the variable's content from the step before, or initial in the
// first step of a request.
func (g *Graph) ReadState(variable string, initial Value, shape ...int) Value {
	return g.add("ReadValue", "opset6", [][2]string{
		{"variable_id", variable}, {"variable_type", string(initial.kind)}, {"variable_shape", shapeText(shape)},
	}, []Value{initial}, initial.kind)
}

// WriteState keeps a for the next step.
func (g *Graph) WriteState(variable string, a Value) {
	g.add("Assign", "opset6", [][2]string{{"variable_id", variable}}, []Value{a}, a.kind)
}
