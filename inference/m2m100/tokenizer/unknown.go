package tokenizer

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownLanguage says that a language is not one of Languages.
var ErrUnknownLanguage = errors.New("this model does not translate it; run `dragoman languages` to see what it does")

// mostNamed bounds how many languages an error names.
const mostNamed = 20

// UnknownLanguage is the ErrUnknownLanguage of a language that is not among
// those that a model knows. It names them where they are few.
func UnknownLanguage(lang string, known []string) error {
	text := fmt.Sprintf("language %.20q: %s", lang, ErrUnknownLanguage)
	if len(known) > 0 && len(known) <= mostNamed {
		text = fmt.Sprintf("language %.20q: this model does not know it, only %s: see `dragoman languages`", lang, strings.Join(known, ", "))
	}
	return unknownLanguage(text)
}

type unknownLanguage string

func (e unknownLanguage) Error() string        { return string(e) }
func (e unknownLanguage) Is(target error) bool { return target == ErrUnknownLanguage }
