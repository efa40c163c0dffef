package ir

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Type is an element type in the format's own spelling.
type Type string

// The element types that dragoman's graphs use.
const (
	F32 Type = "f32"
	F16 Type = "f16"
	I8  Type = "i8"
	I32 Type = "i32"
	I64 Type = "i64"
)

// bits is the width of one element.
func (t Type) bits() int64 {
	switch t {
	case I8:
		return 8
	case F16:
		return 16
	case I64:
		return 64
	default:
		return 32
	}
}

// precision is the spelling that output ports use.
func (t Type) precision() string {
	switch t {
	case F32:
		return "FP32"
	case F16:
		return "FP16"
	default:
		return strings.ToUpper(string(t))
	}
}

// Dynamic stands for a length that is known only when the graph runs.
const Dynamic = -1

// Value is an output of a layer, to be used as an input of others.
type Value struct {
	layer, port int
	kind        Type
}

// Graph collects layers. Every method that returns a Value adds one.
type Graph struct {
	name    string
	weights *Weights
	layers  []layer
	count   map[string]int // layers of each type, for readable names
}

type layer struct {
	name, kind, opset string
	attributes        [][2]string // of the data element, in order
	inputs            []Value
	outputs           []output
	resultNames       string
}

type output struct {
	kind  Type
	names []string // tensor names, by which requests bind
}

// NewGraph starts an empty graph whose constants go to w.
func NewGraph(name string, w *Weights) *Graph {
	return &Graph{name: name, weights: w, count: map[string]int{}}
}

func (g *Graph) add(kind, opset string, attributes [][2]string, inputs []Value, outputs ...Type) Value {
	g.count[kind]++
	l := layer{name: kind + strconv.Itoa(g.count[kind]), kind: kind, opset: opset, attributes: attributes, inputs: inputs}
	for _, t := range outputs {
		l.outputs = append(l.outputs, output{kind: t})
	}
	g.layers = append(g.layers, l)
	v := Value{layer: len(g.layers) - 1, port: len(inputs)}
	if len(outputs) > 0 {
		v.kind = outputs[0]
	}
	return v
}

// second is the output after v of the same layer.
func (g *Graph) second(v Value) Value {
	return Value{layer: v.layer, port: v.port + 1, kind: g.layers[v.layer].outputs[1].kind}
}

// Parameter is an input of the graph, bound by name.
func (g *Graph) Parameter(name string, t Type, shape ...int) Value {
	v := g.add("Parameter", "opset1", [][2]string{{"shape", shapeText(shape)}, {"element_type", string(t)}}, nil, t)
	g.layers[v.layer].name = name
	g.layers[v.layer].outputs[0].names = []string{name}
	return v
}

// Result makes v an output of the graph, read by name.
func (g *Graph) Result(name string, v Value) {
	producer := &g.layers[v.layer]
	o := &producer.outputs[v.port-len(producer.inputs)]
	o.names = append(o.names, name)
	r := g.add("Result", "opset1", nil, []Value{v})
	g.layers[r.layer].name = "result_" + name
	g.layers[r.layer].resultNames = name
}

// WriteXML writes the graph. The constants must have been written before.
func (g *Graph) WriteXML(out io.Writer) error {
	if err := g.weights.Err(); err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<?xml version=\"1.0\"?>\n<net name=%q version=\"11\">\n\t<layers>\n", g.name)
	for id := range g.layers {
		g.layers[id].write(&b, id)
	}
	b.WriteString("\t</layers>\n\t<edges>\n")
	for id, l := range g.layers {
		for port, v := range l.inputs {
			fmt.Fprintf(&b, "\t\t<edge from-layer=\"%d\" from-port=\"%d\" to-layer=\"%d\" to-port=\"%d\" />\n", v.layer, v.port, id, port)
		}
	}
	b.WriteString("\t</edges>\n\t<rt_info />\n</net>\n")
	if _, err := io.WriteString(out, b.String()); err != nil {
		return fmt.Errorf("ir: write graph %s: %w", g.name, err)
	}
	return nil
}

func (l *layer) write(b *strings.Builder, id int) {
	fmt.Fprintf(b, "\t\t<layer id=\"%d\" name=%q type=%q version=%q", id, l.name, l.kind, l.opset)
	if l.resultNames != "" {
		fmt.Fprintf(b, " output_names=%q", l.resultNames)
	}
	b.WriteString(">\n")
	if len(l.attributes) > 0 {
		b.WriteString("\t\t\t<data")
		for _, a := range l.attributes {
			fmt.Fprintf(b, " %s=%q", a[0], a[1])
		}
		b.WriteString(" />\n")
	}
	if len(l.inputs) > 0 {
		b.WriteString("\t\t\t<input>\n")
		for port, v := range l.inputs {
			fmt.Fprintf(b, "\t\t\t\t<port id=\"%d\" precision=%q />\n", port, v.kind.precision())
		}
		b.WriteString("\t\t\t</input>\n")
	}
	if len(l.outputs) > 0 {
		b.WriteString("\t\t\t<output>\n")
		for i, o := range l.outputs {
			fmt.Fprintf(b, "\t\t\t\t<port id=\"%d\" precision=%q", len(l.inputs)+i, o.kind.precision())
			if len(o.names) > 0 {
				fmt.Fprintf(b, " names=%q", strings.Join(o.names, ","))
			}
			b.WriteString(" />\n")
		}
		b.WriteString("\t\t\t</output>\n")
	}
	b.WriteString("\t\t</layer>\n")
}

func shapeText(shape []int) string {
	parts := make([]string, len(shape))
	for i, d := range shape {
		parts[i] = strconv.Itoa(d)
		if d == Dynamic {
			parts[i] = "?"
		}
	}
	return strings.Join(parts, ",")
}
