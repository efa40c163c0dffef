package drop

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// pieces is a translator of files that consist of several texts: it finds out the
// language of the first, and each has two sentences.
type pieces struct {
	notAligning
	asked []string // languages
	shown []Progress
	show  func() []Work
}

func (p *pieces) Translate(_ context.Context, r Request) (Result, error) {
	p.asked = append(p.asked, r.From)
	done := r.Follow(func() Progress { return Progress{Running: true, Done: 2, Total: 2} })
	defer done()
	for _, w := range p.show() {
		p.shown = append(p.shown, Progress{Done: w.Done, Total: w.Total})
	}
	return Result{Text: r.Text, From: "de"}, nil
}

func TestTextsOfAFileShareLanguageAndProgress(t *testing.T) {
	s := settings(t.TempDir(), "es")
	s.From = api.Auto
	p, err := newPlan(1, s)
	require.NoError(t, err)
	translator := &pieces{}
	d := newDropFolder(Options{Translator: translator}.complete(), p)
	translator.show = d.running
	texts := texts{dropFolder: d, row: store.File{ID: 3, Path: "a.md", Lang: "es"}, from: s.From}
	for range 3 {
		_, err := texts.translate(t.Context(), "text")
		require.NoError(t, err)
	}
	require.Equal(t, []string{api.Auto, "de", "de"}, translator.asked)
	require.Equal(t, []Progress{{Done: 2, Total: 2}, {Done: 4, Total: 4}, {Done: 6, Total: 6}}, translator.shown)
	require.Empty(t, d.running())
}
