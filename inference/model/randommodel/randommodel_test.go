package randommodel_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/model"
	"dragoman/inference/model/randommodel"
)

var small = randommodel.Shape{
	DModel: 64, EncoderLayers: 2, DecoderLayers: 1, Heads: 4, FFN: 96, Vocabulary: 3001, MaxPositions: 128,
}

func TestTheReaderTakesIt(t *testing.T) {
	dir := t.TempDir()
	require.False(t, randommodel.Complete(dir))
	require.NoError(t, randommodel.Write(dir, small, 1))
	require.True(t, randommodel.Complete(dir))

	c, err := model.Open(dir)
	require.NoError(t, err)
	defer c.Close()
	require.Equal(t, 64, c.Config.DModel)
	require.Equal(t, 2, c.Config.EncoderLayers)
	require.Equal(t, 1, c.Config.DecoderLayers)
	require.Equal(t, 96, c.Config.DecoderFFN)

	embedding, err := c.Embedding()
	require.NoError(t, err)
	row := make([]float32, 64)
	sum, squares, n := 0.0, 0.0, 0.0
	for i := range small.Vocabulary {
		require.NoError(t, embedding.Row(row, i))
		for _, v := range row {
			sum, squares, n = sum+float64(v), squares+float64(v)*float64(v), n+1
		}
	}
	// Six standard errors of the mean, and as many of the deviation.
	require.InDelta(t, 0, sum/n, 6*0.02/math.Sqrt(n))
	require.InDelta(t, 0.02, math.Sqrt(squares/n), 6*0.02/math.Sqrt(2*n))
}

func TestSeedDecides(t *testing.T) {
	write := func(seed uint64) string {
		dir := t.TempDir()
		require.NoError(t, randommodel.Write(dir, small, seed))
		data, err := os.ReadFile(filepath.Join(dir, "model.safetensors"))
		require.NoError(t, err)
		return string(data)
	}
	first := write(1)
	require.True(t, first == write(1), "the same seed must give the same file")
	require.False(t, first == write(2), "another seed must give another file")
}

func TestFailureLeavesNoWeights(t *testing.T) {
	dir := t.TempDir()
	// A folder that is not empty cannot be replaced by the file.
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "model.safetensors", "kept"), 0o755))
	require.Error(t, randommodel.Write(dir, small, 1))
	require.NoFileExists(t, filepath.Join(dir, "model.safetensors.unfinished"))
}

func TestCopyTokenizer(t *testing.T) {
	from, dir := t.TempDir(), t.TempDir()
	require.ErrorContains(t, randommodel.CopyTokenizer(dir, from), "sentencepiece.bpe.model")
	for _, name := range []string{"sentencepiece.bpe.model", "vocab.json", "tokenizer_config.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(from, name), []byte(name), 0o644))
	}
	require.NoError(t, randommodel.CopyTokenizer(dir, from))
	data, err := os.ReadFile(filepath.Join(dir, "vocab.json"))
	require.NoError(t, err)
	require.Equal(t, "vocab.json", string(data))
}
