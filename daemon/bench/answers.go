package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"dragoman/daemon/api"
)

const (
	answers   = 200 // sentences that service and library take turns with
	processes = 15  // of the command
	unhurried = 20  // sentences before those that count
	// flushed is more than the service keeps translations in memory only.
	flushed = 5 * time.Second
)

// measureAnswers compares answers through the socket with calls of the library,
// and asks for all of them once more, when the memory has them.
func (b *bench) measureAnswers(ctx context.Context) error {
	s, err := b.startService(ctx)
	if err != nil {
		return err
	}
	sentences, err := b.measureNew(ctx, s)
	if err == nil {
		time.Sleep(flushed)
		err = b.measureKnown(ctx, s, sentences)
	}
	return errors.Join(err, s.stop())
}

func (b *bench) measureNew(ctx context.Context, s *service) ([]string, error) {
	p := b.report.begin("one new sentence, service and library in turns")
	defer p.end()
	if _, err := b.loaded(ctx); err != nil {
		return nil, err
	}
	var ours, theirs, pairs, around, tokens []float64
	sentences := b.texts.sentences(unhurried + answers)
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
			return nil, err
		}
		if answer.Stats.Sentences != 1 {
			return nil, fmt.Errorf("the model was run on %d sentences, not on one", answer.Stats.Sentences)
		}
		if i < unhurried {
			continue
		}
		ours, theirs, pairs = append(ours, mine), append(theirs, direct), append(pairs, mine-direct)
		around = append(around, mine-float64(answer.Stats.TotalUS)/1000)
		tokens = append(tokens, float64(answer.Stats.TokensIn))
	}
	p.add("service", "ms", nil, ours...)
	p.add("library", "ms", nil, theirs...)
	p.add("difference of the medians", "ms", most(3), medianOf(ours)-medianOf(theirs))
	p.add("difference, pair by pair", "ms", most(3), pairs...)
	// On a busy machine chance alone makes a difference of some milliseconds.
	low, high := medianWithin(pairs)
	p.add("95 % interval of that median", "ms", nil, low, high)
	p.add("of the service's outside the translation", "ms", nil, around...)
	p.add("tokens in", "", nil, tokens...)
	return sentences, nil
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
