package draft

import (
	"slices"
	"sync"
	"time"
)

// Costs are what steps of one model take on one machine by the number of their
// tokens, against a step with one. Where the weights fit the processor's cache
// four tokens take twice as long as one; where they are read from memory, hardly
// longer. They are safe for concurrent use.
type Costs struct {
	mu     sync.Mutex
	single recent // with one token
	two    recent // which every output begins with where nothing is guessed
	four   recent // with three or four, which are the same to the kernels
	eight  recent // with seven or eight
	// Steps since the last one with a single token, and since the last one with
	// four.
	sinceSingle, sinceFour int
}

// longest is the tokens of a step: an output's first has two that are no guesses.
const longest = 2 + Most

// What more tokens cost until it is measured: much, so that a likely guess is
// tried and an unlikely one is not.
const (
	assumedTwo   = 1.7
	assumedFour  = 2.0
	assumedEight = 3.4
)

const (
	// A step with a single token comes after so many others at the latest, or
	// times would be compared that are far from each other.
	stale = 50
	// A step with four comes after so many with one while little is known of what
	// it costs, later after more.
	soon, late = 25, 400
	enough     = 5 // measurements
)

// Took keeps what a step took that had so many tokens.
func (c *Costs) Took(tokens int, took time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sinceSingle++
	switch tokens {
	case 1:
		c.single.add(took)
		c.sinceSingle, c.sinceFour = 0, c.sinceFour+1
	case 2:
		c.two.add(took)
	case 3, 4:
		c.four.add(took)
		c.sinceFour = 0
	case 7, 8:
		c.eight.add(took)
	}
}

// next says what the next step should be for the sake of knowing.
type next int

const (
	whatPays next = iota
	single        // without guesses
	measured      // with guesses
)

// now are the costs of steps by their tokens.
func (c *Costs) now() (costs [longest + 1]float64, n next) {
	c.mu.Lock()
	defer c.mu.Unlock()
	four := max(c.four.against(&c.single, assumedFour), 1)
	eight := max(c.eight.against(&c.single, four*assumedEight/assumedFour), four)
	two := min(max(c.two.against(&c.single, four*assumedTwo/assumedFour), 1), four)
	costs = [...]float64{0, 1, two, four, four, four + (eight-four)/3, four + (eight-four)*2/3, eight, eight, eight + (eight-four)/3}
	wait := soon
	if c.four.n >= enough {
		wait = late
	}
	switch {
	case c.sinceSingle >= stale:
		n = single
	case c.single.n >= enough && c.sinceFour >= wait:
		n = measured
	}
	return costs, n
}

// recent are the seconds of the last steps of a kind, of which the least counts:
// what other programs take only adds to it.
type recent struct {
	values [16]float64
	n      int // that there ever were
}

func (r *recent) add(took time.Duration) {
	r.values[r.n%len(r.values)] = took.Seconds()
	r.n++
}

func (r *recent) least() float64 { return slices.Min(r.values[:min(r.n, len(r.values))]) }

// against is what the steps cost against single ones. While little is known of
// them it is no more than what is assumed.
func (r *recent) against(single *recent, assumed float64) float64 {
	if r.n == 0 || single.n == 0 {
		return assumed
	}
	ratio := r.least() / single.least()
	if r.n < enough {
		ratio = min(ratio, assumed)
	}
	return ratio
}
