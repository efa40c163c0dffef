package casing

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/cases"
)

// stressed are words of a language that people write in capitals within a sentence
// to stress them. Models take those for names: "Do NOT delete" becomes a deletion.
// They are the ones that turn or bind what is said, the key words of RFC 2119 among
// them, without those that are known as abbreviations (OR, WHO, CAN).
var stressed = map[string]string{
	"en": `not never no none nothing must shall should cannot don't doesn't won't mustn't do does will may required always only all any
		every each both and but before after first last now immediately very please this that these those you your more less most`,
	"de": `nicht nie niemals kein keine keinen keiner keinem nichts muss müssen musst darf dürfen soll sollen immer nur alle alles allen jede
		jeder jedes und oder aber vor nach zuerst jetzt sofort sehr bitte auch noch mehr weniger beide`,
	"es": "no nunca jamás nada ningún ninguna debe deben siempre solo sólo todo todos todas cada antes después ahora muy también más menos y pero",
	"fr": "ne pas jamais rien aucun aucune doit doivent devez toujours seulement tout tous toute toutes chaque avant après maintenant très aussi plus moins et mais",
	"it": "non mai niente nulla nessun nessuno nessuna deve devono sempre solo tutto tutti tutta tutte ogni prima dopo adesso subito molto anche più meno ma",
	"pt": "não nunca jamais nada nenhum nenhuma deve devem sempre só apenas tudo todo todos toda todas cada antes depois agora muito também mais menos mas",
}

// Calm writes the words small that a text in a language stresses by capitals, and
// says whether there are any. A capital that begins the text stays.
func Calm(text, lang string) (calm string, found bool) {
	list := stressed[lang]
	if list == "" {
		return text, false
	}
	var b strings.Builder
	at := 0
	for _, w := range apostrophes(text) {
		word := text[w.start:w.end]
		if !isUpper(word) { // nearly all
			continue
		}
		small := strings.ToLower(word)
		if !slices.Contains(strings.Fields(list), strings.ReplaceAll(small, "’", "'")) {
			continue
		}
		if strings.TrimSpace(text[:w.start]) == "" {
			small = capital(small, cases.Upper(tag(lang)))
		}
		b.WriteString(text[at:w.start] + small)
		at, found = w.end, true
	}
	return b.String() + text[at:], found
}

// isUpper says whether a word has two letters or more and all are capitals.
func isUpper(word string) bool {
	letters := 0
	for _, c := range word {
		if unicode.IsLower(c) {
			return false
		}
		if unicode.IsUpper(c) {
			letters++
		}
	}
	return letters > 1
}

// apostrophes are words as words gives them, but those with an apostrophe between
// are one: DON'T.
func apostrophes(text string) (places []place) {
	for _, w := range words(text) {
		if n := len(places); n > 0 {
			between := text[places[n-1].end:w.start]
			if between == "'" || between == "’" {
				places[n-1].end = w.end
				continue
			}
		}
		places = append(places, w)
	}
	return places
}
