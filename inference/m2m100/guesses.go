package m2m100

import (
	"time"

	"dragoman/inference/m2m100/draft"
)

// checker checks guesses: tokens that are fed behind those that are known.
type checker interface {
	// guessed says that the last n tokens that were fed are guesses.
	guessed(n int)
	// checked are the candidates for the place of a guess, and behind the last of
	// them, best first, valid until the next run.
	checked(guess int) (scores []float32, tokens []int32)
	// back takes the last n tokens back.
	back(n int)
}

// guessingRows is of how many sentences in a step guesses are checked at most. With
// more of them a step takes longer by as much as its guesses give.
const guessingRows = 2

// guesses are those of one output, nil for none.
type guesses struct {
	*draft.Sentence
	costs *draft.Costs
}

// guess are a sentence's guesses on the engine; nil is none.
func (e *Engine) guess(s *draft.Sentence) *guesses {
	if s == nil {
		return nil
	}
	return &guesses{s, &e.costs}
}

// next are the guesses for the next step, which has so many tokens without them.
func (g *guesses) next(c checker, out *Generation, without int, n lengths) []int32 {
	if g == nil || c == nil {
		return nil
	}
	return g.Next(g.costs, out.Tokens, without, n.most-len(out.Tokens)-1)
}

// took keeps what a step took that had so many tokens.
func (g *guesses) took(tokens int, took time.Duration) {
	if g != nil {
		g.costs.Took(tokens, took)
	}
}

// take adds what a step gave to an output: the next token, and behind each guess
// that was right another one. Tokens are chosen one after the other, as if each
// had had its own step.
func (d decoder) take(best func() ([]float32, []int32), c checker, guess []int32, guard *guard, n lengths, g *Generation) (ended bool, err error) {
	right := 0
	for {
		candidates := best
		if len(guess) > 0 {
			candidates = func() ([]float32, []int32) { return c.checked(right) }
		}
		scores, tokens := candidates()
		token, err := d.choose(scores, tokens, guard, n.least, g)
		if err != nil {
			return false, err
		}
		if ended = token == int32(d.config.EOS); ended {
			break
		}
		g.Tokens = append(g.Tokens, token)
		if right == len(guess) || token != guess[right] {
			break
		}
		right++
	}
	if len(guess) > 0 {
		g.Drafted += len(guess)
		g.Accepted += right
		c.back(len(guess) - right)
	}
	return ended, nil
}
