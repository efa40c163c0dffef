package aligned

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/openvino/ovtest"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

func open(t *testing.T) *inference.Translator {
	t.Helper()
	tr, err := inference.Open(t.Context(), inference.Options{
		Runtime: ovtest.Library(t), ModelDir: filepath.Join(ovtest.Root(), "assets", "starter"), Cache: inference.Cache{Dir: t.TempDir()}, Encoder: "CPU",
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, tr.Close()) })
	return tr
}

// asked counts what a document asks for.
type asked struct{ texts, lines, pairs int }

// translate translates a document's texts into a language, with alignments or without.
func translate(t *testing.T, tr *inference.Translator, name, body, to string, align bool) (string, asked) {
	t.Helper()
	doc, err := document.Parse(name, []byte(body))
	require.NoError(t, err)
	require.NoError(t, doc.Into(to))
	var n asked
	if align {
		doc.Align = func(ctx context.Context, pairs []segment.Pair) ([][]segment.Link, error) {
			n.pairs += len(pairs)
			return By(ctx, tr, pairs, "en", to, false)
		}
	}
	require.NoError(t, doc.Translate(t.Context(), func(ctx context.Context, text string) (string, error) {
		n.texts++
		n.lines += strings.Count(text, "\n\n") + 1
		out, err := tr.Translate(ctx, inference.Request{
			Text: text, From: "en", To: to, Before: func(context.Context) (bool, error) { return false, nil },
			Together: func() int { return inference.SentencesTogether },
		})
		return out.Text, err
	}))
	data, err := doc.Bytes(segment.Options{To: to})
	require.NoError(t, err)
	return string(data), n
}

func TestMarkupMovesWithItsWords(t *testing.T) {
	tr := open(t)
	body := "<p>My brother <b>bought</b> three red apples yesterday.</p>\n<p>The <a href=\"x\">small house</a> is near the river.</p>\n"
	without, before := translate(t, tr, "a.html", strings.NewReplacer("<b>", "", "</b>", "", `<a href="x">`, "", "</a>", "").Replace(body), "de", false)
	out, after := translate(t, tr, "a.html", body, "de", true)
	require.Equal(t, 1, before.texts)
	require.Equal(t, without, strings.NewReplacer("<b>", "", "</b>", "", `<a href="x">`, "", "</a>", "").Replace(out), "whole sentences")
	require.Equal(t, 2, after.pairs)
	require.LessOrEqual(t, after.lines, 3, "no sentence in parts")
	require.Regexp(t, `<a href="x">kleine Haus</a>`, out)
}

func TestNoAlignmentWithoutLanguage(t *testing.T) {
	_, err := By(t.Context(), nil, []segment.Pair{{Source: "a", Target: "b"}}, "", "de", true)
	require.ErrorIs(t, err, segment.ErrNoAlignment)
}
