// Package span finds the parts of a text that a translation must keep byte for
// byte: addresses, placeholders, markup, code, names of files, emoji and the
// like.
//
// It knows no language and no model, and must not import anything of ours.
package span

import (
	"unicode"
	"unicode/utf8"
)

// Kind is what a span is.
type Kind string

const (
	URL         Kind = "url"
	Email       Kind = "email"
	Path        Kind = "path"        // a path or the name of a file
	Code        Kind = "code"        // in backticks, identifiers, flags, escapes
	Placeholder Kind = "placeholder" // {0} %s %1$d %(name)s {{x}} ${x} $HOME :name
	Tag         Kind = "tag"         // <b> </b> <br/> <!-- -->
	Entity      Kind = "entity"      // &amp;
	Hashtag     Kind = "hashtag"
	Mention     Kind = "mention"
	Emoji       Kind = "emoji" // with emoticons and symbols such as ✓
	Phonetic    Kind = "phonetic"
	Unit        Kind = "unit"    // a number with its unit
	Name        Kind = "name"    // CamelCase, M2M-100, H2O
	Version     Kind = "version" // with IP addresses and dotted dates
	Number      Kind = "number"
	Term        Kind = "term" // of a glossary or a do-not-translate list; Find finds none
)

// Span is text[Start:End].
type Span struct {
	Start, End int
	Kind       Kind
}

// Strict says whether a translation without the span, or with one that the
// source lacks, is wrong whatever the language: what programs read.
func (k Kind) Strict() bool {
	switch k {
	case URL, Email, Path, Placeholder, Tag, Entity, Hashtag, Mention, Emoji, Code:
		return true
	}
	return false
}

// Find returns the spans of a text in order; they do not overlap. What touches
// each other with only signs between is one span, as in %1$d/%2$d. It runs in
// linear time on any bytes.
func Find(text string) []Span {
	f := finder{text: text}
	for i := 0; i < len(text); {
		if n, kind := f.at(i); n > 0 {
			if kind == Placeholder {
				n += lettersLen(text[i+n:])
			}
			f.add(Span{i, i + n, kind})
			i += n
			continue
		}
		c, size := utf8.DecodeRuneInString(text[i:])
		f.inWord = isWord(c) && !Unspaced(c) || c == '_' || f.inWord && (unicode.Is(unicode.M, c) || c == '\u200d' || c == '\u200c')
		i += size
	}
	return f.spans
}

type finder struct {
	text   string
	spans  []Span
	inWord bool // the character before is part of a word
	// Where the next closing mark of a kind is, so that none is looked for twice.
	closers [256]int
}

func (f *finder) add(s Span) {
	f.inWord = false
	if n := len(f.spans); n > 0 && s.Kind != Number && f.spans[n-1].Kind != Number && f.glued(f.spans[n-1], s) {
		f.spans[n-1].End = s.End
		if !f.spans[n-1].Kind.Strict() {
			f.spans[n-1].Kind = s.Kind
		}
		return
	}
	f.spans = append(f.spans, s)
}

// mostGlue is how many bytes of signs may stand between two spans that are one.
const mostGlue = 3

// glued says whether two spans have only signs between them, or nothing. Tags
// stay apart: text may come between them in the translation.
func (f *finder) glued(a, b Span) bool {
	between := f.text[a.End:b.Start]
	if len(between) > mostGlue || between != "" && (a.Kind == Tag || b.Kind == Tag || a.Kind == Emoji || b.Kind == Emoji) {
		return false
	}
	for i := range len(between) {
		switch between[i] {
		case '/', '-', ':', '.', '=', '+', '|', '@', '*', '#', '&', '~':
		default:
			return false
		}
	}
	return true
}

// at returns the length and kind of the span that begins at text[i]; 0 for none.
func (f *finder) at(i int) (int, Kind) {
	rest := f.text[i:]
	c := rest[0]
	switch c {
	case '<':
		return firstOf(matcher{f.tagLen(i), Tag}, matcher{emoticonLen(rest, f.inWord), Emoji})
	case '&':
		return entityLen(rest), Entity
	case '{':
		return f.braceLen(i), Placeholder
	case '$':
		return f.dollarLen(i), Placeholder
	case '%':
		return percentLen(f.text, i), Placeholder
	case '#':
		if len(rest) > 1 && rest[1] == '{' {
			return plusOne(f.braceLen(i + 1)), Placeholder
		}
		return tagWordLen(rest, f.inWord), Hashtag
	case '@':
		if n := doubledLen(rest, "@@"); n > 0 {
			return n, Placeholder
		}
		return tagWordLen(rest, f.inWord), Mention
	case '_':
		return doubledLen(rest, "__"), Placeholder
	case ':':
		return firstOf(matcher{colonLen(rest, f.inWord), Placeholder}, matcher{emoticonLen(rest, f.inWord), Emoji})
	case ';', '=':
		return emoticonLen(rest, f.inWord), Emoji
	case '`':
		return f.codeLen(i), Code
	case '[':
		return phoneticLen(rest, ']'), Phonetic
	case '/':
		if f.inWord {
			return 0, ""
		}
		return firstOf(matcher{phoneticLen(rest, '/'), Phonetic}, matcher{rootedLen(rest), Path})
	case '\\':
		return firstOf(matcher{rootedLen(rest), Path}, matcher{escapeLen(rest), Code})
	case '~', '.':
		if f.inWord {
			return 0, ""
		}
		return rootedLen(rest), Path
	case '-':
		return flagLen(rest, f.text[:i]), Code
	}
	if c >= utf8.RuneSelf {
		if n := emojiLen(rest); n > 0 {
			return n, Emoji
		}
	}
	if f.inWord {
		return 0, ""
	}
	return wordLen(f.text, i)
}

type matcher struct {
	n    int
	kind Kind
}

func firstOf(all ...matcher) (int, Kind) {
	for _, m := range all {
		if m.n > 0 {
			return m.n, m.kind
		}
	}
	return 0, ""
}

func plusOne(n int) int {
	if n > 0 {
		return n + 1
	}
	return 0
}

// lettersLen returns the length of the letters that stand right behind a
// placeholder and belong to it, as in %dpx and {count}x. Only those of ASCII:
// elsewhere they are endings and particles of a language.
func lettersLen(s string) int {
	n := 0
	for n < len(s) && isASCIILetter(s[n]) {
		n++
	}
	return n
}

// isWord says whether c is a part of words and numbers.
func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsNumber(c) }

func isASCIILetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// isName says whether c may stand in an identifier.
func isName(c byte) bool { return isASCIILetter(c) || isDigit(c) || c == '_' }

// nameLen returns the length of the identifier that s begins with.
func nameLen(s string) int {
	if s == "" || isDigit(s[0]) {
		return 0
	}
	n := 0
	for n < len(s) && isName(s[n]) {
		n++
	}
	return n
}

// isBlank is white space, as text.Split takes it.
func isBlank(r rune) bool {
	return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' || r == '\u2060'
}

// Unspaced says whether c is of a script that is written without spaces between words.
func Unspaced(c rune) bool {
	return c >= 0x0e00 && unicode.In(c, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao,
		unicode.Khmer, unicode.Myanmar)
}
