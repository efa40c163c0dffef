// Package segment holds what readers of file formats and whoever translates have
// in common: pieces of text with their places, how translations of whole pieces
// are shared out among markup, and how they are spliced in so that everything
// else stays byte for byte.
//
// It knows no format and no model: translating is a function that is given in.
package segment

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
)

// Kind says what part a segment plays in its document.
type Kind string

// What readers tell apart.
const (
	Text      Kind = "text" // all of a plain text
	Paragraph Kind = "paragraph"
	Heading   Kind = "heading"
	Cell      Kind = "cell"
	Cue       Kind = "cue"     // of subtitles
	Message   Kind = "message" // of a program
	Attribute Kind = "attribute"
	Note      Kind = "note" // footnote, comment, speaker's note
)

// Segment is a piece of text that is translated as a whole: a paragraph, a cell, a
// message. It may have many sentences.
type Segment struct {
	ID   string // its place in the document; the same in each reading of the same file
	Kind Kind
	// Keep is why the segment is not translated, "" where it is.
	Keep  string
	Slots []Slot // in their order
	// Protect matches what must be in the translation as often as in the source,
	// such as placeholders; nil for nothing.
	Protect *regexp.Regexp
	// Fits, where not nil, says whether the format can hold what the slots are to be
	// given; if not, the segment is translated in runs.
	Fits func(s *Segment) bool
	// Copy, where not nil, has the translation written beside the source instead of
	// in its place.
	Copy *Copy
	// Behind, where not nil, is where the translation goes if the text stays and both
	// are wanted; nil is behind the last slot.
	Behind *Behind
	// Elsewhere has Part.Localise write the translation, and nothing the source.
	Elsewhere bool

	written bool // it is known what is to be written for the slots
}

// Slot is a run of text without markup in it. Slots keep their order and the
// markup between them: only their texts change.
type Slot struct {
	Text string // as a reader sees it
	Out  string // what is to be written for it; set by Translate or after Reset
	// Style is the same for slots that look the same.
	Style int
	// Fixed text is part of the sentence but stays as it is: code, a number that is
	// computed.
	Fixed bool
	// Joined belongs to the slot before: only the way a program stores text parts
	// the two.
	Joined bool

	Start, End int // bytes of the part's source that hold it
	// Escape writes a text as the format does; nil is as it is.
	Escape func(text string) string
}

// Behind is a place of the source, behind all markup of a segment, and how a translation is
// written there, with what parts it from the text.
type Behind struct {
	At    int
	Write func(translation string) string
}

// Copy is where the translation of the bytes From to To of the source goes.
type Copy struct {
	From, To      int
	Start, End    int // the bytes that are replaced
	Before, After string
}

// Source is the text of all slots.
func (s *Segment) Source() string { return s.join(func(slot *Slot) string { return slot.Text }) }

// Target is the text of all slots as it is to be written.
func (s *Segment) Target() string { return s.join(func(slot *Slot) string { return slot.Out }) }

func (s *Segment) join(of func(*Slot) string) string {
	if len(s.Slots) == 1 {
		return of(&s.Slots[0])
	}
	var b strings.Builder
	for i := range s.Slots {
		b.WriteString(of(&s.Slots[i]))
	}
	return b.String()
}

// Protected are the parts of the source that are not translated, in their order.
func (s *Segment) Protected() []string {
	var all []string
	if p := s.part(); p != nil {
		for _, text := range p.texts {
			all = append(all, text.Protected()...)
		}
		return all
	}
	for _, slot := range s.Slots {
		switch {
		case slot.Fixed && strings.TrimSpace(slot.Text) != "":
			all = append(all, slot.Text)
		case s.Protect != nil && !slot.Fixed:
			all = append(all, s.Protect.FindAllString(slot.Text, -1)...)
		}
	}
	return all
}

// Changed says whether something else than the source is to be written for a slot.
func (s *Segment) Changed() bool { return len(s.edits()) > 0 }

// Reset has all slots written as they were, which they also are before anything is set.
func (s *Segment) Reset() {
	s.written = true
	for i := range s.Slots {
		s.Slots[i].Out = s.Slots[i].Text
	}
}

// translatable says whether there is a word to translate.
func (s *Segment) translatable() bool {
	if s.Keep != "" {
		return false
	}
	for _, slot := range s.Slots {
		if !slot.Fixed && (HasWords(slot.Text) || s.Kind == Text && strings.TrimSpace(slot.Text) != "") {
			return true
		}
	}
	return false
}

// HasWords says whether s has a letter.
func HasWords(s string) bool { return strings.ContainsFunc(s, unicode.IsLetter) }

// FormatError tells why a file cannot be read as what it seems to be. Whoever
// knows the file's name puts it before.
type FormatError struct {
	Format string // "Word document"
	Part   string // of a zip, "" for others
	Line   int    // from 1, 0 where there is none
	Reason string
	Hint   string // the way out
}

func (e *FormatError) Error() string {
	at := ""
	if e.Part != "" {
		at = e.Part + ", "
	}
	if e.Line > 0 {
		at += fmt.Sprintf("line %d: ", e.Line)
	} else if at != "" {
		at = e.Part + ": "
	}
	text := fmt.Sprintf("cannot be read as %s: %s%s", e.Format, at, e.Reason)
	if e.Hint != "" {
		text += "; " + e.Hint
	}
	return text
}

// LineOf is the line, from 1, of a place in a text.
func LineOf(text string, at int) int {
	return 1 + strings.Count(text[:min(max(at, 0), len(text))], "\n")
}
