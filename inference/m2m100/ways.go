package m2m100

import "time"

// way is how many sentences are spread over the threads.
type way int

const (
	// together has all threads work on each step: the weights are read once for all
	// sentences, and threads wait for each other some hundred times.
	together way = iota
	// apart gives each thread sentences of its own: nobody waits, and each thread reads
	// all the weights.
	apart
)

// ways finds which way is the faster. What a sentence gets is the same.
type ways struct {
	rounds int
	cost   [2]float64 // seconds for a token, the latest rounds weighing more; 0 as long as there is none
	only   *way       // nil for the faster
}

const (
	firstTries = 4  // rounds in turns before there is a choice
	retry      = 32 // of so many rounds one goes the other way: what else runs on the processor changes
	latest     = 0.3
)

// next is the way of the next round.
func (w *ways) next() way {
	if w.only != nil {
		return *w.only
	}
	w.rounds++
	better, other := together, apart
	if w.cost[apart] < w.cost[together] {
		better, other = apart, together
	}
	if w.rounds <= firstTries && w.rounds%2 == 0 || w.rounds%retry == 0 {
		return other
	}
	return better
}

// took notes what the tokens of a round took.
func (w *ways) took(by way, took time.Duration, tokens int) {
	cost := took.Seconds() / float64(tokens)
	if w.cost[by] > 0 {
		cost = latest*cost + (1-latest)*w.cost[by]
	}
	w.cost[by] = cost
}
