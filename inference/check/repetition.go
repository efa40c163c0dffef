package check

const (
	// Phrases of up to so many words are looked for, and single characters up
	// to so many where there are no spaces.
	longestPhrase = 8
	longestRunes  = 24
	// So many times in a row more than in the source is a loop.
	moreRepeats = 2
	// Of characters: "haaaaa" and "……" are none.
	moreRunes = 6
)

// repeats says whether a phrase stands in a row in target more often than any
// does in source.
func repeats(source, target string) bool {
	// A phrase may have more words in the source than in the translation.
	s, t := words(source), words(target)
	if mostRepeats(t, longestPhrase) >= mostRepeats(s, 3*longestPhrase)+moreRepeats {
		return true
	}
	rs, rt := []rune(source), []rune(target)
	return mostRepeats(rt, longestRunes) >= mostRepeats(rs, 3*longestRunes)+moreRunes
}

// mostRepeats is how often the phrase that is repeated most stands in a row, of
// those of at most longest elements.
func mostRepeats[T comparable](s []T, longest int) int {
	most := min(len(s), 1)
	for n := 1; n <= longest && 2*n <= len(s); n++ {
		run := 0
		for i := n; i < len(s); i++ {
			if s[i] != s[i-n] {
				run = 0
				continue
			}
			run++
			most = max(most, run/n+1)
		}
	}
	return most
}
