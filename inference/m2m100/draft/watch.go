package draft

import "sync"

// Watch knows how often the guesses for one text are right. It is safe for
// concurrent use.
type Watch struct {
	mu    sync.Mutex
	kinds [kinds]share
}

// share is right of all, the older ones counting less.
type share struct{ right, all float64 }

// fades is what a token weighs against the one before it: some twenty count.
const fades = 0.95

// first is what is thought of a text before anything is known: of what was found
// by a likeness it is much, of what may be chance too little for a processor on
// which four tokens take twice as long as one.
var first = [kinds]share{near: {6, 7}, nearLost: {2, 5}, told: {3, 5}, toldLost: {1, 4}, copied: {1, 4}, earlier: {1, 4}}

// NewWatch is for one text.
func NewWatch() *Watch { return &Watch{kinds: first} }

func (w *Watch) share(k kind) float64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.kinds[k].right / w.kinds[k].all
}

// ToldPays tells whether what Sentence was told is right more often than not.
func (w *Watch) ToldPays() bool { return w.share(told) > 0.5 }

// learn compares a guess with what came, up to the first that was wrong.
func (w *Watch) learn(k kind, guess, came []int32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range min(len(guess), len(came)) {
		s := &w.kinds[k]
		s.right, s.all = s.right*fades, s.all*fades+1
		if guess[i] != came[i] {
			return
		}
		s.right++
	}
}

// margin is what guessing must gain to be done: costs are not known exactly.
const margin = 1.05

// pays is how many tokens of a guess are worth being checked in a step that has
// so many tokens without it: the number that gives most tokens for the time.
func (w *Watch) pays(c *Costs, k kind, without, most int) (n int) {
	if most < 1 {
		return 0
	}
	costs, next := c.now()
	switch next {
	case single:
		return 0
	case measured:
		return min(most, 4-without)
	}
	best := margin / costs[without]
	tokens, chance, p := 1.0, 1.0, w.share(k)
	for i := 1; i <= min(most, Most); i++ {
		chance *= p
		tokens += chance
		if rate := tokens / costs[without+i]; rate > best {
			n, best = i, rate
		}
	}
	return n
}
