package language

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestMatch(t *testing.T) {
	for label, want := range map[string]string{
		"en": "en", "EN": "en", "en-US": "en", "en_GB": "en", "eng": "en",
		"zh-cn": "zh", "zh-Hans": "zh", "zh-Hant": "zh", "zh_TW": "zh", "zt": "zh", "cmn": "zh", "wuu": "zh", "yue": "zh", "zho_Hans": "zh",
		"nb": "no", "nn": "no", "nob": "no", "nno": "no", "nb-NO": "no",
		"iw": "he", "heb": "he", "in": "id", "ji": "yi", "ydd": "yi", "jw": "jv", "mo": "ro",
		"pb": "pt", "pt-BR": "pt", "por_Latn": "pt", "fil": "tl", "tgl": "tl", "nso": "ns",
		"pes": "fa", "prs": "fa", "arb": "ar", "azj": "az", "plt": "mg", "khk": "mn", "swh": "sw", "zsm": "ms", "ekk": "et", "als": "sq",
		"srp_Cyrl": "sr", "ger": "de", "ell": "el", "pbt": "ps", "fuv": "ff",
		"": "", "auto": "", "und": "", "zz": "", "xx-YY": "", "tlh": "", "te": "", "x-private": "", "not a language": "",
	} {
		assert.Equal(t, want, Match(label, all), "%q", label)
	}
	assert.Empty(t, Match("nl", six), "only languages that are there")
	assert.Equal(t, "nb", Match("no", []string{"en", "nb"}))
}

func TestTablesAgree(t *testing.T) {
	for _, code := range all {
		assert.Contains(t, scriptOf, code, "every language has a script")
	}
	assert.Len(t, scriptOf, len(all))
	for code, l := range lists() {
		assert.Contains(t, all, code, "words.txt")
		for word := range l.words {
			assert.Zero(t, l.foreign(word), "%s: %q is not written with %s", code, word, l.letters)
		}
	}
	for i, s := range scripts {
		if len(s.languages) > 1 && i != han {
			for _, code := range s.languages {
				assert.NotEmpty(t, lists()[code].words, "%s shares its script and needs words", code)
			}
		}
	}
	assert.Len(t, profiles()["no"], 2, "whatlanggo's Bokmål and Nynorsk")
	assert.Greater(t, len(profiles()), 55)
}

func TestNames(t *testing.T) {
	for _, code := range all {
		english, _ := Names(code)
		assert.NotEmpty(t, english, code)
	}
	english, native := Names("de")
	assert.Equal(t, "German", english)
	assert.Equal(t, "Deutsch", native)
	english, _ = Names("ns")
	assert.Equal(t, "Northern Sotho", english)
	english, native = Names("zz-not-one")
	assert.Empty(t, english+native)
}
