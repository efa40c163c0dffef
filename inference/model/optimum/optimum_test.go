package optimum

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/model"
	"dragoman/inference/openvino/ovtest"
)

// graphs puts the graphs of testdata/NAME where optimum-intel has them, with files of
// zeros as weights, which are as large as the graphs ask for.
func graphs(t *testing.T, name string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	from := filepath.Join("testdata", name)
	config, err := os.ReadFile(filepath.Join(from, "config.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.json"), config, 0o644))
	for part, file := range map[string]string{"encoder": encoderFile, "decoder": decoderFile} {
		f, err := os.Open(filepath.Join(from, part+".xml.gz"))
		require.NoError(t, err)
		r, err := gzip.NewReader(f)
		require.NoError(t, err)
		text, err := io.ReadAll(r)
		require.NoError(t, errors.Join(err, f.Close()))
		path := filepath.Join(dir, file)
		require.NoError(t, os.WriteFile(path, text, 0o644))
		g, err := readGraph(path)
		require.NoError(t, err)
		end := int64(0)
		for _, l := range g.layers {
			end = max(end, l.Data.Offset+l.Data.Size)
		}
		require.NoError(t, os.WriteFile(g.weights(), nil, 0o644))
		require.NoError(t, os.Truncate(g.weights(), end))
	}
	return dir
}

// A real export of the starter has the starter's weights, each under its name. What
// is in the test's files is what is in the export's, by its checksums.
func TestExportOfTheStarter(t *testing.T) {
	starter := filepath.Join(ovtest.Root(), "assets", "starter")
	original, err := model.Open(starter)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, original.Close()) })
	dir := graphs(t, "starter")
	placeWeights(t, dir, original)

	require.True(t, Is(dir))
	require.False(t, Is(starter))
	e, err := Open(dir)
	require.NoError(t, err)
	require.Len(t, e.weights, 179)
	var came int64
	require.NoError(t, e.Write(t.Context(), filepath.Join(dir, "model.safetensors"), func(n int64) { came += n }))
	require.Equal(t, e.Bytes, came)

	read, err := model.Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, read.Close()) })
	for _, w := range e.weights {
		require.Equal(t, values(t, original, w.name), values(t, read, w.name), w.name)
	}

	cancelled, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	err = e.Write(cancelled, filepath.Join(dir, "again"), func(int64) { cancel(enough) })
	require.ErrorIs(t, err, enough)

	// The embedding is the last that the encoder and the decoder must agree in.
	f, err := os.OpenFile(filepath.Join(dir, "openvino_encoder_model.bin"), os.O_RDWR, 0)
	require.NoError(t, err)
	_, err = f.WriteAt([]byte{1}, 4001)
	require.NoError(t, errors.Join(err, f.Close()))
	_, err = Open(dir)
	require.ErrorContains(t, err, "different models")
	require.NoError(t, os.Truncate(filepath.Join(dir, "openvino_encoder_model.bin"), 1000))
	_, err = Open(dir)
	require.ErrorContains(t, err, "cut short")
}

// placeWeights writes the starter's values where the export has them.
func placeWeights(t *testing.T, dir string, original *model.Checkpoint) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "starter", "constants.json"))
	require.NoError(t, err)
	var constants []struct {
		Graph, Kind, SHA256, Tensor string
		Offset, Size                int64
	}
	require.NoError(t, json.Unmarshal(text, &constants))
	positions := 0
	for _, c := range constants {
		if c.Tensor == "" { // computed, and in no checkpoint
			positions++
			continue
		}
		var data []byte
		for _, v := range values(t, original, c.Tensor) {
			if c.Kind == "f16" {
				data = binary.LittleEndian.AppendUint16(data, half(v))
			} else {
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
			}
		}
		sum := sha256.Sum256(data)
		require.Equal(t, c.SHA256, hex.EncodeToString(sum[:]), c.Tensor)
		f, err := os.OpenFile(filepath.Join(dir, "openvino_"+c.Graph+"_model.bin"), os.O_WRONLY, 0)
		require.NoError(t, err)
		_, err = f.WriteAt(data, c.Offset)
		require.NoError(t, errors.Join(err, f.Close()))
	}
	require.Equal(t, 2, positions)
}

func values(t *testing.T, c *model.Checkpoint, name string) []float32 {
	t.Helper()
	tensor, err := c.Tensor(name)
	require.NoError(t, err)
	v := make([]float32, tensor.Len())
	require.NoError(t, tensor.Float32(v, 0))
	return v
}

