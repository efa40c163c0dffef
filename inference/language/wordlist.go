package language

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
)

//go:embed words.txt
var wordLists string

// list is what words.txt says of a language.
type list struct {
	words map[string]struct{}
	// letters beyond a to z; "?" where they are not known.
	letters string
}

func (l list) has(word string) bool {
	_, ok := l.words[word]
	return ok
}

// foreign counts the letters of word that the language is not written with.
// Marks that could not be composed are on letters of it.
func (l list) foreign(word string) (n int) {
	if l.letters == "?" {
		return 0
	}
	for _, c := range word {
		if c >= utf8.RuneSelf && !unicode.Is(unicode.M, c) && !strings.ContainsRune(l.letters, c) {
			n++
		}
	}
	return n
}

// lists are read on first use: a program that detects nothing pays nothing.
var lists = sync.OnceValue(func() map[string]list {
	all := map[string]list{}
	for line := range strings.Lines(wordLists) {
		fields := strings.Fields(line)
		if len(fields) < 2 || fields[0] == "#" {
			continue
		}
		l := list{words: make(map[string]struct{}, len(fields)-2), letters: fields[1]}
		for _, word := range fields[2:] {
			l.words[word] = struct{}{}
		}
		all[fields[0]] = l
	}
	return all
})

// relatives are languages that whatlanggo does not know, and the one that it
// takes them for: that vote must not count against them.
var relatives = map[string]string{
	"ast": "es", "bs": "hr", "ca": "es", "fy": "nl", "gl": "pt", "lb": "de", "ms": "id", "oc": "fr", "sk": "cs", "su": "jv", "xh": "zu", "ss": "zu",
}

// profiles are whatlanggo's languages by the code that they count for: both
// kinds of Norwegian are no.
var profiles = sync.OnceValue(func() map[string][]whatlanggo.Lang {
	codes := make([]string, 0, len(scriptOf))
	for code := range scriptOf {
		codes = append(codes, code)
	}
	of := map[string][]whatlanggo.Lang{}
	for label := range whatlanggo.Langs {
		if code := Match(label.Iso6393(), codes); code != "" {
			of[code] = append(of[code], label)
		}
	}
	for code, relative := range relatives {
		of[code] = append(of[code], of[relative]...)
	}
	return of
})
