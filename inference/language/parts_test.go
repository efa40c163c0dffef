package language

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	english = "Dear Maria,\nthank you for your letter, we have read it with great pleasure.\n"
	german  = "Sehr geehrte Damen und Herren,\r\nvielen Dank für die Bücher, die gestern hier angekommen sind.\r\n"
	russian = "Спасибо за ваше письмо, мы очень рады, что всё хорошо и работает.\n"
)

func joined(parts []Part) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(p.Text)
	}
	return b.String()
}

func TestParts(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		whole string
		want  []Part
	}{
		"one language":        {english + "\n" + english, "en", nil},
		"two languages":       {english + "\n\n" + german, "en", []Part{{english + "\n\n", "en"}, {german, "de"}}},
		"between":             {english + "\n" + german + "\r\n" + english, "en", []Part{{english + "\n", "en"}, {german + "\r\n", "de"}, {english, "en"}}},
		"one that is unknown": {english + "\n" + russian, "en", []Part{{english + "\n", "en"}, {russian, ""}}},
		"a short one":         {english + "\nMit freundlichen Grüßen\n\n" + english, "en", nil},
		"nothing":             {"", "en", nil},
		"only empty lines":    {"\n \n\n", "en", nil},
		"no empty line":       {english + german, "en", nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := Parts(c.text, c.whole, six)
			require.Equal(t, c.want, got)
			if got != nil {
				require.Equal(t, c.text, joined(got))
			}
		})
	}
}

// TestPartsOfCorpora joins sentences to paragraphs of one language: none of them
// may go astray.
func TestPartsOfCorpora(t *testing.T) {
	for _, code := range six {
		lines := corpus(t, "pud", code)
		astray, paragraphs := 0, 0
		for i := 0; i+20 <= len(lines); i += 20 {
			text := strings.Join(lines[i:i+20], "\n\n")
			paragraphs += 20
			for _, p := range Parts(text, code, six) {
				if p.Language != code {
					astray += 1 + strings.Count(strings.TrimSpace(p.Text), "\n\n")
				}
			}
		}
		t.Logf("%s: %d of %d paragraphs", code, astray, paragraphs)
		require.LessOrEqual(t, astray*200, paragraphs, code)
	}
}

func FuzzParts(f *testing.F) {
	f.Add(english + "\n" + german)
	f.Fuzz(func(t *testing.T, text string) {
		if parts := Parts(text, "en", six); parts != nil {
			require.Equal(t, text, joined(parts))
		}
	})
}
