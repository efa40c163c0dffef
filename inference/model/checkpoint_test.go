package model

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// Values of every tensor, the last one too, are compared with what a second
// reading of the header and IEEE's definition of a half give.
func TestStarterWeightsEqualTheirBytes(t *testing.T) {
	c := open(t, starter)
	f, err := os.Open(filepath.Join(starter, "model.safetensors"))
	require.NoError(t, err)
	defer f.Close()
	var length [8]byte
	_, err = f.ReadAt(length[:], 0)
	require.NoError(t, err)
	start := int64(binary.LittleEndian.Uint64(length[:])) + 8
	text := make([]byte, start-8)
	_, err = f.ReadAt(text, 8)
	require.NoError(t, err)
	var header map[string]struct {
		DType   string   `json:"dtype"`
		Shape   []int    `json:"shape"`
		Offsets [2]int64 `json:"data_offsets"`
	}
	require.NoError(t, json.Unmarshal(text, &header))
	delete(header, "__metadata__")
	require.Len(t, c.Names(), len(header))

	for name, h := range header {
		tensor, err := c.Tensor(name)
		require.NoError(t, err)
		require.Equal(t, h.Shape, tensor.Shape, name)
		require.Equal(t, DType(h.DType), tensor.DType, name)
		raw := make([]byte, h.Offsets[1]-h.Offsets[0])
		_, err = f.ReadAt(raw, start+h.Offsets[0])
		require.NoError(t, err)
		got := values(t, c, name)
		require.Len(t, got, len(raw)/2, name)
		for i := len(got) - 1; i >= 0; i -= 1 + len(got)/5003 {
			want := halfByDefinition(binary.LittleEndian.Uint16(raw[2*i:]))
			require.Equal(t, float32(want), got[i], "%s[%d]", name, i)
		}
	}
}

func TestStarterEmbedding(t *testing.T) {
	c := open(t, starter)
	e, err := c.Embedding()
	require.NoError(t, err)
	require.Equal(t, "model.shared.weight", e.Name)
	require.Equal(t, []int{24109, 512}, e.Shape)
	all := values(t, c, e.Name)
	row := make([]float32, 512)
	for _, i := range []int{0, 1, 24108} {
		require.NoError(t, e.Row(row, i))
		require.Equal(t, all[i*512:(i+1)*512], row)
	}
	run := make([]float32, 7)
	require.NoError(t, e.Float32(run, 1001))
	require.Equal(t, all[1001:1008], run)
}

func TestTensorRefusesWhatIsNotThere(t *testing.T) {
	dir := newFolder(t)
	path := write(t, dir, "model.safetensors", withHeader(
		`{"m":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"n":{"dtype":"I64","shape":[1],"data_offsets":[24,32]}}`,
		make([]byte, 32)))
	c := open(t, dir)
	m, err := c.Tensor("m")
	require.NoError(t, err)
	n, err := c.Tensor("n")
	require.NoError(t, err)

	_, err = c.Tensor("model.encoder.layers.9.fc1.weight")
	require.ErrorContains(t, err, `"model.encoder.layers.9.fc1.weight"`)
	require.ErrorContains(t, err, path)
	require.NoError(t, m.Float32(nil, 6))
	require.ErrorContains(t, m.Float32(make([]float32, 2), 5), `"m": elements 5 to 7 asked for, it has 6`)
	require.Error(t, m.Float32(make([]float32, 1), -1))
	require.ErrorContains(t, m.Row(make([]float32, 3), 2), "row 2")
	require.ErrorContains(t, m.Row(make([]float32, 2), 0), "room for a row of 3")
	require.ErrorContains(t, n.Row(make([]float32, 1), 0), "only a matrix")
	require.ErrorContains(t, n.Float32(make([]float32, 1), 0), "I64")

	m.Shape[0] = 99
	again, err := c.Tensor("m")
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, again.Shape, "a caller's change of a shape must not reach others")
}

func TestReadingAfterCloseIsAnError(t *testing.T) {
	dir := newFolder(t)
	write(t, dir, "model.safetensors", safetensorsOf(t, map[string]matrix{"a": {[]int{3}, ramp(3, 0)}}))
	c, err := Open(dir)
	require.NoError(t, err)
	a, err := c.Tensor("a")
	require.NoError(t, err)
	require.NoError(t, c.Close())
	require.NoError(t, c.Close(), "closing twice is allowed")
	c.Release()
	require.ErrorIs(t, a.Float32(make([]float32, 3), 0), os.ErrClosed)
	_, err = c.ContentKey(t.Context())
	require.ErrorIs(t, err, os.ErrClosed)
}

