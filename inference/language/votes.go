package language

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/abadojack/whatlanggo"
)

// What the witnesses' votes weigh, chosen by hand; the test sets only measure.
const (
	foreignLetter = 1.5 // taken from a language that lacks a letter
	trigramVote   = 1.0 // given to what the trigrams say, at full confidence
	trigramBase   = 0.3 // and at none
	likelier      = 0.2 // given to widespread languages before anything is seen
)

// widespread are languages that a text is more likely in than in a small
// relative, where nothing else tells them apart.
var widespread = strings.Fields(`ar bg cs da de en es fa fi fr hi hr hu id it nl no pl pt ro ru sv sw tr uk ur vi`)

// votes are each candidate's.
type votes struct {
	candidates []string
	score      map[string]float64
}

// vote lets the witnesses vote.
func vote(words []word, candidates []string) *votes {
	v := voteByWords(words, candidates)
	v.addTrigrams(words)
	return v
}

// voteByWords leaves the trigrams out, which take most of the time.
func voteByWords(words []word, candidates []string) *votes {
	v := &votes{candidates, make(map[string]float64, len(candidates))}
	for _, code := range candidates {
		if slices.Contains(widespread, code) {
			v.score[code] = likelier
		}
	}
	v.addWords(words)
	return v
}

// fewLetters is how many words at most a foreign letter counts in full among:
// longer texts have names from everywhere.
const fewLetters = 30

// addWords gives each frequent word's vote to the candidates that have it, the
// fewer they are the more to each.
func (v *votes) addWords(words []word) {
	l := lists()
	letter := foreignLetter * min(1, fewLetters/float64(max(1, len(words))))
	var having []string
	for _, w := range words {
		having = having[:0]
		for _, code := range v.candidates {
			if l[code].has(w.text) {
				having = append(having, code)
			}
			v.score[code] -= letter * float64(l[code].foreign(w.text))
		}
		for _, code := range having {
			v.score[code] += 1 / float64(len(having))
		}
	}
}

// addTrigrams gives whatlanggo's vote. It knows 84 languages; the others have
// words and letters only, or share what is said of a relative.
func (v *votes) addTrigrams(words []word) {
	only := map[whatlanggo.Lang]bool{}
	count := map[whatlanggo.Lang][]string{}
	for _, code := range v.candidates {
		for _, lang := range profiles()[code] {
			only[lang] = true
			count[lang] = append(count[lang], code)
		}
	}
	if len(only) == 0 {
		return
	}
	var text strings.Builder
	for _, w := range words {
		text.WriteString(w.text)
		text.WriteByte(' ')
	}
	info := whatlanggo.DetectWithOptions(text.String(), whatlanggo.Options{Whitelist: only})
	if info.Lang < 0 {
		return
	}
	// In long texts distances can exceed what the library takes for the most
	// there can be; its confidence then is below 0, and without bounds.
	confidence := min(1, math.Abs(info.Confidence))
	for _, code := range count[info.Lang] {
		v.score[code] += trigramBase + (trigramVote-trigramBase)*confidence
	}
}

// best returns the n candidates with the most votes, best first; what has the
// same votes stays in its order.
func (v *votes) best(n int) []string {
	order := slices.Clone(v.candidates)
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(v.score[b], v.score[a]) })
	return order[:min(n, len(order))]
}

// leader returns the best candidate of a kind and its votes; "" without any.
func (v *votes) leader(kind func(code string) bool) (code string, score float64) {
	for _, c := range v.candidates {
		if kind(c) && (code == "" || v.score[c] > score) {
			code, score = c, v.score[c]
		}
	}
	return code, score
}

// winner returns the best candidate and its lead over the next, or over no
// votes where it is alone.
func (v *votes) winner() (code string, margin float64) {
	order := v.best(2)
	if len(order) == 1 {
		return order[0], v.score[order[0]]
	}
	return order[0], v.score[order[0]] - v.score[order[1]]
}

// others are the candidates after the winner, and how much of the rest of
// confidence falls to each.
func (v *votes) others(rest float64) (others []Alternative) {
	order := v.best(finalists)[1:]
	sum := 0.0
	weight := func(code string) float64 { return math.Exp(v.score[code] - v.score[order[0]]) }
	for _, code := range order {
		sum += weight(code)
	}
	for _, code := range order {
		others = append(others, Alternative{code, rest * weight(code) / sum})
	}
	return others
}

// Lead is by how many votes a text is rather in one language than in another,
// below 0 where it is rather in the other. A word that only one of them has is
// one vote. Trigrams are left out: they take most of the time.
func Lead(text, language, other string) float64 {
	words, _ := cut(text)
	v := voteByWords(words, []string{language, other})
	return v.score[language] - v.score[other]
}
