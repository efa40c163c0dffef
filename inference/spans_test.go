package inference

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/text/protect/spantest"
)

// TestSpansAreKept has a few generated sentences for each pair of languages;
// the long test has ten thousand in all.
func TestSpansAreKept(t *testing.T) {
	keepSpans(t, 4)
}

// keepSpans translates generated sentences, so many for each pair, and looks for
func keepSpans(t *testing.T, each int) {
	t.Helper()
	tr := open(t, Options{})
	var sum Stats
	for i, from := range spantest.Languages {
		for j, to := range spantest.Languages {
			if from == to {
				continue
			}
			for _, s := range spantest.Make(from, each, uint64(10*i+j)) {
				r := translate(t, tr, from, to, s.Text)
				require.Empty(t, s.Broken(r.Text), "%s to %s: %q became %q", from, to, s.Text, r.Text)
				sum.Protected += r.Stats.Protected
				sum.CutAround += r.Stats.CutAround
				sum.Retried += r.Stats.Retried
				sum.Doubtful += r.Stats.Doubtful
				sum.Sentences += r.Stats.Sentences
			}
		}
	}
	require.NotZero(t, sum.Protected)
	t.Logf("%d spans in %d runs of the model; %d tries cut around them, %d second tries, %d doubtful", sum.Protected, sum.Sentences, sum.CutAround, sum.Retried, sum.Doubtful)
}
