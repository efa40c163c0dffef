package model

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

func openTorch(t *testing.T, name string) (*Checkpoint, string, error) {
	t.Helper()
	dir := newFolder(t)
	path := write(t, dir, "pytorch_model.bin", read(t, "testdata", name))
	c, err := Open(dir)
	if err == nil {
		t.Cleanup(func() { require.NoError(t, c.Close()) })
	}
	return c, path, err
}

// testdata/expected.json has what PyTorch itself reads.
func TestTorchWeightsEqualPyTorchs(t *testing.T) {
	var expected map[string]struct {
		DType DType    `json:"dtype"`
		Shape []int    `json:"shape"`
		Bits  []uint32 `json:"bits"`
	}
	require.NoError(t, json.Unmarshal(read(t, "testdata", "expected.json"), &expected))
	require.Contains(t, expected, "lm_head.weight")
	for _, file := range []string{"weights.bin", "protocol4.bin"} {
		t.Run(file, func(t *testing.T) {
			c, _, err := openTorch(t, file)
			require.NoError(t, err)
			require.Len(t, c.Names(), len(expected))
			for name, want := range expected {
				tensor, err := c.Tensor(name)
				require.NoError(t, err)
				require.Equal(t, want.DType, tensor.DType, name)
				require.Equal(t, want.Shape, tensor.Shape, name)
				bits := []uint32{}
				for _, v := range values(t, c, name) {
					bits = append(bits, math.Float32bits(v))
				}
				require.Equal(t, want.Bits, bits, name)
			}
			a, b := c.tensors["shared.weight"], c.tensors["lm_head.weight"]
			require.Equal(t, a.off, b.off, "tied weights are one place of the file")
		})
	}
}

func TestTorchRefusals(t *testing.T) {
	for file, want := range map[string]string{
		"evil.bin":       `"posix.system"`,
		"legacy.bin":     "PyTorch before 1.6",
		"transposed.bin": "only contiguous tensors",
		"integers.bin":   `"torch.LongStorage"`,
		"training.bin":   `"model" is a dict, not a tensor`,
		"compressed.bin": "is compressed",
	} {
		t.Run(file, func(t *testing.T) {
			_, path, err := openTorch(t, file)
			require.ErrorContains(t, err, want)
			require.ErrorContains(t, err, path)
		})
	}
	require.NoFileExists(t, "executed-by-pickle")
}

func TestTorchDamage(t *testing.T) {
	good := read(t, "testdata", "weights.bin")
	vector := "\x80\x02}" + text("a") + "ctorch._utils\n_rebuild_tensor_v2\n((" +
		text("storage") + "ctorch\nFloatStorage\n" + text("0") + text("cpu") + "K\x02tQK\x00K\x02\x85K\x01\x85\x89}tRs."
	flipped := bytes.Clone(good)
	at := bytes.Index(flipped, []byte("shared.weight"))
	require.Positive(t, at)
	flipped[at] ^= 1
	for name, c := range map[string]struct {
		file []byte
		want string
	}{
		"cut short":       {good[:len(good)-30], "no zip directory at the end"},
		"no archive":      {[]byte("not an archive at all"), "zip"},
		"a changed byte":  {flipped, "checksum"},
		"no pickle":       {zipOf(t, [2]string{"a/version", "3"}), "no data.pkl"},
		"two pickles":     {zipOf(t, [2]string{"a/data.pkl", "."}, [2]string{"b/data.pkl", "."}), `"a/data.pkl" and "b/data.pkl"`},
		"a record twice":  {zipOf(t, [2]string{"a/x", "1"}, [2]string{"a/x", "2"}), `"a/x" is in the archive twice`},
		"a program":       {zipOf(t, [2]string{"a/data.pkl", "."}, [2]string{"a/constants.pkl", "."}), "TorchScript"},
		"big-endian":      {zipOf(t, [2]string{"a/data.pkl", "."}, [2]string{"a/byteorder", "big"}), `byte order "big"`},
		"no storage":      {zipOf(t, [2]string{"a/data.pkl", vector}), `tensor "a": no record "a/data/0"`},
		"short storage":   {zipOf(t, [2]string{"a/data.pkl", vector}, [2]string{"a/data/0", "1234"}), `"a/data/0" has 4 bytes, but 2 elements of F32`},
		"uneven storage":  {zipOf(t, [2]string{"a/data.pkl", vector}, [2]string{"a/data/0", "123456789"}), "has 9 bytes"},
		"pickle too long": {zipOf(t, [2]string{"a/data.pkl", string(make([]byte, maxPickle+1))}), "the limit is"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := newFolder(t)
			path := write(t, dir, "pytorch_model.bin", c.file)
			_, err := Open(dir)
			require.ErrorContains(t, err, c.want)
			require.ErrorContains(t, err, path)
		})
	}
}

func TestTorchEveryCutIsRefused(t *testing.T) {
	good := read(t, "testdata", "weights.bin")
	for n := range len(good) {
		_, err := readTorch(bytes.NewReader(good[:n]), int64(n), "cut")
		require.Error(t, err, "%d bytes", n)
	}
}
