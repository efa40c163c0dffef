// Package segmenttest helps the tests of formats. Only tests import it.
package segmenttest

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// ByLines translates each line of a text by itself.
func ByLines(translate func(string) string) segment.Func {
	return func(_ context.Context, text string) (string, error) {
		lines := strings.Split(text, "\n")
		for i := range lines {
			lines[i] = translate(lines[i])
		}
		return strings.Join(lines, "\n"), nil
	}
}

// Translated is a text as it is written after its lines were translated.
func Translated(t testing.TB, read func(string) (*segment.Part, error), body string, o segment.Options, translate func(string) string) string {
	t.Helper()
	p, err := read(body)
	require.NoError(t, err)
	require.NoError(t, segment.Translate(t.Context(), p.Segments, ByLines(translate)))
	out, err := p.Render(o)
	require.NoError(t, err)
	return out
}
