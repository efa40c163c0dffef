package chrf

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// tolerance is how far a score, from 0 to 100, may be from sacrebleu's.
const tolerance = 1e-9

// vector is one corpus with sacrebleu's scores (../testdata/chrf_vectors.py).
type vector struct {
	Name       string    `json:"name"`
	Hypotheses []string  `json:"hypotheses"`
	References []string  `json:"references"`
	Corpus     float64   `json:"corpus"`
	Sentences  []float64 `json:"sentences"`
}

func readVectors(t *testing.T) []vector {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "testdata", "chrf_vectors.json"))
	require.NoError(t, err)
	var file struct {
		Vectors []vector `json:"vectors"`
	}
	require.NoError(t, json.Unmarshal(content, &file))
	require.GreaterOrEqual(t, len(file.Vectors), 10)
	return file.Vectors
}

func TestScoresEqualSacrebleu(t *testing.T) {
	for _, v := range readVectors(t) {
		t.Run(v.Name, func(t *testing.T) {
			corpus, err := Corpus(v.Hypotheses, v.References)
			require.NoError(t, err)
			require.InDelta(t, v.Corpus, corpus, tolerance)
			for i, hypothesis := range v.Hypotheses {
				require.InDelta(t, v.Sentences[i], Sentence(hypothesis, v.References[i]), tolerance,
					"sentence %d", i)
			}
		})
	}
}

func TestCorpusSumsCountsBeforeScoring(t *testing.T) {
	long := strings.Repeat("the train leaves at noon ", 10)
	corpus, err := Corpus([]string{long, "x"}, []string{long, "y"})
	require.NoError(t, err)
	mean := (Sentence(long, long) + Sentence("x", "y")) / 2
	require.Greater(t, corpus, mean)
}

func TestCorpusRefusesWhatItCannotScore(t *testing.T) {
	_, err := Corpus([]string{"a", "b"}, []string{"a"})
	require.ErrorContains(t, err, "2 hypotheses against 1 references")
	_, err = Corpus(nil, nil)
	require.Error(t, err)
}

func TestInvalidUTF8IsScored(t *testing.T) {
	require.InDelta(t, 100, Sentence("a\xffb\xc3", "a\xffb\xc3"), tolerance)
	require.Zero(t, Sentence("\xff", "b"))
}