func TestReleaseKeepsValues(t *testing.T) {
	dir := newFolder(t)
	write(t, dir, "model.safetensors", safetensorsOf(t, map[string]matrix{"a": {[]int{5000}, ramp(5000, 1)}}))
	c := open(t, dir)
	require.Equal(t, ramp(5000, 1), values(t, c, "a"))
	c.Release()
	require.Equal(t, ramp(5000, 1), values(t, c, "a"))
}

func TestOpenNamesWhatIsWrongWithAFolder(t *testing.T) {
	for name, c := range map[string]struct {
		prepare func(dir string)
		want    []string
	}{
		"no config":         {func(dir string) { os.Remove(filepath.Join(dir, "config.json")) }, []string{"config.json"}},
		"empty config":      {func(dir string) { write(t, dir, "config.json", nil) }, []string{"config.json", "0 bytes"}},
		"broken config":     {func(dir string) { write(t, dir, "config.json", []byte(`{"a":1,]`)) }, []string{"config.json", "byte 8"}},
		"config is a list":  {func(dir string) { write(t, dir, "config.json", []byte(`[1]`)) }, []string{"config.json", "array"}},
		"config is null":    {func(dir string) { write(t, dir, "config.json", []byte(`null`)) }, []string{"config.json", "null"}},
		"broken generation": {func(dir string) { write(t, dir, "generation_config.json", []byte(`{`)) }, []string{"generation_config.json", "byte 1"}},
		"no weights":        {func(string) {}, []string{"no weights", "model.safetensors", "pytorch_model.bin.index.json"}},
		"weights is a folder": {func(dir string) { os.Mkdir(filepath.Join(dir, "model.safetensors"), 0o755) },
			[]string{"model.safetensors", "is a directory"}},
		"weights empty": {func(dir string) { write(t, dir, "pytorch_model.bin", nil) }, []string{"pytorch_model.bin", "0 bytes"}},
		"pointer instead of safetensors": {func(dir string) {
			write(t, dir, "model.safetensors", []byte("version some/git-lfs/spec/v1\noid sha256:0\nsize 1935681888\n"))
		}, []string{"model.safetensors", "Git LFS pointer"}},
		"pointer instead of bin": {func(dir string) {
			write(t, dir, "pytorch_model.bin", []byte("version some/git-lfs/spec/v1\noid sha256:0\nsize 1935681888\n"))
		}, []string{"pytorch_model.bin", "Git LFS pointer"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newFolder(t)
			c.prepare(dir)
			_, err := Open(dir)
			for _, want := range c.want {
				require.ErrorContains(t, err, want)
			}
		})
	}
	dir := newFolder(t)
	_, err := Open(filepath.Join(dir, "config.json"))
	require.ErrorContains(t, err, "is a file")
	_, err = Open(filepath.Join(dir, "missing"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestEmbeddingTies(t *testing.T) {
	const shared, encoder, decoder, output = "model.shared.weight", "model.encoder.embed_tokens.weight",
		"model.decoder.embed_tokens.weight", "lm_head.weight"
	same, other := matrix{[]int{10, 4}, ramp(40, 0)}, matrix{[]int{10, 4}, ramp(40, 1)}
	wide := matrix{[]int{10, 5}, ramp(50, 0)}
	for name, c := range map[string]struct {
		tensors map[string]matrix
		untied  bool
		want    string // the name found
		refuse  string
	}{
		"shared alone":                 {tensors: map[string]matrix{shared: same}, want: shared},
		"encoder's alone":              {tensors: map[string]matrix{encoder: same}, want: encoder},
		"decoder's and output":         {tensors: map[string]matrix{decoder: same, output: same}, want: decoder},
		"output alone":                 {tensors: map[string]matrix{output: same}, want: output},
		"all four":                     {tensors: map[string]matrix{shared: same, encoder: same, decoder: same, output: same}, want: shared},
		"none":                         {tensors: map[string]matrix{"x": same}, refuse: "no embedding matrix"},
		"output of other shape":        {tensors: map[string]matrix{shared: same, output: wide}, refuse: `"lm_head.weight"`},
		"output of other values":       {tensors: map[string]matrix{shared: same, output: other}, refuse: `"lm_head.weight"`},
		"shape other than config":      {tensors: map[string]matrix{shared: wide}, refuse: "[10 5], but config.json says [10 4]"},
		"untied, but output is equal":  {tensors: map[string]matrix{shared: same, output: same}, untied: true, want: shared},
		"untied, and output not there": {tensors: map[string]matrix{shared: same}, untied: true, refuse: "tie_word_embeddings"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			config := smallConfig()
			config["tie_word_embeddings"] = !c.untied
			writeJSON(t, dir, "config.json", config)
			write(t, dir, "model.safetensors", safetensorsOf(t, c.tensors))
			e, err := open(t, dir).Embedding()
			if c.refuse != "" {
				require.ErrorContains(t, err, c.refuse)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.want, e.Name)
		})
	}
}
