package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"time"

	"dragoman/daemon/api"
)

const (
	rounds    = 8  // of service and library, each with processes of their own
	answers   = 30 // sentences of a round that service and library take turns with
	processes = 15 // of the command
	unhurried = 10 // sentences of a round before those that count
	// flushed is more than the service keeps translations in memory only.
	flushed = 5 * time.Second
)

// measureAnswers compares answers through the socket with calls of the library,
// and asks for some of them once more, when the memory has them.
//
// Of two processes that do the very same one is faster by up to 2 ms a sentence
// for as long as they run, often the one that has loaded its model last. So each
// round begins with new ones, in the other order.
func (b *bench) measureAnswers(ctx context.Context) error {
	var all timings
	p := b.report.begin("one new sentence, service and library in turns")
	for round := range rounds {
		sentences := b.texts.sentences(unhurried + answers)
		last := round == rounds-1
		err := b.measureRound(ctx, round%2 == 0, &all, sentences, func(s *service) error {
			if !last {
				return nil
			}
			all.report(p)
			p.end()
			time.Sleep(flushed)
			return b.measureKnown(ctx, s, sentences)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// measureRound times sentences with a service and a library that are new, and
// then calls after.
func (b *bench) measureRound(ctx context.Context, serviceFirst bool, all *timings, sentences []string, after func(*service) error) error {
	if err := b.unload(); err != nil {
		return err
	}
	if !serviceFirst {
		if _, err := b.loaded(ctx); err != nil {
			return err
		}
	}
	s, err := b.startService(ctx)
	if err != nil {
		return err
	}
	err = s.warm(ctx)
	if err == nil {
		_, err = b.loaded(ctx)
	}
	if err == nil {
		err = b.takeTurns(ctx, s, all, sentences)
	}
	if err == nil {
		err = after(s)
	}
	return errors.Join(err, s.stop())
}

// takeTurns has both translate each sentence, and each of them first every other
// time.
func (b *bench) takeTurns(ctx context.Context, s *service, all *timings, sentences []string) error {
	all.rounds = append(all.rounds, nil)
	for i, sentence := range sentences {
		var mine, direct float64
		var answer api.Translation
		turn := func(service bool) (err error) {
			begun := time.Now()
			if service {
				answer, err = s.translate(ctx, sentence)
				mine = ms(time.Since(begun))
			} else {
				_, err = b.directly(ctx, sentence)
				direct = ms(time.Since(begun))
			}
			return err
		}
		first := i%2 == 0
		if err := errors.Join(turn(first), turn(!first)); err != nil {
			return err
		}
		if answer.Stats.Sentences != 1 {
			return fmt.Errorf("the model was run on %d sentences, not on one", answer.Stats.Sentences)
		}
		if i >= unhurried {
			all.add(mine, direct, answer.Stats)
		}
	}
	return nil
}

// timings are of all rounds, in milliseconds.
type timings struct {
	ours, theirs, around, tokens []float64
	rounds                       [][]float64 // differences
}

func (t *timings) add(mine, direct float64, s api.Stats) {
	t.ours, t.theirs = append(t.ours, mine), append(t.theirs, direct)
	t.around = append(t.around, mine-float64(s.TotalUS)/1000)
	t.tokens = append(t.tokens, float64(s.TokensIn))
	last := len(t.rounds) - 1
	t.rounds[last] = append(t.rounds[last], mine-direct)
}

func (t *timings) report(p *part) {
	p.add("service", "ms", nil, t.ours...)
	p.add("library", "ms", nil, t.theirs...)
	p.add("difference of the medians", "ms", most(3), medianOf(t.ours)-medianOf(t.theirs))
	pairs := slices.Concat(t.rounds...)
	p.add("difference, pair by pair", "ms", most(3), pairs...)
	// On a busy machine chance alone makes a difference of some milliseconds.
	low, high := medianWithin(pairs)
	p.add("95 % interval of that median", "ms", nil, low, high)
	var medians []float64
	for _, round := range t.rounds {
		medians = append(medians, medianOf(round))
	}
	p.add("that median, round by round", "ms", nil, medians...)
	p.add("of the service's outside the translation", "ms", nil, t.around...)
	p.add("tokens in", "", nil, t.tokens...)
}

func (b *bench) measureKnown(ctx context.Context, s *service, sentences []string) error {
	p := b.report.begin("one sentence that the memory knows")
	defer p.end()
	var inside, whole, process []float64
	for _, sentence := range sentences {
		begun := time.Now()
		answer, err := s.translate(ctx, sentence)
		took := ms(time.Since(begun))
		if err != nil {
			return err
		}
		if answer.Stats.Remembered != 1 {
			return errors.New("the memory did not know a sentence")
		}
		inside, whole = append(inside, float64(answer.Stats.TotalUS)/1000), append(whole, took)
	}
	for i := range processes {
		begun := time.Now()
		c := exec.CommandContext(ctx, b.in("dragoman"), "translate", "--text", sentences[i], "--from", from, "--to", to)
		c.Env = s.env
		if out, err := c.CombinedOutput(); err != nil {
			return fmt.Errorf("dragoman translate: %w: %s", err, out)
		}
		process = append(process, ms(time.Since(begun)))
	}
	p.add("in the service", "ms", most(1), inside...)
	p.add("at the client", "ms", most(3), whole...)
	p.add("process of `dragoman translate`", "ms", nil, process...)
	return nil
}

func ms(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
