package optimum

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// graph is a model of OpenVINO: an XML file of layers and edges, and a file of
// constants beside it.
type graph struct {
	path   string // of the XML file
	layers map[string]*layer
}

// layer is a node. Names of attributes are those of OpenVINO's IR, version 11.
type layer struct {
	ID   string `xml:"id,attr"`
	Name string `xml:"name,attr"`
	Type string `xml:"type,attr"`
	Data struct {
		Element    string `xml:"element_type,attr"`
		Shape      string `xml:"shape,attr"`
		Offset     int64  `xml:"offset,attr"`
		Size       int64  `xml:"size,attr"`
		TransposeA bool   `xml:"transpose_a,attr"`
		TransposeB bool   `xml:"transpose_b,attr"`
	} `xml:"data"`

	users []use
}

// use is an input of a layer.
type use struct {
	by   *layer
	port string
}

// maxGraph is far more than the graphs of the largest models have.
const maxGraph = 256 << 20

func (g graph) weights() string { return strings.TrimSuffix(g.path, ".xml") + ".bin" }

func readGraph(path string) (graph, error) {
	f, err := openFile(path)
	if err != nil {
		return graph{}, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return graph{}, err
	}
	if info.Size() > maxGraph {
		return graph{}, fmt.Errorf("read %s: it has %d bytes, more than a graph of this kind", path, info.Size())
	}
	var net struct {
		Version string   `xml:"version,attr"`
		Layers  []*layer `xml:"layers>layer"`
		Edges   []struct {
			From string `xml:"from-layer,attr"`
			To   string `xml:"to-layer,attr"`
			Port string `xml:"to-port,attr"`
		} `xml:"edges>edge"`
	}
	if err := xml.NewDecoder(io.LimitReader(f, maxGraph)).Decode(&net); err != nil {
		return graph{}, fmt.Errorf("read %s: %w: export the model again", path, err)
	}
	g := graph{path: path, layers: make(map[string]*layer, len(net.Layers))}
	for _, l := range net.Layers {
		g.layers[l.ID] = l
	}
	for _, e := range net.Edges {
		from, to := g.layers[e.From], g.layers[e.To]
		if from == nil || to == nil {
			return graph{}, fmt.Errorf("read %s: an edge leads from layer %q to layer %q, which is not there: export the model again", path, e.From, e.To)
		}
		from.users = append(from.users, use{to, e.Port})
	}
	if len(net.Layers) == 0 {
		return graph{}, fmt.Errorf("read %s: it has no layers, so it is no model of OpenVINO", path)
	}
	return g, nil
}

// openFile opens a file, and nothing that may never end: a pipe or a device.
func openFile(path string) (*os.File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("read %s: it is no file of an exported model but %s", path, info.Mode())
	}
	return os.Open(path)
}

// The names that optimum-intel gives the graphs. A decoder that is exported in two,
// without and with the keys of earlier tokens, has all weights in the first.
const (
	encoderFile = "openvino_encoder_model.xml"
	decoderFile = "openvino_decoder_model.xml"
)

// Is tells whether dir is an export of a model with an encoder and a decoder.
func Is(dir string) bool {
	for _, name := range []string{encoderFile, decoderFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, os.ErrNotExist) {
			return false
		}
	}
	return true
}
