// Package text decides what of a text is given to the translation model, and puts the result together again.
//
// It owns the rules that take a text apart into sentences and the white space between them, that tell text with
// nothing to translate from text, that cut a sentence which is too long for the model, and that join translations.
// It works on strings only: it must import neither the model nor the runtime nor any other package of this module.
package text

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/text/span"
)

// Kind says what is to be done with a piece of text.
type Kind int

const (
	// Sentence is a piece to be translated: it has no white space at its ends and [Translatable] holds for it.
	Sentence Kind = iota
	// Verbatim is a piece to be kept byte for byte: white space, line ends, list markers, numbers, addresses.
	Verbatim
)

// Piece is a part of a text. Two Verbatim pieces never follow each other.
type Piece struct {
	Text string
	Kind Kind
}

// Split takes text apart into sentences and what lies between them. The Text of all pieces, one after the other, is
// exactly the input, byte for byte, also where it is not valid UTF-8. It runs in linear time.
//
// Every line end and every tab divides sentences, but those of a hard-wrapped paragraph, whose sentences hold them
// (Unwrap takes them out), and code, which is Verbatim. lang is the language of text (an ISO 639-1 code, further subtags such as "-BR" are ignored); it chooses abbreviations and other rules. An
// unknown or empty lang gets the general ones.
//
// The rules follow UAX #29 (sentence boundaries) in what ends a sentence, what may stand between the mark and the
// boundary, and that a small letter goes on with the sentence. They are not taken from a library, because those
// look ahead over the rest of the text at each closing mark, which makes a hostile input quadratic, and because most
// of the work are the exceptions: UAX #29 knows no abbreviations, initials, ordinals or list markers.
func Split(text, lang string) []Piece { return split(text, lang, true) }

// SplitLines is Split for texts of which each line stands by itself.
func SplitLines(text, lang string) []Piece { return split(text, lang, false) }

func split(text, lang string, unwrap bool) []Piece {
	s := splitter{text: text, rules: rulesFor(lang)}
	code := coder{text: text}
	wrapped := 0 // no hard-wrapped paragraph begins before
	for pos := 0; pos < len(text); {
		if unwrap {
			if stop := code.end(pos); stop > pos {
				s.emit(Verbatim, stop)
				pos = stop
				continue
			}
		}
		end, next := lineEnd(text, pos)
		if unwrap && pos >= wrapped {
			var last int
			if last, wrapped = wrappedEnd(text, pos, end, s.rules); last > end {
				end, next = lineEnd(text, last)
			}
		}
		s.line(pos, end)
		s.emit(Verbatim, next)
		pos = next
	}
	return s.pieces
}

// splitter collects pieces; done is the offset up to which text is already in them.
type splitter struct {
	text   string
	rules  *rules
	pieces []Piece
	done   int
	last   int // offset where the newest piece begins
}

// emit adds text[done:end], and makes one piece of Verbatim neighbours.
func (s *splitter) emit(kind Kind, end int) {
	if end == s.done {
		return
	}
	if n := len(s.pieces); n > 0 && kind == Verbatim && s.pieces[n-1].Kind == Verbatim {
		s.pieces[n-1].Text = s.text[s.last:end]
	} else {
		s.last = s.done
		s.pieces = append(s.pieces, Piece{Text: s.text[s.done:end], Kind: kind})
	}
	s.done = end
}

// line adds text[pos:end], which holds no line end.
func (s *splitter) line(pos, end int) {
	first := true
	for pos < end {
		cell := end
		if i := strings.IndexByte(s.text[pos:end], '\t'); i >= 0 {
			cell = pos + i
		}
		s.cell(pos, cell, first)
		first = first && isBlankString(s.text[pos:cell])
		pos = min(cell+1, end)
		s.emit(Verbatim, pos)
	}
}

// cell adds text[pos:end], a line or a part of one between tabs. Only the first one of a line can have a list marker.
func (s *splitter) cell(pos, end int, first bool) {
	pos = skipBlank(s.text, pos, end)
	end = pos + len(strings.TrimRightFunc(s.text[pos:end], isBlank))
	if first {
		pos += markerLen(s.text[pos:end], s.rules)
	}
	pos += skipBlank(s.text[pos:end], ruleLen(s.text[pos:end]), end-pos)
	s.emit(Verbatim, pos)
	end = pos + len(strings.TrimRightFunc(s.text[pos:end-ruleEndLen(s.text[pos:end])], isBlank))
	whole := spaced(s.text[pos:end], pos)
	parting := bars(s.text[pos:end], pos, whole)
	for pos < end {
		limit := end
		if len(parting) > 0 {
			limit = parting[0]
		}
		if limit == pos { // a bar
			parting = parting[1:]
			pos = skipBlank(s.text, pos+1, end)
			s.emit(Verbatim, pos)
			continue
		}
		limit = pos + len(strings.TrimRightFunc(s.text[pos:limit], isBlank))
		stop := pos + s.rules.sentenceLen(s.text[pos:limit], 0)
		for len(whole) > 0 && whole[0].Start < stop {
			if stop < whole[0].End { // a mark inside code or a tag
				stop = pos + s.rules.sentenceLen(s.text[pos:limit], whole[0].End-pos)
			}
			whole = whole[1:]
		}
		kind := Verbatim
		if Translatable(s.text[pos:stop]) {
			kind = Sentence
		}
		s.emit(kind, stop)
		pos = skipBlank(s.text, stop, end)
		s.emit(Verbatim, pos)
	}
}

// spaced returns the spans of a text, which begins at offset, that may have white space in them.
func spaced(text string, offset int) (spans []span.Span) {
	if !strings.ContainsAny(text, "`<{\\") {
		return nil
	}
	for _, f := range span.Find(text) {
		if strings.ContainsFunc(text[f.Start:f.End], isBlank) {
			f.Start, f.End = f.Start+offset, f.End+offset
			spans = append(spans, f)
		}
	}
	return spans
}

// lineEnd finds the first line end of text at or after pos: it lies in text[end:next]. Line ends are those of
// UAX #14 that always break: LF, CR, CR LF, VT, FF, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR.
func lineEnd(text string, pos int) (end, next int) {
	for i := pos; i < len(text); i++ {
		switch text[i] {
		case '\n', '\v', '\f':
			return i, i + 1
		case '\r':
			if strings.HasPrefix(text[i+1:], "\n") {
				return i, i + 2
			}
			return i, i + 1
		case 0xC2, 0xE2:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == '\u0085' || r == '\u2028' || r == '\u2029' {
				return i, i + size
			}
		}
	}
	return len(text), len(text)
}

// isBlank says whether r is white space for our purpose: that of Unicode and the invisible characters of no meaning
// at the edge of a sentence (byte order mark, zero width space, word joiner).
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' || r == '\u2060'
}

func isBlankString(s string) bool {
	return strings.TrimLeftFunc(s, isBlank) == ""
}

// skipBlank returns the offset of the first character of text[pos:end] that is not blank, or end.
func skipBlank(text string, pos, end int) int {
	return end - len(strings.TrimLeftFunc(text[pos:end], isBlank))
}
