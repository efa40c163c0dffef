package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"dragoman/inference/language"
)

const (
	// A translation that keeps more than this share of the source's longer words
	// is none; related languages share more.
	copied, copiedRelated = 0.75, 0.92
	// Words from so many letters on are looked at, and so many there must be.
	longWord  = 4
	fewCopied = 3
	// ownScript is the share of letters that must be of the language's script.
	ownScript = 0.5
	// Texts of fewer words tell too little of their language.
	fewWords = 6
	// surely is the lead in votes that the source's language must have.
	surely = 1.5
)

// untranslated says whether target is source again.
func untranslated(source, target, from, to string) bool {
	s, t := words(source), words(target)
	has := make(map[string]bool, len(t))
	for _, w := range t {
		has[w] = true
	}
	long, kept := 0, 0
	for _, w := range s {
		if utf8.RuneCountInString(w) < longWord {
			continue
		}
		long++
		if has[w] {
			kept++
		}
	}
	if long < fewCopied {
		return different(s) >= fewCopied && strings.Join(s, " ") == strings.Join(t, " ")
	}
	bound := copied
	if related(from, to) {
		bound = copiedRelated
	}
	return float64(kept) > bound*float64(long)
}

// different is how many different words there are.
func different(words []string) int {
	words = slices.Clone(words)
	slices.Sort(words)
	return len(slices.Compact(words))
}

// families are groups of languages that share many words as they are written.
var families = []string{" es pt gl ast ca it oc fr ro ", " cs sk ", " hr sr bs sl ", " no da sv ", " af nl fy lb de ", " id ms jv su ", " ru uk be bg mk ", " xh zu ss ns tn ", " az tr ", " hi mr ne "}

func related(a, b string) bool {
	for _, f := range families {
		if strings.Contains(f, " "+a+" ") && strings.Contains(f, " "+b+" ") {
			return true
		}
	}
	return false
}

// severalScripts are languages that are written in more than one.
const severalScripts = " az bs kk ku mn ms pa sd sr uz "

// otherScript says whether most letters of target are of scripts that the
// language is not written in, and more than came from source.
func otherScript(source, target, to string) bool {
	share, letters := language.Written(target, to)
	if strings.Contains(severalScripts, " "+to+" ") || letters < 4 || share >= ownScript {
		return false
	}
	// What the source has in the language's script, such as names, counts.
	return strings.TrimSpace(source) != strings.TrimSpace(target) || letters > 12
}

// otherLanguage says whether target is surely in another language.
func otherLanguage(source, target, from, to string) bool {
	if len(words(target)) < fewWords {
		return false
	}
	return language.Lead(target, from, to) > surely
}
