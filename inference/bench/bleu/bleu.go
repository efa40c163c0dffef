// Package bleu computes the BLEU score of translations (Papineni and others
// 2002) as sacrebleu does by default: n-grams up to four words, exponential
// smoothing, the tokens of WMT's mteval-v13a, case kept. It imports nothing of
// ours.
package bleu

import (
	"errors"
	"math"
	"regexp"
	"strings"
)

const order = 4

// Corpus returns the BLEU score, from 0 to 100, of the hypotheses against one
// reference each.
func Corpus(hypotheses, references []string) (float64, error) {
	if len(hypotheses) != len(references) || len(hypotheses) == 0 {
		return 0, errors.New("BLEU needs as many references as hypotheses, and at least one")
	}
	var shared, total [order]int
	var length, reference int
	for i := range hypotheses {
		h, r := Tokens(hypotheses[i]), Tokens(references[i])
		length, reference = length+len(h), reference+len(r)
		for n := 1; n <= order; n++ {
			in := grams(r, n)
			for g, count := range grams(h, n) {
				shared[n-1] += min(count, in[g])
				total[n-1] += count
			}
		}
	}
	smooth, sum := 1.0, 0.0
	for n := range order {
		switch {
		case total[n] == 0:
			return 0, nil
		case shared[n] == 0:
			smooth *= 2
			sum += math.Log(100 / (smooth * float64(total[n])))
		default:
			sum += math.Log(100 * float64(shared[n]) / float64(total[n]))
		}
	}
	brevity := 1.0
	if length < reference {
		brevity = math.Exp(1 - float64(reference)/float64(length))
	}
	return brevity * math.Exp(sum/order), nil
}

func grams(tokens []string, n int) map[string]int {
	counts := map[string]int{}
	for i := 0; i+n <= len(tokens); i++ {
		counts[strings.Join(tokens[i:i+n], " ")]++
	}
	return counts
}

var (
	signs  = regexp.MustCompile("([{-~[-` -&(-+:-@/])")
	before = regexp.MustCompile(`([^0-9])([.,])`)
	behind = regexp.MustCompile(`([.,])([^0-9])`)
	dash   = regexp.MustCompile(`([0-9])(-)`)
)

// Tokens are those of mteval-v13a.
func Tokens(s string) []string {
	for _, pair := range [][2]string{{"&quot;", `"`}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}} {
		s = strings.ReplaceAll(s, pair[0], pair[1])
	}
	s = " " + s + " "
	s = signs.ReplaceAllString(s, " $1 ")
	s = before.ReplaceAllString(s, "$1 $2 ")
	s = behind.ReplaceAllString(s, " $1 $2")
	s = dash.ReplaceAllString(s, "$1 $2 ")
	return strings.Fields(s)
}
