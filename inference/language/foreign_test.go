package language

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestForeignScripts(t *testing.T) {
	for text, other := range map[string]string{
		"Привет, как дела?":                    "ru",
		"Вимкни світло, коли виходиш з офісу.": "uk",
		"東京は日本の首都です。":                          "ja",
		"你好，今天天气很好！":                           "zh",
		"안녕하세요":                                "ko",
		"Καλημέρα σε όλους":                    "el",
		"iPhone 15 の新しい機能について":                 "ja",
		"བཀྲ་ཤིས་བདེ་ལེགས།":                    "", // of no model
		"Я купил вчера новый телефон Pixel":    "ru",
	} {
		found := Detect(text, six)
		require.Empty(t, found.Language, text)
		require.Zero(t, found.Confidence, text)
		require.Equal(t, Wholly, found.Foreign, text)
		require.Equal(t, other, found.Other, text)
	}
	// What has no language is not foreign.
	for _, text := range []string{"", " \n", "12:30", "3,14 €", "😀 👍🏽", "…!?", "https://example.org/the/house", "1º 2ª", "𝐀𝐁"} {
		require.Equal(t, Finding{}, Detect(text, six), text)
	}
	// A name in another script does not count, a paragraph does.
	found := Detect("The word мир means both peace and world in this language, which is hard to translate.", six)
	require.Equal(t, "en", found.Language)
	require.Equal(t, None, found.Foreign)
	found = Detect("This is what she told me on the phone yesterday evening: Я никогда там не был и не хочу туда.", six)
	require.Equal(t, "en", found.Language)
	require.Equal(t, Partly, found.Foreign)
	require.Equal(t, "ru", found.Other)
	// A model of two scripts has nothing foreign there.
	require.Equal(t, None, Detect("This is what she told me: Я никогда там не был и не хочу туда.", append(six, "ru")).Foreign)
}

// TestForeignWords has sentences in languages of the six languages' script: few
// may pass for one of the six without a word, and near relatives are not
// refused.
func TestForeignWords(t *testing.T) {
	silent, wholly, total := 0, 0, 0
	for code, sentences := range own {
		if slices.Contains(six, code) || scripts[scriptOf[code]].table != scripts[latin].table {
			continue
		}
		for _, s := range sentences {
			found := Detect(s, six)
			total++
			switch {
			case found.Foreign == Wholly:
				wholly++
				assert.Empty(t, found.Language, s)
				assert.NotContains(t, six, found.Other, s)
				assert.NotEqual(t, "ca", code, "Spanish does in its place: %q", s)
			case !found.Unsure:
				silent++
				t.Logf("%s was taken for %s (%.2f): %q", code, found.Language, found.Confidence, s)
			}
		}
	}
	t.Logf("%d sentences: %d refused, %d without a word", total, wholly, silent)
	assert.GreaterOrEqual(t, wholly*100, total*70)
	assert.LessOrEqual(t, silent*100, total*3)

	dutch := Detect("Ik ben daar nog nooit geweest, want het is te ver.", six)
	require.Equal(t, Finding{Foreign: Wholly, Other: "nl"}, dutch)
	require.Equal(t, "nl", Detect("Ik ben daar nog nooit geweest, want het is te ver.", append(six, "nl")).Language)
	catalan := Detect("No hi he estat mai perquè és massa lluny de casa meva.", six)
	require.NotEmpty(t, catalan.Language)
	require.Equal(t, "ca", catalan.Other)
	require.True(t, catalan.Unsure)
}

// TestFalseAlarms counts, on held-out sentences in languages that are given, how
// many are refused, and how well being unsure tells right answers from wrong
// ones.
func TestFalseAlarms(t *testing.T) {
	for _, test := range []struct {
		set          string
		words        int     // of the beginning of each sentence; 0 is all
		rightFlagged float64 // percent of the right answers that may be unsure
	}{
		{"pud", 0, 1.5}, {"laser-tatoeba", 0, 8}, {"laser-tatoeba", 3, 22}, {"laser-tatoeba", 1, 60},
	} {
		right, rightUnsure, wrong, wrongUnsure, refused := 0, 0, 0, 0, 0
		for _, code := range six {
			for _, line := range corpus(t, test.set, code) {
				fields := strings.Fields(line)
				if test.words > 0 && len(fields) > test.words {
					line = strings.Join(fields[:test.words], " ")
				}
				switch found := Detect(line, six); {
				case found.Foreign == Wholly:
					refused++
				case found.Language == code && found.Unsure:
					right++
					rightUnsure++
				case found.Language == code:
					right++
				case found.Unsure:
					wrong++
					wrongUnsure++
				default:
					wrong++
				}
			}
		}
		t.Logf("%s, %d words: %d refused; unsure of %d of %d right and %d of %d wrong answers",
			test.set, test.words, refused, rightUnsure, right, wrongUnsure, wrong)
		assert.Zero(t, refused, test.set)
		assert.LessOrEqual(t, 100*float64(rightUnsure), test.rightFlagged*float64(right), test.set)
		assert.GreaterOrEqual(t, 100*wrongUnsure, 85*wrong, test.set)
	}
}

// TestLongTexts has names and quotations from everywhere, as whole files do.
func TestLongTexts(t *testing.T) {
	for _, code := range six {
		lines := corpus(t, "pud", code)
		for _, n := range []int{10, 50, 250} {
			for i := 0; i+n <= len(lines); i += n {
				found := Detect(strings.Join(lines[i:i+n], "\n"), six)
				require.Equal(t, code, found.Language, "lines %d to %d", i, i+n)
				require.Equal(t, None, found.Foreign)
				require.False(t, found.Unsure)
			}
		}
	}
	names := strings.Repeat("Łódź, Kraków und Poznań: ąćęłńóśźż. ", 8)
	german := strings.Repeat("Das ist ein Satz über die Stadt, in der ich mit meinen Eltern gewohnt habe. ", 12)
	require.Equal(t, "de", Detect(german+names, six).Language)
}

func TestAlternatives(t *testing.T) {
	found := Detect("casa", six)
	require.True(t, found.Unsure)
	sum := found.Confidence
	codes := []string{found.Language}
	for i, a := range found.Alternatives {
		require.Positive(t, a.Confidence)
		if i > 0 {
			require.LessOrEqual(t, a.Confidence, found.Alternatives[i-1].Confidence)
		}
		sum += a.Confidence
		codes = append(codes, a.Language)
	}
	require.InDelta(t, 1, sum, 1e-9)
	require.Subset(t, codes, []string{"es", "it", "pt"})
	require.Empty(t, Detect("Where is the nearest train station?", six).Alternatives)
}

// A few words over and over make more votes than any text that says something.
func TestManyVotes(t *testing.T) {
	for _, text := range []string{strings.Repeat("a ", 4000), strings.Repeat("no ", 4000), strings.Repeat("x", 5000)} {
		for _, a := range Detect(text, six).Alternatives {
			require.False(t, math.IsNaN(a.Confidence))
			require.LessOrEqual(t, a.Confidence, 1.0)
		}
	}
}
