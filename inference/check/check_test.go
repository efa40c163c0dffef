package check

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSentence(t *testing.T) {
	for _, c := range []struct {
		from, to, source, target string
		want                     []Kind
	}{
		{"en", "de", "The house is big.", "Das Haus ist groß.", nil},
		{"en", "de", "ha ha ha ha ha", "ha ha ha ha ha", nil},
		{"en", "es", "slowly", "lentamente, lentamente, lentamente, lentamente", []Kind{Repetition, Length}},
		{"en", "es", "cheese", "queso queso queso", []Kind{Repetition}},
		{"en", "ja", "The house is big.", "家は大きいです。", nil},
		{"en", "ja", "The house is big and the dog is small.", "The house is big.", []Kind{Script}},
		{"en", "ru", "The house is big.", "The house is big.", []Kind{Untranslated, Script}},
		{"en", "de", "OK", "OK", nil},
		{"en", "de", "Maria and Anna", "Maria und Anna", nil},
		{"en", "de", "Anna Maria Schmidt", "Anna Maria Schmidt", []Kind{Untranslated}},
		{"en", "fr", "It costs 1,234.50 euros.", "Cela coûte 1 234,50 euros.", nil},
		{"en", "fr", "It costs 1234 euros.", "Cela coûte 1243 euros.", []Kind{Numbers}},
		{"en", "fr", "I have 3 dogs.", "J'ai trois chiens.", nil},
		{"en", "de", "Twenty-five people came in 2019.", "2019 kamen 25 Leute.", nil},
		{"en", "de", "Hello.", "__de__ Hallo.", []Kind{Token}},
		{"en", "de", "Hello.", "Hallo<unk>.", []Kind{Token}},
		{"en", "de", "Set __init__ here.", "Setzen Sie __init__ hier.", nil},
		{"en", "de", "We went home. The others stayed at the party until late. It was a good evening.", "Wir gingen nach Hause.", []Kind{Length, Dropped}},
		{"en", "zh", "我不知道", "我不知道", nil},
		{"en", "th", strings.Repeat("word ", 20), "กกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกกก", []Kind{Repetition}},
		{"de", "en", "Das Haus ist groß.", "", []Kind{Length}},
		{"en", "sr", "The house is big.", "Kuća je velika.", nil},
	} {
		require.Equal(t, c.want, Sentence(c.source, c.target, c.from, c.to), "%q: %q", c.source, c.target)
	}
}

func TestEachKindIsExplained(t *testing.T) {
	for _, k := range kinds {
		require.NotEqual(t, string(k), k.Explain())
	}
}

func FuzzSentence(f *testing.F) {
	f.Add("Hello 5", "Hallo 5", "en", "de")
	f.Add("\xff\x00", "__de_", "ja", "xx")
	f.Fuzz(func(_ *testing.T, source, target, from, to string) { Sentence(source, target, from, to) })
}
