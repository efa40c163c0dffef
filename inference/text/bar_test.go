package text

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBarsPartTexts(t *testing.T) {
	for text, want := range map[string][]string{
		"Chairs | The shop | Example":                {"Chairs", "The shop", "Example"},
		"| Name | Price (net | gross) | ":            {"Name", "Price (net | gross)"},
		"One. Two | three. Four":                     {"One.", "Two", "three.", "Four"},
		"a|b and c||d |e":                            {"a|b and c||d |e"},
		"Run `cat a | sort` first. Then | go.":       {"Run `cat a | sort` first.", "Then", "go."},
		"It is unlikely that P(A | B) is more | B":   {"It is unlikely that P(A | B) is more", "B"},
		"A thing | Use `a. B | c. D` here. Then go.": {"A thing", "Use `a. B | c. D` here.", "Then go."},
		"| | |":              nil,
		"Chairs |\tTables |": {"Chairs", "Tables"},
	} {
		pieces := Split(text, "en")
		require.Equal(t, want, sentences(pieces), text)
		require.Equal(t, text, whole(pieces))
	}
}
