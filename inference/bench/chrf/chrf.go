// Package chrf computes the chrF score of translations (Popović 2015), the
// measure by which dragoman compares a quantised model with its float baseline.
//
// It gives the numbers of sacrebleu with its defaults: character n-grams of
// order 1 to 6, no word n-grams, β = 2, white space removed, case kept, the
// counts summed over the corpus before the score is taken. It knows nothing of
// models and imports nothing of ours.
package chrf

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
)

const (
	// maxOrder is the length in characters of the longest n-grams.
	maxOrder = 6
	// beta is how many times more recall weighs than precision.
	beta = 2
)

// counts holds the n-grams of one order: how many the hypothesis has, how many
// the reference has, and how many they share, repetitions counted.
type counts struct {
	hypothesis, reference, shared int
}

// statistics has the counts of order n at index n-1.
type statistics [maxOrder]counts

// Corpus returns the chrF score, from 0 to 100, of the hypotheses against one
// reference each. It is not the mean of the sentences' scores.
//
// It fails where the numbers of hypotheses and references differ, and where
// there are none.
func Corpus(hypotheses, references []string) (float64, error) {
	if len(hypotheses) != len(references) {
		return 0, fmt.Errorf("chrF of %d hypotheses against %d references: the numbers must be equal",
			len(hypotheses), len(references))
	}
	if len(hypotheses) == 0 {
		return 0, errors.New("chrF of no hypotheses is not defined")
	}
	var total statistics
	for i, hypothesis := range hypotheses {
		total.add(hypothesis, references[i])
	}
	return total.score(), nil
}

// Sentence returns the chrF score, from 0 to 100, of one sentence.
func Sentence(hypothesis, reference string) float64 {
	var one statistics
	one.add(hypothesis, reference)
	return one.score()
}

// add counts one pair of sentences.
func (s *statistics) add(hypothesis, reference string) {
	hypothesis, reference = withoutSpace(hypothesis), withoutSpace(reference)
	hypothesisAt, referenceAt := characterOffsets(hypothesis), characterOffsets(reference)
	for order := 1; order <= maxOrder; order++ {
		want := ngrams(reference, referenceAt, order)
		if len(want) == 0 {
			// sacrebleu does not count what could not be matched: such a
			// sentence lowers precision in no order that its reference lacks.
			continue
		}
		c := &s[order-1]
		for ngram, n := range ngrams(hypothesis, hypothesisAt, order) {
			c.hypothesis += n
			c.shared += min(n, want[ngram])
		}
		for _, n := range want {
			c.reference += n
		}
	}
}

// score takes the mean of precision and of recall over the orders that both
// sides have (the "effective order"), and F-β of the two means.
func (s *statistics) score() float64 {
	var precision, recall float64
	orders := 0
	for _, c := range s {
		if c.hypothesis == 0 || c.reference == 0 {
			continue
		}
		precision += float64(c.shared) / float64(c.hypothesis)
		recall += float64(c.shared) / float64(c.reference)
		orders++
	}
	if precision+recall == 0 {
		return 0
	}
	precision /= float64(orders)
	recall /= float64(orders)
	return 100 * (1 + beta*beta) * precision * recall / (beta*beta*precision + recall)
}

// ngrams counts the n-grams of one order in text, whose characters begin at the
// offsets at (the last offset is the text's end).
func ngrams(text string, at []int, order int) map[string]int {
	found := make(map[string]int, len(at))
	for i := 0; i+order < len(at); i++ {
		found[text[at[i]:at[i+order]]]++
	}
	return found
}

// characterOffsets returns where each code point of text begins, and its end.
func characterOffsets(text string) []int {
	at := make([]int, 0, len(text)+1)
	for i := range text {
		at = append(at, i)
	}
	return append(at, len(text))
}

// withoutSpace removes what Python's str.split counts as white space: Unicode's
// White_Space and the four information separators.
func withoutSpace(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f {
			return -1
		}
		return r
	}, text)
}
