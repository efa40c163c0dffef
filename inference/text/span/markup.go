package span

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// mostTag is how long a tag may be, in bytes.
const mostTag = 2000

// tagLen returns the length of a tag or comment of HTML or XML at text[i]. A
// comparison such as a < b has a space.
func (f *finder) tagLen(i int) int {
	s := f.text[i:min(len(f.text), i+mostTag)]
	if strings.HasPrefix(s, "<!--") {
		if n := f.find(i+4, '-', "-->"); n >= 0 {
			return n + 3 - i
		}
		return 0
	}
	at := 1
	if at < len(s) && (s[at] == '/' || s[at] == '?' || s[at] == '!') {
		at++
	}
	if at >= len(s) || !isASCIILetter(s[at]) && !isDigit(s[at]) {
		return 0
	}
	quote := byte(0)
	for n := at; n < len(s); n++ {
		switch c := s[n]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && s[n-1] == '=':
			quote = c
		case c == '<' || c == '\n':
			return 0
		case c == '>':
			return n + 1
		}
	}
	return 0
}

// find returns where mark, which begins with c, is at or after i; -1 if nowhere.
// Looking again costs nothing.
func (f *finder) find(i int, c byte, mark string) int {
	if i > len(f.text) {
		return -1
	}
	if at := f.closers[c]; at != 0 && (at < 0 || at >= i) {
		return at
	}
	n := strings.Index(f.text[i:], mark)
	if n < 0 {
		f.closers[c] = -1
		return -1
	}
	f.closers[c] = i + n
	return i + n
}

// entityLen returns the length of &name; or &#123; at the beginning of s.
func entityLen(s string) int {
	n := strings.IndexByte(s[:min(len(s), 32)], ';')
	if n < 3 {
		return 0
	}
	name := strings.TrimPrefix(s[1:n], "#")
	if strings.TrimFunc(name, func(c rune) bool { return c < utf8.RuneSelf && isName(byte(c)) && c != '_' }) != "" || name == "" {
		return 0
	}
	return n + 1
}

// codeLen returns the length of code in backticks at text[i].
func (f *finder) codeLen(i int) int {
	n := len(f.text[i:]) - len(strings.TrimLeft(f.text[i:], "`"))
	if n > 3 {
		return n
	}
	ticks := f.text[i : i+n]
	// Each number of ticks has a mark of its own.
	end := f.find(i+n, byte('`'+n), ticks)
	if end < 0 || end == i+n {
		return n
	}
	return end + n - i
}

// emojiLen returns the length of the emoji or symbols at the beginning of s.
func emojiLen(s string) int {
	if c, _ := utf8.DecodeRuneInString(s); !isSymbol(c) {
		return 0 // of most texts
	}
	n, state := 0, -1
	for rest := s; rest != ""; {
		var cluster string
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		c, _ := utf8.DecodeRuneInString(cluster)
		if len(cluster) > 200 || !isSymbol(c) {
			break
		}
		n += len(cluster)
	}
	return n
}

// isSymbol says whether c is an emoji or a picture that has no translation.
// Signs of units, money and arithmetic that every model knows are not.
func isSymbol(c rune) bool {
	switch {
	case c < 0xa9 || c == '°' || c == '¬' || c == '№':
		return false
	case unicode.Is(unicode.So, c), c == '©', c == '®', c == '™', c == 'ℹ':
		return true
	case unicode.Is(unicode.Sm, c):
		return c > 0xff
	}
	return c >= 0x1f1e6 && c <= 0x1faff || c >= 0xe000 && c <= 0xf8ff
}

// emoticonLen returns the length of :-) and its like at the beginning of s.
func emoticonLen(s string, inWord bool) int {
	if inWord {
		return 0
	}
	for _, e := range emoticons {
		if strings.HasPrefix(s, e) && (len(s) == len(e) || !isName(s[len(e)])) {
			return len(e)
		}
	}
	return 0
}

var emoticons = strings.Fields(`:-) :) :-( :( ;-) ;) :-D :D :-P :P :-p :p :-/ :-| :-O :'( =) =D <3 </3`)

// phoneticLen returns the length of a transcription in the International
// Phonetic Alphabet between / and / or [ and ].
func phoneticLen(s string, closer byte) int {
	n := strings.IndexByte(s[1:min(len(s), 80)], closer)
	if n < 1 {
		return 0
	}
	inner := s[1 : 1+n]
	if strings.ContainsFunc(inner, isPhonetic) && !strings.ContainsAny(inner, "/\n") {
		return n + 2
	}
	return 0
}

// isPhonetic says whether c is used in phonetic transcription only.
func isPhonetic(c rune) bool {
	return c >= 0x250 && c <= 0x2af || c == 'ˈ' || c == 'ˌ' || c == 'ː'
}

// escapeLen returns the length of an escape such as \n or \u00e4.
func escapeLen(s string) int {
	if len(s) < 2 || strings.IndexByte(`ntr"'\0u`, s[1]) < 0 {
		return 0
	}
	if s[1] == 'u' {
		n := 2
		for n < len(s) && n < 6 && (isDigit(s[n]) || s[n]|0x20 >= 'a' && s[n]|0x20 <= 'f') {
			n++
		}
		if n < 6 {
			return 0
		}
		return n
	}
	if len(s) > 2 && isASCIILetter(s[2]) && isASCIILetter(s[1]) && s[1] != 'n' {
		return 0
	}
	return 2
}

// flagLen returns the length of a command's flag such as --dry-run.
func flagLen(s, before string) int {
	if !strings.HasPrefix(s, "--") || len(s) < 4 || !isASCIILetter(s[2]) {
		return 0
	}
	if c, size := utf8.DecodeLastRuneInString(before); size > 0 && !isBlank(c) && !strings.ContainsRune("([\"'`", c) {
		return 0
	}
	n := 2
	for n < len(s) && (isName(s[n]) || s[n] == '-' || s[n] == '=') {
		n++
	}
	return n
}
