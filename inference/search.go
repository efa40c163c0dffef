package inference

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"dragoman/inference/m2m100"
	"dragoman/inference/text"
)

// Search asks for a beam search: several outputs are kept while a sentence is
// translated, and the likeliest wins. It takes longer (docs/performance.md), runs on
// the processor, and sentences do not take less time together.
type Search struct {
	Beams         int     // 1 to MostBeams
	LengthPenalty float64 // above 0 favours long outputs; 1 is M2M-100's own
	// Alternatives is how many other translations are wanted, fewer than beams.
	Alternatives int
}

// MostBeams is how many beams a search may have, DefaultBeams how many it has where
// only alternatives are asked for, and DefaultLengthPenalty is M2M-100's own.
const (
	MostBeams            = m2m100.MostBeams
	DefaultBeams         = 4
	DefaultLengthPenalty = 1.0
)

// mostPenalty bounds the power of lengths.
const mostPenalty = 10

// NewSearch fills in what is left out: beams and alternatives of 0, a penalty of
// nil. Where nothing is asked for it is nil.
func NewSearch(beams int, penalty *float64, alternatives int) (*Search, error) {
	switch {
	case beams == 0 && alternatives == 0 && penalty == nil:
		return nil, nil
	case beams < 0 || beams > MostBeams:
		return nil, fmt.Errorf("%d beams: 1 to %d are possible", beams, MostBeams)
	case alternatives < 0 || alternatives >= MostBeams:
		return nil, fmt.Errorf("%d alternatives: 0 to %d are possible", alternatives, MostBeams-1)
	case beams == 0 && alternatives == 0:
		return nil, errors.New("a length penalty is for a beam search: give the number of beams, too")
	}
	s := &Search{Beams: beams, LengthPenalty: DefaultLengthPenalty, Alternatives: alternatives}
	if beams == 0 {
		s.Beams = max(DefaultBeams, alternatives+1)
	}
	if alternatives >= s.Beams {
		return nil, fmt.Errorf("%d alternatives of %d beams: one of the beams is the translation itself, so ask for %d beams", alternatives, beams, alternatives+1)
	}
	if penalty != nil {
		s.LengthPenalty = *penalty
	}
	if math.IsNaN(s.LengthPenalty) || math.Abs(s.LengthPenalty) > mostPenalty {
		return nil, fmt.Errorf("a length penalty of %v: -%d to %d are possible", s.LengthPenalty, mostPenalty, mostPenalty)
	}
	return s, nil
}

// Key is the same for searches that give the same translations, and "" without one.
func (s *Search) Key() string {
	if s == nil {
		return ""
	}
	return fmt.Sprintf("beams %d penalty %v", s.Beams, s.LengthPenalty)
}

// alternatives is how many are wanted.
func (r *Request) alternatives() int {
	if r.Search == nil {
		return 0
	}
	return r.Search.Alternatives
}

// outputs are what the model makes of tokens, the likeliest first. They are looked
// for once.
func (j *job) outputs(ctx context.Context, tokens []int32, target int32) ([]string, error) {
	key := fmt.Sprint(tokens)
	if found, ok := j.found[key]; ok {
		return found, nil
	}
	begun := time.Since(j.start)
	g, hypotheses, err := j.engine.GenerateBeams(ctx, j.lane, tokens, target, m2m100.BeamSearch{Beams: j.request.Search.Beams, LengthPenalty: j.request.Search.LengthPenalty})
	if err != nil {
		return nil, err
	}
	var found []string
	for _, h := range hypotheses {
		if out := j.tokenizer.Decode(h.Tokens); strings.TrimSpace(out) != "" {
			found = append(found, out)
		}
	}
	if len(found) == 0 {
		return nil, m2m100.ErrEmpty
	}
	j.took(len(tokens), g, begun)
	if j.found == nil {
		j.found = map[string][]string{}
	}
	j.found[key] = found
	return found, nil
}

// alternativesTo are further translations of a sentence that look as sound as its best.
func (j *job) alternativesTo(ctx context.Context, sentence, best string, doubts int) (others []string, err error) {
	for rank := 1; rank <= j.request.alternatives(); rank++ {
		other := &job{Translator: j.Translator, request: j.request, start: j.start, lane: j.lane, found: j.found, rank: rank}
		other.request.Explain = false
		out, found, err := other.care(ctx).translate(sentence)
		if err != nil {
			return nil, err
		}
		if len(found) <= doubts && out != best && !slices.Contains(others, out) {
			others = append(others, out)
		}
	}
	return others, nil
}

// variants are whole texts of the sentences' alternatives: the first of their first
// ones, and so on. A sentence that has no more is as in the translation.
type variants struct {
	joiners []*text.Joiner
	texts   []strings.Builder
}

func newVariants(n int, pieces []text.Piece, from, to string) variants {
	v := variants{texts: make([]strings.Builder, n)}
	for range n {
		v.joiners = append(v.joiners, text.NewJoiner(pieces, from, to))
	}
	return v
}

func (v variants) next(s *sentence, best string) {
	for i, joiner := range v.joiners {
		out := best
		if i < len(s.others) {
			out = s.others[i]
		}
		v.texts[i].WriteString(joiner.Next(s.breaks.Wrap(out)))
	}
}

func (v variants) rest() (all []string) {
	for i, joiner := range v.joiners {
		v.texts[i].WriteString(joiner.Rest())
		all = append(all, v.texts[i].String())
	}
	return all
}

// setAlternatives takes those of the variants that differ.
func (r *Result) setAlternatives(variants []string) {
	r.variants = variants
	for _, v := range variants {
		if v != r.Text && !slices.Contains(r.Alternatives, v) {
			r.Alternatives = append(r.Alternatives, v)
		}
	}
}

// variant is a whole text's part of a variant.
func (r *Result) variant(i int) string {
	if i < len(r.variants) {
		return r.variants[i]
	}
	return r.Text
}
