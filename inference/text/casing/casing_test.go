package casing

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func keepX(word string) bool { return word == "X1" }

func TestForms(t *testing.T) {
	for _, c := range []struct {
		lang, text string
		form       Form
		lower      string
	}{
		{"en", "TERMS/CONDITIONS", Upper, "Terms/conditions"},
		{"en", "WHAT I SAW", Upper, "What I saw"},
		{"en", "NATO", Plain, ""},
		{"en", "USB 3.0", Plain, ""},
		{"en", "OPEN X1 NOW", Upper, "Open X1 now"},
		{"en", "The house is BIG.", Plain, ""},
		{"en", "File Options and Advanced Settings", Title, "File options and advanced settings"},
		{"en", "Maria Schmidt", Plain, ""},
		{"en", "John Smith Went Home Yesterday.", Plain, ""},
		{"de", "Dateien Ordner Einstellungen", Plain, ""},
		{"de", "ALLE DATEIEN LÖSCHEN", Upper, "Alle dateien löschen"},
		{"tr", "ISPARTA İLİNDE", Upper, "Isparta ilinde"},
		{"ru", "ВСЕ ФАЙЛЫ", Upper, "Все файлы"},
		{"ja", "家は大きい", Plain, ""},
		{"ar", "البيت كبير", Plain, ""},
		{"en", "", Plain, ""},
		{"en", "\xff\xfe", Plain, ""},
	} {
		require.Equal(t, c.form, Of(c.text, c.lang, keepX), c.text)
		if c.form != Plain && c.lang != "tr" {
			require.Equal(t, c.lower, Lower(c.text, c.lang, keepX))
		}
	}
	require.Equal(t, "TÉRMINOS X1", Restore("Términos X1", Upper, "es", keepX))
	require.Equal(t, "STRASSE", Restore("Straße", Upper, "de", keepX))
	require.Equal(t, "Opciones de Archivo y Ajustes", Restore("Opciones de archivo y ajustes", Title, "es", keepX))
	require.Equal(t, "Einstellungen und mehr", Restore("Einstellungen und mehr", Title, "de", keepX))
	require.Equal(t, "家は大きい", Restore("家は大きい", Upper, "ja", keepX))
}

func FuzzCasing(f *testing.F) {
	f.Add("TERMS X1", "tr")
	f.Add("\xff\u0301", "de")
	f.Fuzz(func(_ *testing.T, text, lang string) {
		form := Of(text, lang, keepX)
		Restore(Lower(text, lang, keepX), form, lang, keepX)
	})
}
