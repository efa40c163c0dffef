package quantity

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestForms(t *testing.T) {
	for lang, want := range map[string][]string{
		"ja": {"other"}, "en": {"one", "other"}, "ru": {"one", "few", "many", "other"}, "cs": {"one", "few", "many", "other"},
		"ar": {"zero", "one", "two", "few", "many", "other"}, "xx": {"other"},
	} {
		require.Equal(t, want, Cardinal(lang), lang)
	}
	require.Equal(t, []string{"one", "two", "few", "other"}, Ordinal("en"))
	require.Equal(t, []string{"other"}, Ordinal("de"))
}