// half is the float16 that has been v.
func half(v float32) uint16 {
	bits := math.Float32bits(v)
	sign, exponent, fraction := uint16(bits>>16)&0x8000, int(bits>>23&0xff)-127, bits&0x7fffff
	switch {
	case v == 0:
		return sign
	case exponent < -14: // a multiple of 2^-24
		return sign | uint16(math.Abs(float64(v))*(1<<24))
	}
	return sign | uint16(exponent+15)<<10 | uint16(fraction>>13)
}

// The graphs of other kinds of exports, where biases and conversions are in other
// places.
func TestKindsOfExports(t *testing.T) {
	for kind, bytes := range map[string]int64{"fp32": 4, "fp16": 2} {
		e, err := Open(graphs(t, "small-"+kind))
		require.NoError(t, err, kind)
		require.Len(t, e.weights, 89)
		n := int64(0)
		for _, w := range e.weights {
			size := int64(1)
			for _, d := range w.shape {
				size *= d
			}
			n += size
		}
		require.Equal(t, e.Bytes, n*bytes, kind)
	}
	_, err := Open(graphs(t, "small-int8"))
	require.ErrorContains(t, err, "--weight-format fp16")
}

func TestRefused(t *testing.T) {
	edit := func(file, from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, file)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Contains(t, string(text), from)
			require.NoError(t, os.WriteFile(path, bytes.ReplaceAll(text, []byte(from), []byte(to)), 0o644))
		}
	}
	for name, c := range map[string]struct {
		damage func(*testing.T, string)
		want   []string
	}{
		"another operation":    {edit(encoderFile, `fc1/aten::linear/MatMul" type="MatMul"`, `fc1/aten::conv/MatMul" type="MatMul"`), []string{"which dragoman does not know", "fc1"}},
		"a transposed matrix":  {edit(decoderFile, `transpose_b="true"`, `transpose_b="false"`), []string{"which dragoman does not know"}},
		"other layers":         {edit("config.json", `"encoder_layers": 2`, `"encoder_layers": 3`), []string{"model.encoder.layers.2", "import the checkpoint"}},
		"fewer layers":         {edit("config.json", `"encoder_layers": 2`, `"encoder_layers": 1`), []string{"no such weight", "model.encoder.layers.1"}},
		"another width":        {edit("config.json", `"encoder_ffn_dim": 96`, `"encoder_ffn_dim": 97`), []string{"[96]", "[97]"}},
		"an output of its own": {edit("config.json", `"tie_word_embeddings": true`, `"tie_word_embeddings": false`), nil},
		"no graph": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, encoderFile), []byte("<net>"), 0o644))
		}, []string{encoderFile, "export the model again"}},
		"an empty graph": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, encoderFile), []byte("<net/>"), 0o644))
		}, []string{"no layers"}},
		"an edge to nowhere":           {edit(encoderFile, `<edge from-layer="1"`, `<edge from-layer="none"`), []string{`layer "none"`}},
		"a size that cannot be":        {edit(encoderFile, `element_type="f32" shape="24109, 64"`, `element_type="f32" shape="24109, 65"`), []string{"needs"}},
		"a shape that is 0 in 64 bits": {edit(encoderFile, `shape="24109, 64"`, `shape="4294967296, 4294967296"`), []string{`"4294967296, 4294967296"`}},
		"conversions in a circle": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, encoderFile), []byte(`<net><layers>
				<layer id="0" name="c" type="Const"><data element_type="f32" shape="64" offset="0" size="256"/></layer><layer id="1" name="v" type="Convert"/>
				</layers><edges><edge from-layer="0" to-layer="1"/><edge from-layer="1" to-layer="1"/><edge from-layer="1" to-layer="1"/></edges></net>`), 0o644))
		}, []string{"none of the graphs"}},
		"a folder for a graph": {func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, encoderFile)))
			require.NoError(t, os.Mkdir(filepath.Join(dir, encoderFile), 0o755))
		}, []string{"no file"}},
		"a shape that cannot be": {edit(encoderFile, `shape="24109, 64"`, `shape="-24109, 64"`), []string{`"-24109, 64"`}},
		"no configuration":       {func(t *testing.T, dir string) { require.NoError(t, os.Remove(filepath.Join(dir, "config.json"))) }, []string{"config.json"}},
		"no weights": {func(t *testing.T, dir string) {
			require.NoError(t, os.Remove(filepath.Join(dir, strings.Replace(decoderFile, "xml", "bin", 1))))
		}, []string{"openvino_decoder_model.bin"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := graphs(t, "small-fp32")
			c.damage(t, dir)
			_, err := Open(dir)
			if c.want == nil {
				require.NoError(t, err)
				return
			}
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
}
