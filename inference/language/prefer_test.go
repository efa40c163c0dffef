package language

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPrefer(t *testing.T) {
	f := Finding{Language: "es", Confidence: 0.2, Unsure: true, Alternatives: []Alternative{{"it", 0.15}, {"pt", 0.02}}}
	got := f.Prefer([]string{"it", "pt"})
	require.Equal(t, Finding{Language: "it", Confidence: 0.15, Unsure: true, Alternatives: []Alternative{{"es", 0.2}, {"pt", 0.02}}}, got)
	require.Equal(t, "it", f.Alternatives[0].Language, "the finding itself stays")
	require.Equal(t, f, f.Prefer([]string{"pt"}), "too far behind")
	require.Equal(t, f, f.Prefer([]string{"es", "it"}))
	require.Equal(t, f, f.Prefer(nil))
	sure := Finding{Language: "es", Confidence: 0.9}
	require.Equal(t, sure, sure.Prefer([]string{"it"}))
}

// TestHintsHelpWithSingleWords has the texts of someone who writes English and
// one more language, one word each.
func TestHintsHelpWithSingleWords(t *testing.T) {
	plain, hinted, total := 0, 0, 0
	for _, code := range []string{"de", "es", "fr", "it", "pt"} {
		for i, line := range corpus(t, "pud", code) {
			if i%10 != 0 {
				continue
			}
			f := Detect(strings.Fields(line)[0], six)
			total++
			if f.Language == code {
				plain++
			}
			if f.Prefer([]string{"en", code}).Language == code {
				hinted++
			}
		}
	}
	t.Logf("one word among 6: %.1f%% of %d, with hints %.1f%%", 100*float64(plain)/float64(total), total, 100*float64(hinted)/float64(total))
	require.Greater(t, hinted, plain)
}
