package main

import (
	"context"
	"fmt"
	"time"

	"dragoman/inference/m2m100/tokenizer"
)

// size is one sentence's tokens in and out, with the share of CTranslate2's
// time that is aimed at for a large model and for the starter; 0 is no aim.
type size struct {
	in, out        int
	large, starter float64
}

// sizes begin with the one of the project's aims.
var sizes = []size{{17, 20, 0.33, 0.5}, {5, 5, 0, 0}, {20, 20, 0, 0}, {60, 60, 0, 0}}

// goShare is how much of a decode step the host may take.
const goShare = 0.02

// bandwidthShare is how much of the memory's read bandwidth a step of a model
// that does not fit the processor's caches should reach.
const bandwidthShare = 0.7

const readings = "The train to the coast leaves at nine in the morning, and we have to be at the station a little earlier. " +
	"My sister bought the tickets yesterday, because on the day itself there are never enough of them. " +
	"If the weather stays as it is, we shall walk from the harbour to the old lighthouse and have lunch there before the others arrive."

// source is a sentence of exactly n tokens, and its target language.
func (m checkpoint) source(n int) ([]int32, int32, error) {
	if m.random {
		return m.randomSource(n, 0), m.spanish(), nil
	}
	t, err := tokenizer.Load(m.dir)
	if err != nil {
		return nil, 0, err
	}
	ids, err := t.Encode("en", readings)
	if err != nil {
		return nil, 0, err
	}
	if len(ids) < n {
		return nil, 0, fmt.Errorf("the text has %d tokens, it needs %d", len(ids), n)
	}
	spanish, ok := t.LanguageID("es")
	if !ok {
		return nil, 0, tokenizer.ErrUnknownLanguage
	}
	return append(ids[:n-1:n-1], ids[len(ids)-1]), spanish, nil
}

// randomSource is any words, others for each seed, between the language and
// the end token of a large vocabulary.
func (m checkpoint) randomSource(n, seed int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32(1000 + 997*i%90000 + 31*seed)
	}
	const english, end = 128022, 2
	ids[0], ids[n-1] = english, end
	return ids
}

func (m checkpoint) spanish() int32 { return 128021 } // of a large vocabulary

// measureSentence lets dragoman and CTranslate2 take turns with one sentence.
func (b *bench) measureSentence(ctx context.Context, m checkpoint) error {
	ours, theirs, end, err := b.opponents(ctx, m)
	if err != nil {
		return err
	}
	defer end()
	for _, s := range sizes {
		if err := b.measureSize(ctx, m, ours, theirs, s); err != nil {
			return err
		}
	}
	return nil
}

func (b *bench) measureSize(ctx context.Context, m checkpoint, ours opened, theirs peers, size size) error {
	ids, target, err := m.source(size.in)
	if err != nil {
		return err
	}
	best, err := theirs.best(task{[][]int32{ids}, target, size.out}, m.tuning())
	if err != nil {
		return err
	}
	var s steps
	a, p, err := duel(m.rounds, contender{"dragoman int8", func() ([]float64, error) { return s.turn(ctx, ours, ids, target, size.out) }}, best)
	if err != nil {
		return err
	}
	s.drop() // of the round that does not count
	group := fmt.Sprintf("one sentence, %d tokens in, %d out: %s", size.in, size.out, m.name)
	aim := size.starter
	if m.random {
		aim = size.large
	}
	b.report.compare(group, "dragoman int8", best.name, aim, a, p)
	b.report.add(group, "of it the encoder", "ms", 0, s.encode...)
	b.report.add(group, "one decode step", "ms", 0, s.step...)
	if size == sizes[0] {
		b.report.add(group, "Go's share of the steps", "", goShare, s.share...)
		return b.measureReading(m, ours, group, s)
	}
	return nil
}

// steps are parts of our turns: one value for each repeat.
type steps struct {
	encode, step, share []float64
}

func (s *steps) drop() {
	s.encode, s.step, s.share = s.encode[repeats:], s.step[repeats:], s.share[repeats:]
}

// turn returns the milliseconds of each repeat.
func (s *steps) turn(ctx context.Context, o opened, ids []int32, target int32, length int) ([]float64, error) {
	return repeated(warmups, repeats, func(counts bool) (time.Duration, error) {
		start := time.Now()
		g, err := o.GenerateExactly(ctx, ids, target, length)
		took := time.Since(start)
		if err != nil {
			return 0, err
		}
		if len(g.Tokens) != length {
			return 0, fmt.Errorf("gave %d tokens, not %d", len(g.Tokens), length)
		}
		if !counts {
			return took, nil
		}
		all := time.Duration(0)
		for _, step := range g.Steps {
			all += step
		}
		s.encode = append(s.encode, ms(g.Encode))
		s.step = append(s.step, ms(all)/float64(len(g.Steps)))
		s.share = append(s.share, 1-float64(g.Infer)/float64(all))
		return took, nil
	})
}
