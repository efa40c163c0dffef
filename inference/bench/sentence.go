package main

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/tokenizer"
)

// What the issue names: one sentence of 17 tokens, 20 tokens out.
const (
	tokensIn  = 17
	tokensOut = 20
)

// Of each turn in a round the first is not timed, since the peer's turn has
// emptied the processor's caches, and of the others the median is taken.
const (
	warmups = 1
	repeats = 3
)

// goShare is how much of a decode step the host may take.
const goShare = 0.05

// source is a sentence of exactly tokensIn tokens, and its target language.
func (m checkpoint) source() ([]int32, int32, error) {
	if m.random {
		ids := make([]int32, tokensIn)
		for i := range ids {
			ids[i] = int32(1000 + 997*i) // any words do
		}
		const english, spanish, end = 128022, 128021, 2
		ids[0], ids[tokensIn-1] = english, end
		return ids, spanish, nil
	}
	t, err := tokenizer.Load(m.dir)
	if err != nil {
		return nil, 0, err
	}
	ids, err := t.Encode("en", "The train to the coast leaves at nine in the morning, and we have to be at the station a little earlier.")
	if err != nil {
		return nil, 0, err
	}
	if len(ids) < tokensIn {
		return nil, 0, fmt.Errorf("the sentence has %d tokens, it needs %d", len(ids), tokensIn)
	}
	spanish, ok := t.LanguageID("es")
	if !ok {
		return nil, 0, tokenizer.ErrUnknownLanguage
	}
	return append(ids[:tokensIn-1:tokensIn-1], ids[len(ids)-1]), spanish, nil
}

// measureSentence lets dragoman and CTranslate2 take turns.
func (b *bench) measureSentence(ctx context.Context, m checkpoint) error {
	ids, target, err := m.source()
	if err != nil {
		return err
	}
	ours, err := b.open(ctx, m, m2m100.CPU)
	if err != nil {
		return err
	}
	defer ours.close()
	theirs, err := b.startPeer(ctx, m)
	if err != nil {
		return err
	}
	defer theirs.close()
	var a, p []float64
	var s steps
	for i := range m.rounds + 1 {
		turn, err := s.ourTurn(ctx, ours, ids, target)
		if err != nil {
			return err
		}
		peers, n, err := theirs.translate(ids, target, tokensOut, warmups, repeats)
		if err != nil {
			return err
		}
		if n != tokensOut {
			return fmt.Errorf("CTranslate2 gave %d tokens, not %d", n, tokensOut)
		}
		if i == 0 { // both have packed their weights now
			s = steps{}
			continue
		}
		slices.Sort(peers)
		a, p = append(a, turn), append(p, 1000*median(peers))
	}
	group := fmt.Sprintf("one sentence, %d tokens in, %d out: %s", tokensIn, tokensOut, m.name)
	b.report.compare(group, "dragoman int8", "CTranslate2 int8", m.target, a, p)
	b.report.add(group, "of it the encoder", "ms", 0, s.encode...)
	b.report.add(group, "one decode step", "ms", 0, s.step...)
	b.report.add(group, "Go's share of the steps", "", goShare, s.share...)
	return nil
}

// steps are parts of our turns: one value for each repeat.
type steps struct {
	encode, step, share []float64
}

func (s *steps) ourTurn(ctx context.Context, o opened, ids []int32, target int32) (float64, error) {
	var times []float64
	for i := range warmups + repeats {
		start := time.Now()
		g, err := o.GenerateExactly(ctx, ids, target, tokensOut)
		took := time.Since(start)
		if err != nil {
			return 0, err
		}
		if len(g.Tokens) != tokensOut {
			return 0, fmt.Errorf("dragoman gave %d tokens, not %d", len(g.Tokens), tokensOut)
		}
		if i < warmups {
			continue
		}
		times = append(times, ms(took))
		all := time.Duration(0)
		for _, step := range g.Steps {
			all += step
		}
		s.encode = append(s.encode, ms(g.Encode))
		s.step = append(s.step, ms(all)/float64(len(g.Steps)))
		s.share = append(s.share, 1-float64(g.Infer)/float64(all))
	}
	slices.Sort(times)
	return median(times), nil
}
