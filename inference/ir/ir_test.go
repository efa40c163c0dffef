package ir

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func fill(b []byte) func(io.Writer) error {
	return func(w io.Writer) error { _, err := w.Write(b); return err }
}

func TestConstantsAreAlignedAndSharedByKey(t *testing.T) {
	var bin bytes.Buffer
	w := NewWeights(&bin)
	a := w.Add("a", 3, fill([]byte{1, 2, 3}))
	b := w.Add("b", 2, fill([]byte{4, 5}))
	again := w.Add("a", 3, func(io.Writer) error { t.Fatal("written twice"); return nil })
	require.NoError(t, w.Err())
	require.Equal(t, Span{0, 3}, a)
	require.Equal(t, Span{alignment, 2}, b)
	require.Equal(t, a, again)
	require.Equal(t, int64(bin.Len()), w.Size())
	require.Equal(t, []byte{4, 5}, bin.Bytes()[alignment:])
}

func TestFirstFailureOfAWriteStays(t *testing.T) {
	broken := errors.New("broken")
	for name, add := range map[string]func(w *Weights){
		"fill fails":   func(w *Weights) { w.Add("a", 1, func(io.Writer) error { return broken }) },
		"too few":      func(w *Weights) { w.Add("a", 2, fill([]byte{1})) },
		"too many":     func(w *Weights) { w.Add("a", 1, fill([]byte{1, 2})) },
		"another size": func(w *Weights) { w.Add("a", 1, fill([]byte{1})); w.Add("a", 2, fill([]byte{1, 2})) },
	} {
		w := NewWeights(io.Discard)
		add(w)
		first := w.Err()
		require.Error(t, first, name)
		w.Add("later", 1, func(io.Writer) error { t.Fatal("written after a failure"); return nil })
		require.Equal(t, first, w.Err())
		require.Equal(t, first, NewGraph("g", w).WriteXML(io.Discard), "a graph without its constants is no graph")
	}
}

// TestGraphNamesItsTensorsAndEdges reads the XML as a reader would. That the
// runtime takes it is tested in inference/openvino.
func TestGraphNamesItsTensorsAndEdges(t *testing.T) {
	w := NewWeights(io.Discard)
	g := NewGraph("g", w)
	x := g.Parameter("x", F32, 1, Dynamic)
	sum := g.Add(x, g.Floats("one", []int{1, 1}, []float32{1}))
	g.Result("y", sum)
	g.Result("z", sum)
	var text strings.Builder
	require.NoError(t, g.WriteXML(&text))
	var net struct {
		Layers []struct {
			ID   int    `xml:"id,attr"`
			Type string `xml:"type,attr"`
			Data struct {
				Shape string `xml:"shape,attr"`
			} `xml:"data"`
			Outputs []struct {
				ID    int    `xml:"id,attr"`
				Names string `xml:"names,attr"`
			} `xml:"output>port"`
		} `xml:"layers>layer"`
		Edges []struct {
			From     int `xml:"from-layer,attr"`
			FromPort int `xml:"from-port,attr"`
			To       int `xml:"to-layer,attr"`
			ToPort   int `xml:"to-port,attr"`
		} `xml:"edges>edge"`
	}
	require.NoError(t, xml.Unmarshal([]byte(text.String()), &net))
	require.Len(t, net.Layers, 5)
	require.Equal(t, "1,?", net.Layers[0].Data.Shape)
	require.Equal(t, "x", net.Layers[0].Outputs[0].Names)
	require.Equal(t, "Add", net.Layers[2].Type)
	require.Equal(t, 2, net.Layers[2].Outputs[0].ID, "outputs are numbered after the inputs")
	require.Equal(t, "y,z", net.Layers[2].Outputs[0].Names)
	require.Len(t, net.Edges, 4)
	require.Equal(t, 1, net.Edges[1].ToPort)
	require.Equal(t, 2, net.Edges[2].FromPort)
}
