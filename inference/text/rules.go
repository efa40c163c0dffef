package text

import (
	"strings"
	"sync"
)

// rules is what Split knows of a language. Words are kept in small letters, without their last full stop.
type rules struct {
	never    map[string]bool // abbreviations that something always follows
	title    map[string]bool // the same, but only with a capital: titles and other words before names
	number   map[string]bool // abbreviations where a number follows
	either   map[string]bool // abbreviations that end a sentence only before a starter
	starters map[string]bool // words that, with a capital, usually begin a sentence
	months   map[string]bool // names of months with a capital, where "3." may stand before them

	pronoun       string // a single letter that is a word and may end a sentence
	ordinalDot    bool   // ordinal numbers are written with a full stop
	spacedQuotes  bool   // » closes a quotation, with a space before it
	semicolonAsks bool   // the semicolon is the question mark
}

// rulesFor returns the rules of a language given by a code such as "pt" or "pt-BR".
func rulesFor(lang string) *rules {
	all := allRules()
	if r := all[baseLanguage(lang)]; r != nil {
		return r
	}
	return all[""]
}

// baseLanguage returns the first subtag of a language code, in small letters.
func baseLanguage(lang string) string {
	if i := strings.IndexAny(lang, "-_"); i >= 0 {
		lang = lang[:i]
	}
	return strings.ToLower(lang)
}

var allRules = sync.OnceValue(func() map[string]*rules {
	general := wordLists["en"]
	all := map[string]*rules{"": newRules(general)}
	for lang, lists := range wordLists {
		all[lang] = newRules(lists)
	}
	get := func(lang string) *rules {
		if all[lang] == nil {
			all[lang] = newRules(general)
		}
		return all[lang]
	}
	for lang := range strings.FieldsSeq("az bs cs da de et fi hr hu is lb lv nb nn no pl sk sl sr tr") {
		get(lang).ordinalDot = true
	}
	get("en").pronoun = "I"
	get("fr").spacedQuotes = true
	get("el").semicolonAsks = true
	return all
})

func newRules(w words) *rules {
	return &rules{
		never:    wordSet(w.never),
		title:    wordSet(w.title, sharedTitles),
		number:   wordSet(w.number, sharedNumbers),
		either:   wordSet(w.either),
		starters: wordSet(w.starters),
		months:   wordSet(w.months),
	}
}

func wordSet(lists ...string) map[string]bool {
	set := make(map[string]bool)
	for _, list := range lists {
		for word := range strings.FieldsSeq(list) {
			set[word] = true
		}
	}
	return set
}
