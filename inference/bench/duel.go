package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"dragoman/inference/m2m100"
)

// tuning is how many rounds at most each way of a peer gets before its best is
// taken. Many ways are tried: they get half of what is compared after it.
const tuning = 3

func (m checkpoint) tuning() int { return max(1, min(tuning, m.rounds/2)) }

// Of each turn in a round the first run is not timed, since the other's turn has
// emptied the processor's caches, and of the others the median is taken.
const (
	warmups = 1
	repeats = 3
)

// runs are those of a turn. Several sentences take so long that the caches do
// not matter and one is enough.
func (w task) runs() (warmup, repeat int) {
	if len(w.sources) > 1 {
		return 0, 1
	}
	return warmups, repeats
}

// repeated makes a turn's runs and returns the milliseconds of those that count.
func repeated(warmup, repeat int, run func(counts bool) (time.Duration, error)) (times []float64, err error) {
	for i := range warmup + repeat {
		took, err := run(i >= warmup)
		if err != nil {
			return nil, err
		}
		if i >= warmup {
			times = append(times, ms(took))
		}
	}
	return times, nil
}

// contender is something that can be given work: its turn returns the
// milliseconds of each repeat.
type contender struct {
	name string
	turn func() ([]float64, error)
}

// duel lets two take turns. The first round is not counted: then both have
// packed their weights.
func duel(rounds int, ours, theirs contender) (a, b []float64, err error) {
	for i := range rounds + 1 {
		x, err := ours.turn()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", ours.name, err)
		}
		y, err := theirs.turn()
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", theirs.name, err)
		}
		if i > 0 {
			a, b = append(a, middle(x)), append(b, middle(y))
		}
	}
	return a, b, nil
}

// fastest lets contenders take turns and returns the one with the least median.
func fastest(rounds int, all []contender) (contender, error) {
	times := make([][]float64, len(all))
	for i := range rounds + 1 {
		for j, c := range all {
			x, err := c.turn()
			if err != nil {
				return contender{}, fmt.Errorf("%s: %w", c.name, err)
			}
			if i > 0 {
				times[j] = append(times[j], middle(x))
			}
		}
	}
	best := 0
	for j := range all {
		if middle(times[j]) < middle(times[best]) {
			best = j
		}
	}
	return all[best], nil
}

func middle(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }

// peers are CTranslate2 in every way of spreading its work over the threads.
type peers []*peer

func (b *bench) startPeers(ctx context.Context, m checkpoint) (all peers, err error) {
	ways := []way{{1, b.threads}}
	if b.threads > 1 {
		ways = append(ways, way{b.threads, 1})
	}
	for _, w := range ways {
		p, err := b.startPeer(ctx, m, w)
		if err != nil {
			return nil, errors.Join(err, all.close())
		}
		all = append(all, p)
	}
	return all, nil
}

// opponents are a model and CTranslate2 with it, until end.
func (b *bench) opponents(ctx context.Context, m checkpoint) (ours opened, theirs peers, end func(), err error) {
	if ours, err = b.open(ctx, m, m2m100.CPU); err != nil {
		return ours, nil, nil, err
	}
	if theirs, err = b.startPeers(ctx, m); err != nil {
		return ours, nil, nil, errors.Join(err, ours.close())
	}
	return ours, theirs, func() {
		_ = theirs.close() // what was measured stands
		_ = ours.close()
	}, nil
}

func (all peers) close() error {
	var errs []error
	for _, p := range all {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// best is CTranslate2 with the way and the batching that are fastest for work.
func (all peers) best(w task, rounds int, choices ...batching) (contender, error) {
	if len(choices) == 0 {
		choices = []batching{{}}
	}
	var contenders []contender
	for _, p := range all {
		for _, c := range choices {
			contenders = append(contenders, p.contender(w, c))
		}
	}
	return fastest(rounds, contenders)
}

func (p *peer) contender(w task, b batching) contender {
	name := p.name
	if len(w.sources) > 1 {
		name += ", " + b.String()
	}
	warmup, repeat := w.runs()
	return contender{name, func() ([]float64, error) {
		seconds, tokens, err := p.translate(w, b, warmup, repeat)
		if err == nil && w.length > 0 && tokens != w.length*len(w.sources) {
			err = fmt.Errorf("gave %d tokens, not %d", tokens, w.length*len(w.sources))
		}
		for i := range seconds {
			seconds[i] *= 1000
		}
		return seconds, err
	}}
}
