package casing

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func isName(word string) bool { return word == "monday" || word == "dateien" }

func keepX(word string) bool { return word == "X1" }

func TestForms(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		form       Form
		lower      string
	}{
		{"en", "TERMS/CONDITIONS", Upper, "Terms/conditions"},
		{"en", "WHAT I SAW", Upper, "What I saw"},
		{"en", "CLOSED ON MONDAY", Upper, "Closed on Monday"},
		{"en", "NATO", Plain, ""},
		{"en", "USB 3.0", Plain, ""},
		{"en", "OPEN X1 NOW", Upper, "Open X1 now"},
		{"en", "The house is BIG.", Plain, ""},
		{"en", "File Options and Advanced Settings", Title, "File options and advanced settings"},
		{"en", "Maria Schmidt", Plain, ""},
		{"en", "John Smith Went Home Yesterday.", Plain, ""},
		{"de", "Dateien Ordner Einstellungen", Plain, ""},
		{"de", "ALLE DATEIEN LÖSCHEN", Upper, "Alle Dateien löschen"},
		{"tr", "ISPARTA İLİNDE", Upper, "Isparta ilinde"},
		{"ru", "ВСЕ ФАЙЛЫ", Upper, "Все файлы"},
		{"ja", "家は大きい", Plain, ""},
		{"ar", "البيت كبير", Plain, ""},
		{"en", "", Plain, ""},
		{"en", "\xff\xfe", Plain, ""},
	} {
		require.Equal(t, c.form, Of(c.text, c.lang, keepX), c.text)
		if c.form != Plain && c.lang != "tr" {
			require.Equal(t, c.lower, Lower(c.text, c.lang, keepX, isName))
		}
	}
	require.Equal(t, "TÉRMINOS X1", Restore("Términos X1", Upper, "es", keepX))
	require.Equal(t, "STRASSE", Restore("Straße", Upper, "de", keepX))
	require.Equal(t, "File Options and Settings", Restore("File options and settings", Title, "en", keepX))
	require.Equal(t, "Opciones de archivo y ajustes", Restore("Opciones de archivo y ajustes", Title, "es", keepX))
	require.Equal(t, "Einstellungen und mehr", Restore("Einstellungen und mehr", Title, "de", keepX))
	require.Equal(t, "家は大きい", Restore("家は大きい", Upper, "ja", keepX))
}

func TestStressedWords(t *testing.T) {
	for _, c := range []struct{ lang, text, want string }{
		{"en", "Do NOT delete the file!", "Do not delete the file!"},
		{"en", "DO NOT delete it.", "Do not delete it."},
		{"en", "You MUST read this, and DON’T forget.", "You must read this, and don’t forget."},
		{"en", "The WHO and the US say NO. OR, IT, A", "The WHO and the US say no. OR, IT, A"},
		{"de", "Das darf man NICHT tun", "Das darf man nicht tun"},
		{"pt", "NÃO feche a janela", "Não feche a janela"},
	} {
		calm, found := Calm(c.text, c.lang)
		require.Equal(t, c.want, calm)
		require.True(t, found)
	}
	for _, c := range []struct{ lang, text string }{{"en", "Do not delete the file"}, {"ja", "NOT"}, {"en", "KNOT M2NOT"}, {"en", ""}, {"en", "\xff NO\xff"[:1]}} {
		calm, found := Calm(c.text, c.lang)
		require.Equal(t, c.text, calm)
		require.False(t, found)
	}
}

func FuzzCasing(f *testing.F) {
	f.Add("TERMS X1", "tr")
	f.Add("\xff\u0301", "de")
	f.Fuzz(func(_ *testing.T, text, lang string) {
		form := Of(text, lang, keepX)
		Restore(Lower(text, lang, keepX, isName), form, lang, keepX)
		Calm(text, lang)
	})
}
