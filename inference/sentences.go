package inference

import (
	"context"
	"sync"

	"dragoman/inference/text"
)

// SentencesTogether is a good answer of Request.Together: enough for two threads with a
// wave of the model's each, and as many again, because none begins before the first of
// them has come to its end, which may be the longest. A pause holds no more of them up.
const SentencesTogether = 128

// sentences are those of a text, translated in their order or, where the request
// allows it, some of them ahead.
type sentences struct {
	ctx    context.Context
	job    *job
	left   []text.Piece // from the next one to begin on
	begun  int
	ahead  []*sentence // on their way, or done and not taken yet
	known  map[string]*wording
	groups sync.WaitGroup
}

// sentence is one of a text, on its way with a job of its own.
type sentence struct {
	*job
	*wording
	flat   string // on one line
	breaks text.Breaks
	again  bool          // an earlier one of the text has the same wording
	ready  chan struct{} // closed when the wording stands; nil where it does
	panic  any           // that it ended in
}

// wording is what sentences that are the same share.
type wording struct {
	translation string
	others      []string // alternatives
	err         error
}

// sentences finds a text's; stop ends those that are on their way.
func (j *job) sentences(ctx context.Context, pieces []text.Piece) (s *sentences, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	s = &sentences{ctx: ctx, job: j, left: pieces, known: map[string]*wording{}}
	return s, func() {
		cancel()
		s.groups.Wait()
	}
}

// next is the text's next sentence. Those after it begin, as many as may.
func (s *sentences) next() *sentence {
	if s.job.request.Together == nil {
		next := s.make()
		if !next.again {
			next.begin(s.ctx)
		}
		return next
	}
	for len(s.ahead) == 0 || len(s.ahead) < s.job.request.Together() {
		next := s.make()
		if next == nil {
			break
		}
		s.ahead = append(s.ahead, next)
		if next.again {
			continue
		}
		next.ready = make(chan struct{})
		s.groups.Go(func() {
			defer close(next.ready)
			defer func() { next.panic = recover() }()
			next.begin(s.ctx)
		})
	}
	next := s.ahead[0]
	s.ahead = s.ahead[1:]
	return next
}

// make takes the next sentence from what is left of the text; nil at the end.
func (s *sentences) make() *sentence {
	for len(s.left) > 0 {
		p := s.left[0]
		s.left = s.left[1:]
		if p.Kind != text.Sentence {
			continue
		}
		j := s.job
		next := &sentence{job: &job{
			Translator: j.Translator, request: j.request, start: j.start, total: j.total, done: s.begun, before: j.before, watch: j.watch,
		}}
		s.begun++
		next.flat, next.breaks = text.Unwrap(p.Text)
		if next.wording, next.again = s.known[next.flat]; !next.again {
			next.wording = &wording{}
			s.known[next.flat] = next.wording
		}
		return next
	}
	return nil
}

func (s *sentence) begin(ctx context.Context) {
	s.translation, s.others, s.err = s.translate(ctx, s.flat)
}

// take waits for a sentence's translation and adds what it took to the text's.
func (j *job) take(s *sentence) (string, error) {
	if s.ready != nil {
		<-s.ready
	}
	if s.panic != nil {
		panic(s.panic) // where the text's owner is ready for it
	}
	if s.again || s.err != nil { // an earlier one was taken
		return s.translation, s.err
	}
	j.stats.merge(s.stats)
	j.steps = append(j.steps, s.steps...)
	j.notes = append(j.notes, s.notes...)
	j.doubts = append(j.doubts, s.doubts...)
	return s.translation, nil
}
