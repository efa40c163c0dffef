package segment

import (
	"strings"

	"golang.org/x/text/language"
)

// SameLanguage compares codes of languages as files have them, without regions and scripts: a
// text in en-GB needs no translation into en. Codes of other days and of a part of a language
// count as today's: iw is he, nb is no.
func SameLanguage(a, b string) bool {
	return a == b || baseOf(a) == baseOf(b)
}

func baseOf(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "@") // of gettext: sr@latin
	if tag, err := language.All.Parse(code); err == nil {
		if base, sure := tag.Base(); sure == language.Exact { // of "und" it is a guess
			return base.String()
		}
	}
	return strings.ToLower(code)
}
