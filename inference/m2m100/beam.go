package m2m100

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/openvino"
)

// MostBeams is how many beams a search may have.
const MostBeams = host.MostBeams

// beamCandidates is how many next tokens a step finds for a beam: twice as many as
// beams, because each may have its end among them.
const beamCandidates = host.BeamCandidates

// BeamSearch says how a beam search goes.
type BeamSearch struct {
	Beams         int     // 1 to MostBeams
	LengthPenalty float64 // power of the length that sums of logarithms are divided by
}

// Hypothesis is one of the outputs that a beam search ends with.
type Hypothesis struct {
	Tokens []int32 // without start, language and end token
	// Score is the logarithm of the output's probability over the length, which
	// counts the tokens of the language and the end, to the power of the penalty.
	Score float32
	Cut   bool // the length bound came before the end token
}

// beams are the outputs of one search; there is one until the first follow.
type beams interface {
	// feed gives the next step a beam's new tokens, the first of them at a position.
	feed(beam int, tokens []int32, position int) error
	run() error
	// best are the candidates to follow a beam, best first, with the logarithms of
	// their probabilities, valid until the next run.
	best(beam int) (scores []float32, tokens []int32)
	// follow has each beam go on from the one with its parent's number.
	follow(parents []int)
	close()
}

// beam is an output under way.
type beam struct {
	tokens []int32
	score  float32 // logarithm of the probability
}

// continuation is a beam with one more token.
type continuation struct {
	parent int
	token  int32
	score  float32
}

// GenerateBeams is Generate with a beam search, on the processor and, in the batch
// lane, one sentence at a time. The hypotheses are at most as many as beams, best
// first; the first one is the generation's.
//
// The rules are those of transformers' generate with early stopping, which
// M2M-100's generation_config.json asks for: of the twice as many best
// continuations as there are beams those go on that do not end, and those end that
// are among the first half; it is over when as many have ended as there are beams.
// The language token is forced and costs nothing. Added is the guard against loops.
func (e *Engine) GenerateBeams(ctx context.Context, lane Lane, source []int32, target int32, b BeamSearch) (Generation, []Hypothesis, error) {
	n := lengths{least: 1, most: maxNewTokens(len(source), e.config.MaxPositions)}
	return e.generateBeams(ctx, lane, source, target, b, n)
}

func (e *Engine) generateBeams(ctx context.Context, lane Lane, source []int32, target int32, b BeamSearch, n lengths) (Generation, []Hypothesis, error) {
	if b.Beams < 1 || b.Beams > MostBeams || math.IsNaN(b.LengthPenalty) || math.IsInf(b.LengthPenalty, 0) {
		return Generation{}, nil, fmt.Errorf("a beam search of %d beams with length penalty %v: 1 to %d beams are possible", b.Beams, b.LengthPenalty, MostBeams)
	}
	if err := e.decoder.steps.makeBeams(ctx); err != nil {
		return Generation{}, nil, err
	}
	var found []Hypothesis
	decode := func(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) (err error) {
		found, err = e.decoder.search(ctx, turn, cross, source, target, n, b, g)
		return err
	}
	g, err := e.generateBy(ctx, lane, e.encode, decode, source, target, n)
	if err != nil {
		return Generation{}, nil, err
	}
	g.Tokens, g.Cut = found[0].Tokens, found[0].Cut
	return g, found, nil
}

// search is a beam search into g, but for the tokens.
func (d decoder) search(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, b BeamSearch, g *Generation) ([]Hypothesis, error) {
	first := d.start(target)
	before := len(first)
	state, err := d.steps.beams(turn.lane, cross, len(source), n.most+before, b.Beams)
	if err != nil {
		return nil, err
	}
	defer state.close()
	s := search{BeamSearch: b, eos: int32(d.config.EOS), guard: newGuard(source), bounds: n, before: before, running: []beam{{}}}
	if err := state.feed(0, first, 0); err != nil {
		return nil, err
	}
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := turn.yield(ctx); err != nil {
			return nil, err
		}
		start := time.Now()
		if err := state.run(); err != nil {
			return nil, fmt.Errorf("decode token %d of %d beams: %w", s.length+1, len(s.running), err)
		}
		g.Infer += time.Since(start)
		parents, err := s.step(state, g)
		if err != nil {
			return nil, err
		}
		if len(parents) == 0 {
			g.Steps = append(g.Steps, time.Since(start))
			return s.ended, nil
		}
		state.follow(parents)
		for i, r := range s.running {
			if err := state.feed(i, r.tokens[s.length-1:], s.length+before-1); err != nil {
				return nil, err
			}
		}
		g.Steps = append(g.Steps, time.Since(start))
	}
}

// search is a beam search under way.
type search struct {
	BeamSearch
	eos    int32
	guard  guard
	bounds lengths
	before int // tokens before the first of an output

	length  int    // tokens of each running output
	running []beam // best first
	ended   []Hypothesis
}

// step chooses the outputs that go on, and returns those they go on from; none where
// the search is over.
func (s *search) step(state beams, g *Generation) (parents []int, err error) {
	next, err := s.continuations(state, g)
	if err != nil {
		return nil, err
	}
	last := s.length+1 >= s.bounds.most
	var running []beam
	for rank, c := range next {
		tokens := s.running[c.parent].tokens
		if c.token != s.eos {
			tokens = append(slices.Clip(tokens), c.token)
		}
		switch {
		case c.token != s.eos && !last:
			if len(running) < s.Beams {
				running, parents = append(running, beam{tokens, c.score}), append(parents, c.parent)
			}
		case rank < s.Beams: // what is behind is only there to go on from
			s.end(Hypothesis{Tokens: tokens, Score: c.score, Cut: c.token != s.eos})
		}
	}
	if len(next) == 0 { // the guard refuses all
		for _, r := range s.running {
			s.end(Hypothesis{Tokens: r.tokens, Score: r.score})
		}
	}
	// Of those that have ended before the earlier ones go first, as in transformers.
	slices.SortStableFunc(s.ended, func(a, b Hypothesis) int { return cmp.Compare(b.Score, a.Score) })
	s.ended = s.ended[:min(len(s.ended), s.Beams)]
	if len(s.ended) == s.Beams || len(running) == 0 {
		return nil, nil
	}
	s.running, s.length = running, s.length+1
	return parents, nil
}

// end takes the logarithm of an output's probability for its score. The length counts
// the language token, where there is one, and the token that has come now.
func (s *search) end(h Hypothesis) {
	h.Score /= float32(math.Pow(float64(s.length+s.before), s.LengthPenalty))
	s.ended = append(s.ended, h)
}

// continuations are the best of all beams', best first.
func (s *search) continuations(state beams, g *Generation) (all []continuation, err error) {
	for i, r := range s.running {
		scores, tokens := state.best(i)
		if best := scores[0]; best-best != 0 {
			return nil, fmt.Errorf("decode token %d: the model's scores are %v: the device computes wrongly or the model is damaged: %w", s.length+1, best, ErrNotFinite)
		}
		for k, token := range tokens {
			if token < 0 || token == math.MaxInt32 { // there are no more
				break
			}
			if refused := token == s.eos && s.length < s.bounds.least || token != s.eos && s.guard.refuses(r.tokens, token); refused {
				if k == 0 {
					g.Guarded++
				}
				continue
			}
			all = append(all, continuation{i, token, r.score + scores[k]})
		}
	}
	slices.SortStableFunc(all, func(a, b continuation) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), 2*s.Beams)], nil
}
