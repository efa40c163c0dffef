package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

// changing stands for a service whose model changes after its first answer. Neither
// model leaves a word as it is, so that documents with markup ask again.
type changing struct {
	translating
	asked int
}

func (c *changing) translate(_ context.Context, text, from, _ string, progress func(inference.Progress)) (translated, error) {
	model := "new"
	if c.asked++; c.asked == 1 {
		model = "old"
	}
	progress(inference.Progress{Done: 2, Total: 2})
	done := translated{from: from, model: model, hint: "hint"}
	if from == api.Auto {
		done.from, done.unsure = "en", true
	}
	done.Text = strings.NewReplacer("one", "uno "+model, "two", "dos "+model).Replace(text)
	done.Stats.Sentences = 2
	return done, nil
}

func (*changing) align(context.Context, []segment.Pair, string, string) ([][]segment.Link, error) {
	return nil, segment.ErrNoAlignment
}

// A document is of one model, and what is told of it, too.
func TestDocumentIsOfOneModel(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.write("a.html", "<p>one <b>two</b></p>\n")
	doc, err := document.Open(filepath.Join(c.dir, "a.html"))
	require.NoError(t, err)
	by := &changing{}
	var last inference.Progress
	got, err := translateDocument(t.Context(), by, doc, languageFlags{from: api.Auto, to: "es"}, func(p inference.Progress) { last = p })
	require.NoError(t, err)
	out, err := doc.Bytes(segment.Options{To: "es"})
	require.NoError(t, err)
	require.Equal(t, "<p>uno new <b>dos new</b></p>\n", string(out))
	require.Equal(t, 4, by.asked, "two questions, twice")
	require.Equal(t, 4, got.Stats.Sentences)
	require.Equal(t, 4, last.Total)
	require.True(t, got.unsure, "found out again")
}
