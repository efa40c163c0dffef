package language

import "math"

// sample bounds how much of a text is looked at, in bytes: more would not
// change the answer.
const sample = 4096

// Detect returns the most likely language of text among the given codes, and
// how sure that is, from 0 to 1. The code is "" where the text gives no reason
// for any of them: it has no letters (numbers, symbols, emoji), only addresses,
// or a script that none of the languages is written in.
//
// The script decides first; among languages of one script three witnesses
// vote: frequent words, letters that a language does not have, and the
// trigrams of whatlanggo. The confidence ranks answers, it is no probability;
// one word alone rarely gets beyond 0.5.
func Detect(text string, among []string) (code string, confidence float64) {
	words := cut(text)
	candidates, share := narrow(words, among)
	if len(candidates) == 0 {
		return "", 0
	}
	if len(candidates) == 1 && len(lists()[candidates[0]].words) == 0 {
		return candidates[0], share // its script is its own
	}
	// The second time only among the best: a word that one of these has and many
	// others too tells the best apart all the same.
	best := vote(words, candidates).best(finalists)
	first, margin := vote(words, best).winner()
	return first, share * sureness(margin)
}

// finalists is between how many languages the second vote decides.
const finalists = 4

// sureness makes a confidence of the votes by which the winner leads. A lead of
// 2, which is two words that only one candidate has, gives 0.6.
func sureness(margin float64) float64 {
	return 1 - math.Exp(-max(margin, 0)/2.2)
}
