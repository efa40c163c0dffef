package language

import (
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// Names are a language's English name and its own, each "" where it is not
// known.
func Names(code string) (english, native string) {
	if code == "ns" { // the models' code for Northern Sotho, which ISO 639 calls nso
		code = "nso"
	}
	tag, err := language.Parse(code)
	if err != nil {
		return "", ""
	}
	return display.English.Languages().Name(tag), display.Self.Name(tag)
}
