package m2m100

// A small model may fall into a loop and say the same words until its length
// runs out. The guard refuses a token that would say one phrase once more than
// the source gives reason for.
const (
	longestLoop  = 12 // tokens of a phrase that is looked for
	leastRepeats = 3  // times in a row that are always allowed
	shortRepeats = 6  // the same for single tokens, which "ha ha ha" or "……" repeat
	lengthFactor = 2  // output tokens per source token, at most
	lengthMargin = 12 // and these on top, for short sources
)

// maxNewTokens bounds the output by the source's length in tokens.
func maxNewTokens(source, maxPositions int) int {
	return min(lengthFactor*source+lengthMargin, maxPositions-2)
}

// guard knows how often the source itself repeats a phrase.
type guard struct {
	allowed [longestLoop + 1]int // repeats in a row, by phrase length
}

func newGuard(source []int32) guard {
	var g guard
	for n := 1; n <= longestLoop; n++ {
		least := leastRepeats
		if n == 1 {
			least = shortRepeats
		}
		g.allowed[n] = max(least, mostRepeats(source, n)+1)
	}
	return g
}

// mostRepeats is how often any phrase of n tokens stands in a row.
func mostRepeats(tokens []int32, n int) int {
	most, run := 0, 0
	for i := n; i < len(tokens); i++ {
		if tokens[i] != tokens[i-n] {
			run = 0
			continue
		}
		run++
		most = max(most, run/n+1)
	}
	return most
}

// refuses tells whether next after output ends in too many repeats of a phrase.
func (g *guard) refuses(output []int32, next int32) bool {
	at := func(back int) int32 { // token at a distance from the end, next included
		if back == 0 {
			return next
		}
		return output[len(output)-back]
	}
	for n := 1; n <= longestLoop; n++ {
		need := (g.allowed[n] + 1) * n
		if need > len(output)+1 {
			continue
		}
		same := 0
		for same < need-n && at(same) == at(same+n) {
			same++
		}
		if same == need-n {
			return true
		}
	}
	return false
}
