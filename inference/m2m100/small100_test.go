package m2m100

import (
	"encoding/json"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model/randommodel"
	"dragoman/inference/openvino/ovtest"
)

// small100Shape has the layers of alirezamsh/small100, twelve and three, and is
// small elsewhere.
var small100Shape = randommodel.Shape{
	DModel: 128, EncoderLayers: 12, DecoderLayers: 3, Heads: 2, FFN: 256, Vocabulary: 24109, MaxPositions: 128, Deviation: 0.3,
}

// small100 writes a random checkpoint of that shape with the starter's pieces and
// the tokenizer's class of SMaLL-100.
func small100(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, randommodel.Write(dir, small100Shape, 100))
	require.NoError(t, randommodel.CopyTokenizer(dir, starterDir()))
	path := filepath.Join(dir, "tokenizer_config.json")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var config map[string]any
	require.NoError(t, json.Unmarshal(text, &config))
	config["tokenizer_class"] = "SMALL100Tokenizer"
	text, err = json.Marshal(config)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, text, 0o644))
	return dir
}

// small100Reference is what testdata/small100.py wrote, by transformers.
type small100Reference struct {
	Text   string  `json:"text"`
	To     string  `json:"to"`
	Source []int32 `json:"source_ids"`
	Target []int32 `json:"target_ids"` // without the start token
}

const small100File = "testdata/small100.json"

// A model that is told the target language in the encoder generates what
// transformers generates, whatever decodes it and alone or with others: one of
// SMaLL-100's layers, and the starter by SMaLL-100's rules, whose outputs are of
// different tokens.
func TestSmall100GeneratesAsTransformers(t *testing.T) {
	text, err := os.ReadFile(small100File)
	require.NoError(t, err)
	var references map[string][]small100Reference
	require.NoError(t, json.Unmarshal(text, &references))
	dir := small100(t)
	words, err := tokenizer.Load(dir)
	require.NoError(t, err)
	for name, from := range map[string]string{"random": dir, "starter": starterDir()} {
		require.Len(t, references[name], 25)
		for _, d := range []Decoder{AnyDecoder, GraphDecoder} {
			t.Run(name+" by decoder "+string(d), func(t *testing.T) {
				o := Options{
					Core: ovtest.Core(t), Checkpoint: openCheckpoint(t, from), Recipe: recipeOf(t, "f32"),
					Dir: filepath.Join(t.TempDir(), "prepared"), Encoder: CPU, Decoder: d,
					Forbidden: append(words.Forbidden(), words.BOS(), words.Pad(), words.Unknown()),
				}
				e := openEngine(t, o)
				var together sync.WaitGroup
				batch := make([]Generation, 25)
				for i, r := range references[name] {
					source, err := words.Encode(words.SourceLanguage("en", r.To), r.Text)
					require.NoError(t, err)
					require.Equal(t, r.Source, source)
					target, ok := words.DecoderLanguage(r.To)
					require.True(t, ok)
					require.Equal(t, NoTarget, target)
					g, err := e.GenerateExactly(t.Context(), source, target, len(r.Target))
					require.NoError(t, err)
					require.Equal(t, r.Target, g.Tokens, "%s to %s", r.Text, r.To)
					together.Go(func() { batch[i], _ = e.GenerateExactlyTogether(t.Context(), source, target, len(r.Target)) })
				}
				together.Wait()
				for i, r := range references[name] {
					require.Equal(t, r.Target, batch[i].Tokens, "%s to %s", r.Text, r.To)
				}
			})
		}
	}
}
