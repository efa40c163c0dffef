package inference

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/align"
)

// linked is the word of a translation that most of a source's word belongs to, "" for none.
func linked(p AlignPair, links []Link, word string) string {
	best, weight := "", 0.0
	for _, l := range links {
		if p.Source[l.Source.Start:l.Source.End] == word && l.Weight > weight {
			best, weight = p.Translation[l.Target.Start:l.Target.End], l.Weight
		}
	}
	return best
}

func TestAlign(t *testing.T) {
	tr := open(t, Options{})
	pairs := []AlignPair{
		{"The small house is near the river. My brother bought three red apples yesterday.",
			"Das kleine Haus liegt in der Nähe des Flusses. Gestern kaufte mein Bruder drei rote Äpfel."},
		{"  PLEASE CLOSE THE WINDOW\n", " BITTE SCHLIESSEN SIE DAS FENSTER\n"},
		{"The first sentence. The second book is good.", "Der erste Satz, und das zweite Buch ist gut."},
	}
	links, err := tr.Align(t.Context(), AlignRequest{From: "en", To: "de", Pairs: pairs})
	require.NoError(t, err)
	require.Len(t, links, len(pairs))
	for i, want := range []string{
		"small=kleine house=Haus river=Flusses brother=Bruder bought=kaufte three=drei red=rote apples=Äpfel yesterday=Gestern",
		"WINDOW=FENSTER PLEASE=BITTE",
		"first=erste sentence=Satz second=zweite book=Buch good=gut",
	} {
		for pair := range strings.FieldsSeq(want) {
			word, target, _ := strings.Cut(pair, "=")
			require.Equal(t, target, linked(pairs[i], links[i], word), word)
		}
		sums, last := map[align.Span]float64{}, 0
		for _, l := range links[i] {
			require.Positive(t, l.Weight)
			sums[l.Target] += l.Weight
			require.GreaterOrEqual(t, l.Target.Start, last)
			last = l.Target.Start
		}
		for _, sum := range sums {
			require.LessOrEqual(t, sum, 1+1e-9)
		}
	}
}

func TestAlignTakesAnything(t *testing.T) {
	tr := open(t, Options{})
	long := strings.Repeat("word ", 2000)
	pairs := []AlignPair{
		{}, {"The house.", ""}, {"", "Das Haus."}, {"...", "!!"}, {"The house.", "..."}, {"\xff\xfe", "Haus \xff"}, {long, long},
		{"☃ \U0001F600 ꙮ", "☃ \U0001F600 ꙮ"}, {"家は大きい。", "Das Haus ist groß."}, {"\u00ad\u200b", "\u200b"}, {"X1 X2 __de__ </s>", "</s> __en__ X2 X1"},
	}
	links, err := tr.Align(t.Context(), AlignRequest{From: "en", To: "de", Pairs: pairs})
	require.NoError(t, err)
	require.Len(t, links, len(pairs))
	for i, all := range links {
		for _, l := range all {
			require.NotEmpty(t, pairs[i].Source[l.Source.Start:l.Source.End])
			require.NotEmpty(t, pairs[i].Translation[l.Target.Start:l.Target.End])
		}
	}
	require.Empty(t, links[6], "more than the model takes")

	_, err = tr.Align(t.Context(), AlignRequest{From: "en", To: "tlh", Pairs: pairs})
	require.Error(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = tr.Align(ctx, AlignRequest{From: "en", To: "de", Pairs: pairs})
	require.ErrorIs(t, err, context.Canceled)
	_, err = tr.Align(t.Context(), AlignRequest{From: "en", To: "de", Pairs: pairs, Before: func(context.Context) (bool, error) { return false, context.DeadlineExceeded }})
	require.ErrorIs(t, err, context.DeadlineExceeded)

	float := open(t, Options{Recipe: "f32"})
	_, err = float.Align(t.Context(), AlignRequest{From: "en", To: "de", Pairs: pairs})
	require.ErrorIs(t, err, ErrNoAlignment)
}
