package language

import (
	"errors"
	"fmt"
	"strings"
)

// ErrForeign is the error of a text that is in none of the given languages.
var ErrForeign = errors.New("the text cannot be translated")

// fewLanguages is how many languages are listed for people.
const fewLanguages = 12

// Problem is why a text cannot be translated from the given languages: an
// ErrForeign for people, nil where it can.
func (f Finding) Problem(among []string) error {
	if f.Foreign != Wholly {
		return nil
	}
	known := fmt.Sprintf("%d languages, see `dragoman languages`", len(among))
	if len(among) <= fewLanguages {
		names := make([]string, len(among))
		for i, code := range among {
			names[i] = Label(code)
		}
		known = strings.Join(names, ", ")
	}
	seems := "it is written in letters of none of the languages that the model knows"
	if f.Other != "" {
		seems = "it seems to be in " + Label(f.Other) + ", which the model does not know"
	}
	return fmt.Errorf("%w: %s; the model knows %s. If it is in one of these, name it as the source language (--from)", ErrForeign, seems, known)
}

// Warning is what people should know of a text that was translated although a
// part of it is foreign; "" where there is none.
func (f Finding) Warning() string {
	switch {
	case f.Foreign != Partly:
		return ""
	case f.Other == "":
		return "parts of the text are in letters that the model does not know: they stay as they are, or come out wrong"
	}
	return "parts of the text seem to be in " + Label(f.Other) + ", which the model does not know: they stay as they are, or come out wrong"
}

// Hint is what people should know of a language that was found although it is
// unsure; "" where it is not.
func (f Finding) Hint() string {
	if !f.Unsure || f.Language == "" {
		return ""
	}
	doubts := []string{"unsure"}
	if f.Foreign == Perhaps {
		doubts = append(doubts, "perhaps "+name(f.Other)+", which the model does not know")
	}
	var others []string
	for _, a := range f.Alternatives {
		if a.Confidence >= worthMentioning {
			others = append(others, name(a.Language))
		}
	}
	if len(others) > 0 {
		doubts = append(doubts, "or "+strings.Join(others, " or "))
	}
	return fmt.Sprintf("taken as %s (%s): say --from", name(f.Language), strings.Join(doubts, ", "))
}

// worthMentioning is the confidence of an alternative from which on people are
// told of it.
const worthMentioning = 0.2

// Label is a language for people: "Dutch (nl)".
func Label(code string) string {
	if english, _ := Names(code); english != "" {
		return english + " (" + code + ")"
	}
	return code
}

// name is a language's English name, or its code.
func name(code string) string {
	if english, _ := Names(code); english != "" {
		return english
	}
	return code
}
