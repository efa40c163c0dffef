package m2m100

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/ir"
	"dragoman/inference/m2m100/host"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model"
	"dragoman/inference/model/randommodel"
)

// speakingShape has the starter's words, and is calibrated in seconds.
var speakingShape = randommodel.Shape{
	DModel: 128, EncoderLayers: 1, DecoderLayers: 2, Heads: 2, FFN: 256, Vocabulary: 24109, MaxPositions: 64,
}

func speakingCheckpoint(t *testing.T) *model.Checkpoint {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, randommodel.Write(dir, speakingShape, 1))
	require.NoError(t, randommodel.CopyTokenizer(dir, starterDir()))
	c := openCheckpoint(t, dir)
	if !host.Fits(c.Config) {
		t.Skip("this processor has no AVX2")
	}
	return c
}

func prepareInt4(ctx context.Context, t *testing.T, c *model.Checkpoint, dir string, threads int, tell func(int)) error {
	t.Helper()
	return prepare(ctx, c, recipeOf(t, "int4").on(c.Config, AnyDecoder), []int32{5, 6}, threads, dir, tell)
}

// TestCalibratedPreparing: the same files on any threads, told of in ascending order;
// where it is stopped nothing is left; and what was prepared before there were
// calibrations is prepared anew.
func TestCalibratedPreparing(t *testing.T) {
	c, parent := speakingCheckpoint(t), t.TempDir()
	whole := filepath.Join(parent, "whole")
	var told []int
	questions := &askedContext{Context: t.Context(), answer: func(int) error { return nil }}
	require.NoError(t, prepareInt4(questions, t, c, whole, 1, func(percent int) { told = append(told, percent) }))
	require.IsIncreasing(t, told)
	require.Greater(t, told[len(told)-1], 75)
	require.LessOrEqual(t, told[len(told)-1], 99)
	require.Greater(t, len(told), 50, "a bar that moves")
	want := contents(t, whole)

	for _, n := range []int{questions.asked / 2, questions.asked - 2} {
		require.ErrorIs(t, prepareInt4(endsAtQuestion(t.Context(), n), t, c, filepath.Join(parent, "stopped"), 1, nil), context.Canceled)
	}
	require.Subset(t, []string{"stopped.lock", "whole", "whole.lock"}, names(t, parent), "nothing half-written is left")

	require.NoError(t, prepareInt4(t.Context(), t, c, filepath.Join(parent, "again"), 2, nil))
	requireSame(t, want, contents(t, filepath.Join(parent, "again")))

	changeManifest(func(m *manifest) { m.Recipe = strings.Replace(m.Recipe, "-gptq", "", 1) })(t, whole)
	require.False(t, complete(whole, recipeOf(t, "int4").on(c.Config, AnyDecoder)))
	changeManifest(func(m *manifest) { m.Recipe = recipeOf(t, "int4").on(c.Config, AnyDecoder).String() })(t, whole)
	require.True(t, complete(whole, recipeOf(t, "int4").on(c.Config, AnyDecoder)))
}

// TestCalibrationNeedsWords: a checkpoint without a tokenizer is rounded weight by
// weight, one with a tokenizer that cannot be read is refused.
func TestCalibrationNeedsWords(t *testing.T) {
	c := speakingCheckpoint(t)
	dir := t.TempDir()
	require.NoError(t, randommodel.Write(dir, speakingShape, 1))
	mute := openCheckpoint(t, dir)
	var files []string
	for _, c := range []*model.Checkpoint{c, mute} {
		prepared := filepath.Join(t.TempDir(), "prepared")
		require.NoError(t, prepareInt4(t.Context(), t, c, prepared, 2, nil))
		all := contents(t, prepared)
		files = append(files, all[hostDecoderFile])
	}
	require.Equal(t, len(files[0]), len(files[1]))
	require.False(t, files[0] == files[1])
	for _, name := range []string{"sentencepiece.bpe.model", "vocab.json", "tokenizer_config.json"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	require.Error(t, prepareInt4(t.Context(), t, mute, filepath.Join(t.TempDir(), "prepared"), 2, nil))
}

// TestCalibrationSources: every sentence in every language but its own, as the encoder takes it.
func TestCalibrationSources(t *testing.T) {
	words, err := tokenizer.Load(starterDir())
	require.NoError(t, err)
	all, err := calibrationSources(words)
	require.NoError(t, err)
	require.Greater(t, len(all), 300)
	english, _ := words.LanguageID("en")
	heard := map[string]map[string]bool{}
	for _, s := range all {
		require.Equal(t, english, s.tokens[0])
		require.Equal(t, words.EOS(), s.tokens[len(s.tokens)-1])
		require.False(t, slices.Contains(s.tokens, words.Unknown()), "a word that the model lacks")
		text := words.Decode(s.tokens)
		if heard[text] == nil {
			heard[text] = map[string]bool{}
		}
		heard[text][s.language] = true
	}
	for text, languages := range heard {
		require.Len(t, languages, len(words.Languages())-1, text)
	}
}

// TestCalibrationTranslatesTranslations: waves of sources, each followed by one of what
// was made of it, into English and other languages than its own.
func TestCalibrationTranslatesTranslations(t *testing.T) {
	c := speakingCheckpoint(t)
	words, err := tokenizer.Load(starterDir())
	require.NoError(t, err)
	var encoder bytes.Buffer
	w := ir.NewWeights(&encoder)
	encoderGraph(c, w, Int8, 0)
	require.NoError(t, w.Err())
	b, err := openCalibrator(c, constants(encoder.Bytes(), w.Spans()), nil, 2)
	require.NoError(t, err)
	t.Cleanup(b.close)
	told := 0
	b.progress = func(tokens int) error { told += tokens; return nil }
	require.NoError(t, b.translateAll(words))
	require.Equal(t, b.tokens, told)
	require.GreaterOrEqual(t, told, calibrationTokens)
	require.Less(t, told, calibrationTokens*3/2)

	sources, err := calibrationSources(words)
	require.NoError(t, err)
	width := c.Config.DModel
	rows := func(x []float32) int { return len(x) / width }
	is := func(x host.Example, language string) bool {
		id, ok := words.DecoderLanguage(language)
		require.True(t, ok)
		want := make([]float32, width)
		require.NoError(t, b.table.lookUp(want, id, 1))
		return slices.Equal(want, x.Output[width:2*width])
	}
	require.Zero(t, len(b.examples)%(2*waveRows))
	for pair := range slices.Chunk(b.examples, 2*waveRows) {
		english := 0
		for i, x := range pair[:waveRows] {
			again, source := pair[waveRows+i], sources[i]
			require.Equal(t, len(source.tokens), rows(x.Source))
			require.True(t, is(x, source.language))
			require.Equal(t, rows(x.Output), rows(again.Source), "its language and an end instead of the two tokens that begin an output")
			require.False(t, is(again, source.language))
			if is(again, "en") {
				english++
			}
		}
		require.GreaterOrEqual(t, english, waveRows/2)
		require.Less(t, english, waveRows)
		sources = sources[waveRows:]
	}
}
