package inference

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/check"
	"dragoman/inference/glossary"
	"dragoman/inference/text/protect"
	"dragoman/inference/text/span"
)

// fakeCare is care around a model that gives answers by what it is asked.
func fakeCare(model func(string) string) *care {
	return &care{
		from: "en", to: "de", stats: &Stats{},
		model:   func(s string) (string, error) { return model(s), nil },
		unknown: func(word string) bool { return strings.ContainsAny(word, "日本") },
		name:    func(word string) bool { return word == "monday" },
	}
}

func TestASecondTryIsMadeOfHalves(t *testing.T) {
	c := fakeCare(func(s string) string {
		if strings.Contains(s, "dog") && strings.Contains(s, "house") {
			return "der Hund der Hund der Hund der Hund"
		}
		return map[string]string{"The house is big,": "Das Haus ist groß,", "and the dog is small.": "und der Hund ist klein."}[s]
	})
	out, doubts, err := c.translate("The house is big, and the dog is small.")
	require.NoError(t, err)
	require.Empty(t, doubts)
	require.Equal(t, "Das Haus ist groß, und der Hund ist klein.", out)
	require.Equal(t, 1, c.stats.Retried)
}

func TestASecondTryKeepsTheTerms(t *testing.T) {
	c := fakeCare(func(s string) string {
		if strings.Contains(s, "dog") && strings.Contains(s, "is big") {
			return "X1 der Hund der Hund der Hund der Hund"
		}
		return map[string]string{"The X1 is big,": "Der X1 ist groß,", "and the dog is small.": "und der Hund ist klein."}[s]
	})
	c.glossary = glossary.New([]glossary.Entry{{From: "en", To: "de", Source: "folder", Target: "Ordner"}})
	out, doubts, err := c.translate("The folder is big, and the dog is small.")
	require.NoError(t, err)
	require.Empty(t, doubts)
	require.Equal(t, "Der Ordner ist groß, und der Hund ist klein.", out)
}

func TestAWordIsNotTriedInHalves(t *testing.T) {
	asked := 0
	c := fakeCare(func(string) string { asked++; return "Käse Käse Käse Käse" })
	out, doubts, err := c.translate("Cheese.")
	require.NoError(t, err)
	require.Equal(t, "Käse Käse Käse Käse", out)
	require.Contains(t, doubts, check.Repetition)
	require.Equal(t, 1, asked)
	require.Zero(t, c.stats.Retried)
}

func TestWhatStaysWrongIsDoubted(t *testing.T) {
	c := fakeCare(func(s string) string { return s })
	out, doubts, err := c.translate("The house is bigger than others.")
	require.NoError(t, err)
	require.Equal(t, "The house is bigger than others.", out)
	require.Equal(t, []check.Kind{check.Untranslated}, doubts)
	require.Equal(t, 1, c.stats.Doubtful)
}

func TestNumbersAreKeptInASecondTry(t *testing.T) {
	c := fakeCare(func(s string) string {
		if strings.Contains(s, "X1") {
			return "Es waren X1 Häuser."
		}
		return "Es waren 124 Häuser."
	})
	out, doubts, err := c.translate("There were 142 houses.")
	require.NoError(t, err)
	require.Empty(t, doubts)
	require.Equal(t, "Es waren 142 Häuser.", out)
}

func TestUnknownWordsAreKept(t *testing.T) {
	var asked string
	c := fakeCare(func(s string) string { asked = s; return strings.ReplaceAll(s, "My friend", "Mein Freund") })
	out, _, err := c.translate("My friend 日本 lives here.")
	require.NoError(t, err)
	require.Equal(t, "My friend X1 lives here.", asked)
	require.Equal(t, "Mein Freund 日本 lives here.", out)
}

func TestRulesCanBeLeftOut(t *testing.T) {
	c := fakeCare(func(s string) string { return s + "!" })
	c.without = AllRules
	out, doubts, err := c.translate("{0} 日本 {0} {0} {0}")
	require.NoError(t, err)
	require.Empty(t, doubts)
	require.Equal(t, "{0} 日本 {0} {0} {0}!", out)
}

func TestCapitalsGoToTheModelInPlainForm(t *testing.T) {
	answers := map[string]string{"Delete all files": "Alle Dateien löschen", "Delete X1 from I": "X1 von mir löschen", "File options and settings": "Dateioptionen und Einstellungen"}
	c := fakeCare(func(s string) string { return answers[s] })
	for in, want := range map[string]string{
		"DELETE ALL FILES": "ALLE DATEIEN LÖSCHEN", "DELETE {name} FROM I": "{name} VON MIR LÖSCHEN", "File Options and Settings": "Dateioptionen und Einstellungen",
	} {
		out, _, err := c.translate(in)
		require.NoError(t, err)
		require.Equal(t, want, out)
	}
}

