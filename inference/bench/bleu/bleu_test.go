package bleu

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCorpus has values computed with sacrebleu 2.
func TestCorpus(t *testing.T) {
	for _, c := range []struct {
		hypotheses, references []string
		want                   float64
	}{
		{[]string{"The cat sat on the mat."}, []string{"The cat sat on the mat."}, 100},
		{[]string{"The dog bit the man.", "It was not surprising.", "The man had just bitten him."},
			[]string{"The dog bit the man.", "It was not unexpected.", "The man bit him first."}, 48.9926},
		{[]string{"Er hat 1,234.5 Euro, sagt er."}, []string{"Er habe 1,234.5 Euro, so sagt er."}, 31.7085},
	} {
		got, err := Corpus(c.hypotheses, c.references)
		require.NoError(t, err)
		require.InDelta(t, c.want, got, 0.005)
	}
	_, err := Corpus(nil, nil)
	require.Error(t, err)
}

func TestTokens(t *testing.T) {
	require.Equal(t, []string{"It", "'s", "3,000.5", "-", "10", "-", "20", "%", ",", "(", "ok", ")", "."}, Tokens("It 's 3,000.5 - 10-20%, (ok)."))
}
