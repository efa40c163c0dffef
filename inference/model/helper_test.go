package model

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

var starter = filepath.Join("..", "..", "assets", "starter")

// A checkpoint of the architecture, as small as the rules allow.
func smallConfig() map[string]any {
	return map[string]any{
		"architectures": []string{"M2M100ForConditionalGeneration"}, "model_type": "m2m_100",
		"d_model": 4, "encoder_layers": 1, "decoder_layers": 1,
		"encoder_attention_heads": 2, "decoder_attention_heads": 2,
		"encoder_ffn_dim": 8, "decoder_ffn_dim": 8, "vocab_size": 10, "max_position_embeddings": 16,
	}
}

func write(t testing.TB, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, data, 0o644))
	return path
}

func writeJSON(t testing.TB, dir, name string, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	require.NoError(t, err)
	return write(t, dir, name, data)
}

func read(t testing.TB, path ...string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return data
}

// newFolder has a configuration and no weights.
func newFolder(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	writeJSON(t, dir, "config.json", smallConfig())
	return dir
}

func open(t testing.TB, dir string) *Checkpoint {
	t.Helper()
	c, err := Open(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Close()) })
	return c
}

func values(t testing.TB, c *Checkpoint, name string) []float32 {
	t.Helper()
	tensor, err := c.Tensor(name)
	require.NoError(t, err)
	out := make([]float32, tensor.Len())
	require.NoError(t, tensor.Float32(out, 0))
	return out
}

func ramp(n int, first float32) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = first + float32(i)
	}
	return out
}

// matrix is a float32 tensor to be written by safetensorsOf.
type matrix struct {
	shape  []int
	values []float32
}

func safetensorsOf(t testing.TB, tensors map[string]matrix) []byte {
	t.Helper()
	header := map[string]any{"__metadata__": map[string]string{"format": "pt"}}
	var data []byte
	for _, name := range slices.Sorted(maps.Keys(tensors)) {
		begin := len(data)
		for _, v := range tensors[name].values {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
		}
		header[name] = map[string]any{"dtype": "F32", "shape": tensors[name].shape, "data_offsets": []int{begin, len(data)}}
	}
	text, err := json.Marshal(header)
	require.NoError(t, err)
	return withHeader(string(text), data)
}

func withHeader(header string, data []byte) []byte {
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(out, header...), data...)
}

// torchOf writes the archive of one float32 vector, as torch.save does.
func torchOf(t testing.TB, name string, values []float32) []byte {
	t.Helper()
	require.Less(t, len(values), 256)
	n := string([]byte{'K', byte(len(values))})
	pickled := "\x80\x02}" + text(name) + "ctorch._utils\n_rebuild_tensor_v2\n((" +
		text("storage") + "ctorch\nFloatStorage\n" + text("0") + text("cpu") + n + "tQK\x00" + n + "\x85K\x01\x85\x89}tRs."
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return zipOf(t, [2]string{"archive/data.pkl", pickled}, [2]string{"archive/data/0", string(data)})
}

// text is a pickled string.
func text(s string) string {
	return "X" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(s)))) + s
}

func zipOf(t testing.TB, records ...[2]string) []byte {
	t.Helper()
	var buf bytes.Buffer
	z := zip.NewWriter(&buf)
	for _, r := range records {
		w, err := z.CreateHeader(&zip.FileHeader{Name: r[0], Method: zip.Store})
		require.NoError(t, err)
		_, err = w.Write([]byte(r[1]))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	return buf.Bytes()
}

func shardName(i, n int, ext string) string { return fmt.Sprintf("model-%05d-of-%05d.%s", i, n, ext) }
