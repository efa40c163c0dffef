package model

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// writeShards lays two shards and their index into a fresh folder and
// returns it.
func writeShards(t *testing.T, f format, first, second []byte, index map[string]any) string {
	t.Helper()
	dir := newFolder(t)
	write(t, dir, shardName(1, 2, "bin"), first)
	write(t, dir, shardName(2, 2, "bin"), second)
	writeJSON(t, dir, f.index, index)
	return dir
}

func TestShardedCheckpoints(t *testing.T) {
	encode := map[string]func(name string, v []float32) []byte{
		"model.safetensors": func(name string, v []float32) []byte {
			return safetensorsOf(t, map[string]matrix{name: {[]int{len(v)}, v}})
		},
		"pytorch_model.bin": func(name string, v []float32) []byte { return torchOf(t, name, v) },
	}
	one, two := shardName(1, 2, "bin"), shardName(2, 2, "bin")
	for _, f := range formats {
		a, b := encode[f.single]("a", ramp(3, 1)), encode[f.single]("b", ramp(4, 10))
		index := func(where map[string]string) map[string]any {
			return map[string]any{"metadata": map[string]any{"total_size": 28}, "weight_map": where}
		}
		t.Run(f.single, func(t *testing.T) {
			dir := writeShards(t, f, a, b, index(map[string]string{"a": one, "b": two}))
			c := open(t, dir)
			require.Equal(t, []string{"a", "b"}, c.Names())
			require.Equal(t, ramp(3, 1), values(t, c, "a"))
			require.Equal(t, ramp(4, 10), values(t, c, "b"))
			_, err := c.Tensor("c")
			require.ErrorContains(t, err, `"c" is not in any of the 2 weights files`)
		})
		for name, where := range map[string]struct {
			index  map[string]any
			second []byte
			want   string
		}{
			"no map":             {map[string]any{"metadata": nil}, b, `"weight_map"`},
			"map is a list":      {map[string]any{"weight_map": []int{1}}, b, `"weight_map"`},
			"map is empty":       {index(nil), b, `"weight_map"`},
			"number as a file":   {map[string]any{"weight_map": map[string]any{"a": 1}}, b, `no file name for tensor "a"`},
			"tensor elsewhere":   {index(map[string]string{"a": two, "b": two}), b, `tensor "a" in ` + two},
			"tensor nowhere":     {index(map[string]string{"a": one, "b": two, "c": two}), b, `tensor "c" in ` + two},
			"tensor twice":       {index(map[string]string{"a": one, "b": two}), a, `tensor "a" is both in`},
			"shard missing":      {index(map[string]string{"a": one, "b": "gone.bin"}), b, "gone.bin"},
			"shard in parent":    {index(map[string]string{"a": "../" + one}), b, "only plain names"},
			"shard by root":      {index(map[string]string{"a": "/etc/passwd"}), b, "only plain names"},
			"shard by backslash": {index(map[string]string{"a": `..\x.bin`}), b, "only plain names"},
			"shard by drive":     {index(map[string]string{"a": "C:x.bin"}), b, "only plain names"},
			"folder as shard":    {index(map[string]string{"a": "."}), b, "only plain names"},
			"nothing as shard":   {index(map[string]string{"a": ""}), b, "only plain names"},
			"shard cut short":    {index(map[string]string{"a": one, "b": two}), b[:len(b)-1], two},
		} {
			t.Run(f.single+" "+name, func(t *testing.T) {
				_, err := Open(writeShards(t, f, a, where.second, where.index))
				require.ErrorContains(t, err, where.want)
			})
		}
	}
}

func TestIndexListsATensorTwice(t *testing.T) {
	dir := newFolder(t)
	path := write(t, dir, "model.safetensors.index.json", []byte(`{"weight_map":{"a":"x","a":"y"}}`))
	_, err := Open(dir)
	require.ErrorContains(t, err, `lists tensor "a" twice`)
	require.ErrorContains(t, err, path)
}

func TestSafetensorsComeBeforeTorch(t *testing.T) {
	dir := newFolder(t)
	write(t, dir, "pytorch_model.bin", torchOf(t, "a", ramp(3, 100)))
	write(t, dir, "model.safetensors", safetensorsOf(t, map[string]matrix{"a": {[]int{3}, ramp(3, 0)}}))
	require.Equal(t, ramp(3, 0), values(t, open(t, dir), "a"))

	write(t, dir, "shard", safetensorsOf(t, map[string]matrix{"a": {[]int{3}, ramp(3, 50)}}))
	writeJSON(t, dir, "model.safetensors.index.json", map[string]any{"weight_map": map[string]string{"a": "shard"}})
	require.Equal(t, ramp(3, 0), values(t, open(t, dir), "a"))
}
