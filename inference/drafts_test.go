package inference

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/draft"
	"dragoman/inference/memory"
)

const (
	report = "The committee will meet again on Monday to discuss the new budget for the schools of the city. " +
		"Most of the members said that the old plan was too expensive for a town of this size. " +
		"The mayor promised to answer all questions of the citizens before the end of the month."
	editedReport = "The committee will meet again on Friday to discuss the new budget for the schools of the city. " +
		"Most of the members said that the old plan was too dangerous for a town of this size. " +
		"The mayor promised to answer all questions of the students before the end of the month."
)

func requireGuesses(t *testing.T, tr *Translator) {
	t.Helper()
	if !tr.engine.Guesses() {
		t.Skip("this processor has no AVX2")
	}
}

// TestAnEditedTextIsTranslatedAsIfItWereNew, in both lanes.
func TestAnEditedTextIsTranslatedAsIfItWereNew(t *testing.T) {
	tr := open(t, Options{})
	requireGuesses(t, tr)
	want := translate(t, tr, "en", "es", editedReport)
	for name, before := range map[string]func(context.Context) (bool, error){"alone": nil, "together": batchLane} {
		t.Run(name, func(t *testing.T) {
			tr.Forget()
			translate(t, tr, "en", "es", report)
			r, err := tr.Translate(t.Context(), Request{Text: editedReport, From: "en", To: "es", Before: before, Together: func() int { return 2 }})
			require.NoError(t, err)
			require.Equal(t, want.Text, r.Text)
			require.Equal(t, want.Stats.TokensOut, r.Stats.TokensOut)
			require.NotZero(t, r.Stats.Accepted)
			require.LessOrEqual(t, r.Stats.Accepted, r.Stats.Drafted)
		})
	}
}

func TestATextThatIsToBeForgottenLeavesNothing(t *testing.T) {
	tr := open(t, Options{})
	requireGuesses(t, tr)
	_, err := tr.Translate(t.Context(), Request{Text: report, From: "en", To: "es", Forget: true})
	require.NoError(t, err)
	known := notes{report: "Listo."}
	for sentence := range strings.SplitAfterSeq(report, ". ") {
		known[strings.TrimSpace(sentence)] = "Listo."
	}
	r, err := tr.Translate(t.Context(), Request{Text: report, From: "en", To: "es", Forget: true, Memory: known})
	require.NoError(t, err)
	require.Equal(t, 3, r.Stats.Remembered)
	require.Zero(t, translate(t, tr, "en", "es", editedReport).Stats.Accepted)
	require.NotZero(t, translate(t, tr, "en", "es", editedReport).Stats.Accepted, "of which something is left")
	tr.Forget()
	require.Zero(t, translate(t, tr, "en", "es", editedReport).Stats.Accepted)
}

// TestWhatMemoriesKnowMakesTextsFasterThatAreLikeIt does so with the person's own
// and with the request's.
func TestWhatMemoriesKnowMakesTextsFasterThatAreLikeIt(t *testing.T) {
	tr := open(t, Options{})
	requireGuesses(t, tr)
	want := translate(t, tr, "en", "es", editedReport)
	var units []memory.Unit
	known := notes{}
	for sentence := range strings.SplitAfterSeq(report, ". ") {
		sentence = strings.TrimSpace(sentence)
		known[sentence] = translate(t, tr, "en", "es", sentence).Text
		units = append(units, memory.Unit{Texts: map[string]string{"en": sentence, "es": known[sentence]}})
	}
	tr.Forget()
	r, err := tr.Translate(t.Context(), Request{Text: editedReport, From: "en", To: "es", Own: memory.New(units), Forget: true})
	require.NoError(t, err)
	require.Equal(t, want.Text, r.Text)
	require.NotZero(t, r.Stats.Accepted)

	first, err := tr.Translate(t.Context(), Request{Text: report, From: "en", To: "es", Memory: known})
	require.NoError(t, err)
	require.Equal(t, Remembered, first.Untouched)
	r = translate(t, tr, "en", "es", editedReport)
	require.Equal(t, want.Text, r.Text)
	require.NotZero(t, r.Stats.Accepted)
}

// TestLooksThatFindNothingAreFew lets looks take as long as sentences.
func TestLooksThatFindNothingAreFew(t *testing.T) {
	look := func(found bool, n int) (looked int) {
		var l looks
		w := draft.NewWatch()
		for range n {
			if l.worth(w) {
				looked++
				l.took(20*time.Millisecond, found)
			}
			l.translated(20*time.Millisecond, m2m100.Interactive)
		}
		return looked
	}
	require.InDelta(t, 20, look(false, 1000), 3)
	require.Equal(t, 1000, look(true, 1000))
}
