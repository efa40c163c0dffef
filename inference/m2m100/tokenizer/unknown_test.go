package tokenizer

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUnknownLanguageNamesThoseThatThereAre(t *testing.T) {
	t.Parallel()
	few := UnknownLanguage("xx", []string{"de", "en"})
	require.ErrorIs(t, few, ErrUnknownLanguage)
	require.EqualError(t, few, "language \"xx\": this model does not know it, only de, en: see `dragoman languages`")
	many := UnknownLanguage(strings.Repeat("x", 1000), make([]string, 100))
	require.ErrorIs(t, many, ErrUnknownLanguage)
	require.ErrorContains(t, many, "run `dragoman languages`")
	require.Less(t, len(many.Error()), 200, "what was typed may be a text")
}
