package inference

import (
	"slices"
	"time"

	"dragoman/inference/m2m100"
)

// Stats are what a translation took. Times are wall time.
type Stats struct {
	Sentences  int // that the model was run on; repeated ones count once
	Remembered int // taken from the request's memory, without the model
	TokensIn   int // with the language and end tokens
	TokensOut  int // without them

	Tokenise    time.Duration
	Encode      time.Duration // embeddings, encoder, cross keys and values
	FirstToken  time.Duration // from the request to the first token (TTFT)
	TokenMedian time.Duration // of the decode steps after the first (ITL)
	TokenP95    time.Duration
	Total       time.Duration

	BucketTokens  int // tokens of the static graphs that were run, 0 for dynamic ones
	PaddingTokens int // of them padding
	Cut           int // sentences that reached the length bound
	Drafted       int // tokens that were guessed and checked, several in one step
	Accepted      int // of them right
	Guarded       int // tokens that the repetition guard refused
	Kept          int // sentences left as they are: the model does not know their words
	Protected     int // spans that were kept byte for byte
	CutAround     int // tries for which the model did not carry the spans' stand-ins over
	Terms         int // of the glossary that were put in
	Recased       int // tries in which capitals were taken away and given back
	Retried       int // tries after the first
	Doubtful      int // sentences with a Doubt
}

// PaddingShare is the share of padding in the static graphs' tokens.
func (s Stats) PaddingShare() float64 {
	if s.BucketTokens == 0 {
		return 0
	}
	return float64(s.PaddingTokens) / float64(s.BucketTokens)
}

func (s *Stats) add(tokensIn int, g m2m100.Generation) {
	s.Sentences++
	s.TokensIn += tokensIn
	s.TokensOut += len(g.Tokens)
	s.Encode += g.Encode
	s.BucketTokens += g.Bucket
	s.PaddingTokens += g.Padding
	s.Guarded += g.Guarded
	s.Drafted += g.Drafted
	s.Accepted += g.Accepted
	if g.Cut {
		s.Cut++
	}
}

// join adds what a further part of a text took, after the others. The quantiles
// are those of the part with most tokens.
func (s *Stats) join(part Stats) {
	if part.TokensOut > s.TokensOut {
		s.TokenMedian, s.TokenP95 = part.TokenMedian, part.TokenP95
	}
	first := s.FirstToken
	if first == 0 && part.FirstToken > 0 {
		first = s.Total + part.FirstToken
	}
	s.merge(part)
	s.FirstToken = first
	s.Total += part.Total
}

// merge adds what was translated at the same time; times of the whole text are
// its own.
func (s *Stats) merge(o Stats) {
	if s.FirstToken == 0 || (o.FirstToken > 0 && o.FirstToken < s.FirstToken) {
		s.FirstToken = o.FirstToken
	}
	s.Sentences += o.Sentences
	s.Remembered += o.Remembered
	s.TokensIn += o.TokensIn
	s.TokensOut += o.TokensOut
	s.Tokenise += o.Tokenise
	s.Encode += o.Encode
	s.BucketTokens += o.BucketTokens
	s.PaddingTokens += o.PaddingTokens
	s.Cut += o.Cut
	s.Guarded += o.Guarded
	s.Drafted += o.Drafted
	s.Accepted += o.Accepted
	s.Kept += o.Kept
	s.Protected += o.Protected
	s.CutAround += o.CutAround
	s.Terms += o.Terms
	s.Recased += o.Recased
	s.Retried += o.Retried
	s.Doubtful += o.Doubtful
}

// finish works out the quantiles of all steps (nearest rank).
func (s *Stats) finish(steps []time.Duration) {
	if len(steps) == 0 {
		return
	}
	slices.Sort(steps)
	s.TokenMedian = steps[(len(steps)-1)/2]
	s.TokenP95 = steps[(len(steps)*95+99)/100-1]
}