func TestUnknownSentencesKeepTheirCapitals(t *testing.T) {
	c := fakeCare(nil)
	c.model = func(s string) (string, error) { c.stats.Kept++; return s, nil }
	out, _, err := c.translate("ВСЕ ФАЙЛЫ И Папки")
	require.NoError(t, err)
	require.Equal(t, "ВСЕ ФАЙЛЫ И Папки", out)
}

func TestTermsOfTheGlossary(t *testing.T) {
	asked := 0
	c := fakeCare(func(s string) string {
		asked++
		return strings.NewReplacer("The folder is in the house", "Das Verzeichnis ist im Haus", "The X1 is in the X2", "Das X1 ist im X2", "X1 names the", "X1 nennt das",
			"The house is here", "Das Haus ist hier", "The shop is closed", "Der Laden ist zu", "X1 are X2", "X1 sind X2").Replace(s)
	})
	c.glossary = glossary.New([]glossary.Entry{
		{From: "en", To: "de", Source: "folder", Target: "Ordner"}, {From: "en", To: "de", Source: "house", Target: "Haus"}, {Source: "Blue Moon"},
		{From: "en", To: "de", Source: "colours", Target: "farben"},
		{From: "en", To: "de", Source: "shop", Target: "LADEN"},
	})
	for in, want := range map[string]string{
		"The folder is in the house.": "Das Ordner ist im Haus.",
		"Blue Moon names the house.":  "Blue Moon nennt das Haus.",
		"The house is here.":          "Das Haus ist hier.",
		"The shop is closed.":         "Der LADEN ist zu.",
		"Colours are colours.":        "Farben sind farben.",
	} {
		out, _, err := c.translate(in)
		require.NoError(t, err)
		require.Equal(t, want, out)
	}
	require.Equal(t, 8, asked, "where the model has the term there is no second try")
}

func TestCapitalsAreTakenBack(t *testing.T) {
	var asked []string
	c := fakeCare(func(s string) string { asked = append(asked, s); return "Der Hund ist hier" })
	for _, s := range []string{"CLOSED ON MONDAY MORNING", "Do NOT open {0} on Monday", "Meet me at 9 am or 5 p.m."} {
		_, _, err := c.translate(s)
		require.NoError(t, err)
	}
	require.Equal(t, []string{"Closed on Monday morning", "Do not open X1 on Monday"}, asked[:2])
	require.Contains(t, asked, "Meet me at X1 or X2.")
}

func TestTheMarkAtTheEndStays(t *testing.T) {
	for _, test := range []struct{ in, out, want string }{
		{"Dear Maria,", "Liebe Maria.", "Liebe Maria,"},
		{"Dear Maria,", "Liebe Maria", "Liebe Maria,"},
		{"Dear Maria,", "Liebe Maria!", "Liebe Maria!"},
		{"Run this:", "Führe dies aus.", "Führe dies aus:"},
		{"and milk;", "und Milch;", "und Milch;"},
		{"Dear Maria,", "亲爱的玛丽亚", "亲爱的玛丽亚"},
		{"and so on...,", "usw.", "usw."},
		{",", "", ""},
		{"", "x", "x"},
	} {
		require.Equal(t, test.want, withMark(test.in, test.out), test.in)
	}
}

func TestAStopOfASpanEndsTheSentenceOnce(t *testing.T) {
	var asked string
	c := fakeCare(func(s string) string {
		asked = s
		return strings.NewReplacer("He said:", "Er sagte:", "Come at", "Komm um").Replace(s)
	})
	for in, want := range map[string]string{
		`He said: "Come at 5 p.m."`: `Er sagte: "Komm um 5 p.m."`,
		"Come at 5 p.m.":            "Komm um 5 p.m.",
		"Come at 5 p.m.!":           "Komm um 5 p.m.!",
	} {
		out, _, err := c.translate(in)
		require.NoError(t, err)
		require.Equal(t, want, out)
		require.Contains(t, asked, "X1"+map[bool]string{true: ".", false: ""}[in != "Come at 5 p.m.!"])
	}
}

func TestTheCapitalAtTheBeginning(t *testing.T) {
	kept := []protect.Span{{Span: span.Span{Start: 0, End: len("iPhone")}}}
	for _, test := range []struct {
		in, out string
		spans   []protect.Span
		want    string
	}{
		{"Open the file.", "öffnen Sie die Datei.", nil, "Öffnen Sie die Datei."},
		{"open the file.", "öffnen Sie die Datei.", nil, "öffnen Sie die Datei."},
		{"Two apples", "苹果", nil, "苹果"},
		{"Monday", "lunes", nil, "lunes"},
		{"IPhone here", "iPhone ist da", []protect.Span{{Span: span.Span{Start: 0, End: 6}, Into: "iPhone"}}, "iPhone ist da"},
		{"iPhone", "iPhone", kept, "iPhone"},
		{"", "x", nil, "x"},
		{"X", "", nil, ""},
	} {
		require.Equal(t, test.want, withCapital(test.in, test.out, test.spans))
	}
}
