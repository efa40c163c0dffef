package language

import "math"

// sample bounds how much of a text is looked at, in bytes: more would not
// change the answer.
const sample = 4096

// Finding is what language a text is written in, as far as that can be told.
type Finding struct {
	// Language is the most likely of the given ones; "" where the text gives no
	// reason for any of them: it has no letters (numbers, symbols, emoji), only
	// addresses, or it is wholly foreign.
	Language string
	// Confidence is how sure that is, from 0 to 1. It ranks answers and is no
	// probability; one word alone rarely gets beyond 0.5.
	Confidence float64
	// Unsure says that the language had better be asked for.
	Unsure bool
	// Alternatives are the next likely of the given languages, where Unsure.
	Alternatives []Alternative
	// Foreign says how much of the text is in none of the given languages.
	Foreign Extent
	// Other is the language that the foreign text is in; "" where that cannot be
	// told.
	Other string
}

// Alternative is a language that a text may be in as well.
type Alternative struct {
	Language   string
	Confidence float64
}

// Extent is how much of a text is foreign.
type Extent int

const (
	None    Extent = iota
	Perhaps        // another language is a little likelier than all of the given ones
	Partly         // a quarter or more, in scripts of other languages
	Wholly
)

// Detect finds out which of the given languages a text is written in, if any.
//
// The script decides first; among languages of one script three witnesses
// vote: frequent words, letters that a language does not have, and the
// trigrams of whatlanggo. The given languages have to hold their own against
// all others of the M2M-100 models that are written in the script.
func Detect(text string, among []string) Finding {
	words, strange := cut(text)
	return detect(words, strange, among)
}

func detect(words []word, strange int, among []string) Finding {
	counts := weigh(words)
	found, goOn := foreignScripts(words, counts, strange, among)
	if !goOn {
		return found
	}
	candidates, share := narrow(counts, among)
	if len(candidates) == 1 && len(lists()[candidates[0]].words) == 0 {
		found.Language, found.Confidence = candidates[0], share // its script is its own
		return found
	}
	// The second time only among the best: a word that one of these has and many
	// others too tells the best apart all the same.
	second := vote(words, vote(words, candidates).best(finalists))
	first, margin := second.winner()
	found.Language, found.Confidence = first, share*sureness(margin)
	if other, score, lead := rival(words, counts, among); lead > 0 {
		if lead > max(reliable, score/2) && !near(other, among) {
			return Finding{Foreign: Wholly, Other: other}
		}
		found.Unsure = true
		if found.Foreign == None && lead > likely {
			found.Foreign, found.Other = Perhaps, other
		}
	}
	if found.Confidence < sure {
		found.Unsure = true
	}
	if found.Unsure {
		found.Alternatives = second.others(1 - found.Confidence)
	}
	return found
}

const (
	// finalists is between how many languages the second vote decides.
	finalists = 4
	// sure is the confidence from which on nobody need be asked. See
	// TestFalseAlarms for what it means, and for reliable.
	sure = 0.3
)

// sureness makes a confidence of the votes by which the winner leads. A lead of
// 2, which is two words that only one candidate has, gives 0.6.
func sureness(margin float64) float64 {
	return 1 - math.Exp(-max(margin, 0)/2.2)
}
