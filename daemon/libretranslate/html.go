package libretranslate

import (
	"strings"
	"unicode"

	"golang.org/x/net/html"
)

// htmlDocument takes HTML apart: runs of text between two tags are translated
// each on its own, everything else is kept byte for byte: tags, attributes,
// comments, and what is not for readers or marked as not to be translated
// (translate="no", class "notranslate"). A sentence with tags in it is
// translated in parts; only a translator that aligns words could do better.
func htmlDocument(source string) document {
	var d document
	var open openElements
	tokens := html.NewTokenizer(strings.NewReader(source))
	done, at := 0, 0 // what is in d, and what was read
	for {
		kind := tokens.Next()
		// An error is the end; what is left of an unfinished tag is kept below.
		if kind == html.ErrorToken {
			break
		}
		start := at
		at += len(tokens.Raw())
		switch kind {
		case html.TextToken:
			if !open.translated() {
				continue
			}
			if s, head := textSegment(source[start:at], open.preformatted()); s != nil {
				head += start
				d = append(d, kept(source[done:head]), s)
				done = head + len(s.raw)
			}
		case html.StartTagToken:
			open.start(tokens)
		case html.EndTagToken:
			name, _ := tokens.TagName()
			open.end(string(name))
		}
	}
	return append(d, kept(source[done:]))
}

// textSegment makes a segment of a run of text without the white space around
// it, of which head bytes come before; nil if there is nothing to translate.
func textSegment(raw string, preformatted bool) (s *segment, head int) {
	head = leadingSpace(raw)
	core := raw[head:]
	core = core[:len(core)-trailingSpace(core)]
	text := html.UnescapeString(core)
	if !preformatted {
		text = collapse(text)
	}
	if !strings.ContainsFunc(text, unicode.IsLetter) {
		return nil, 0
	}
	return &segment{raw: core, out: core, text: text, escape: escapeText}, head
}

const htmlSpace = " \t\n\r\f"

// collapse makes one space of any white space, as a browser shows it: line
// breaks in a source are no ends of sentences.
func collapse(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(c rune) bool { return strings.ContainsRune(htmlSpace, c) }), " ")
}

// noBreak are the ways to write a no-break space, which often stands between a
// text and a tag.
var noBreak = []string{"&nbsp;", "&#160;", "&#xa0;", "&#xA0;", "\u00a0"}

// leadingSpace is how many bytes at the beginning of s are white space.
func leadingSpace(s string) (n int) {
next:
	for n < len(s) {
		if strings.IndexByte(htmlSpace, s[n]) >= 0 {
			n++
			continue
		}
		for _, space := range noBreak {
			if strings.HasPrefix(s[n:], space) {
				n += len(space)
				continue next
			}
		}
		break
	}
	return n
}

// trailingSpace is how many bytes at the end of s are white space.
func trailingSpace(s string) (n int) {
next:
	for n < len(s) {
		rest := s[:len(s)-n]
		if strings.IndexByte(htmlSpace, rest[len(rest)-1]) >= 0 {
			n++
			continue
		}
		for _, space := range noBreak {
			if strings.HasSuffix(rest, space) {
				n += len(space)
				continue next
			}
		}
		break
	}
	return n
}

var textEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\u00a0", "&nbsp;")

// escapeText writes text as HTML's serialisation does.
func escapeText(text string) string { return textEscaper.Replace(text) }
