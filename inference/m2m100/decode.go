package m2m100

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dragoman/inference/m2m100/host"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// decoder generates greedily by steps of some maker's.
type decoder struct {
	config  model.Config
	steps   stepper
	guesses *guesses // of the output under way, nil where nothing is guessed
}

// stepper computes what may come next in an output.
type stepper interface {
	// begin starts an output on a lane, whose steps before end. Its source has so
	// many tokens, and at most capacity are added to it, those before the first
	// counted.
	begin(lane Lane, cross []*openvino.Tensor, source, capacity int) (steps, error)
	// rows makes what sentences need that are decoded together.
	rows(sentences []*sentence) rows
	// beams begins a beam search as begin does an output; makeBeams comes before the
	// first, outside of anyone's turn.
	beams(lane Lane, cross []*openvino.Tensor, source, capacity, width int) (beams, error)
	makeBeams(ctx context.Context) error
	release() // pages of files that were packed
	close()
}

// steps are those of one output.
type steps interface {
	// feed gives the next step its new tokens, the first of them at a position.
	feed(tokens []int32, position int) error
	run() error
	// best are the candidates to follow, best first. They are valid until the
	// next run.
	best() (scores []float32, tokens []int32)
	end(err error) // of the last run
}

// candidates is how many next tokens a step returns: one to take, and others
// for when the repetition guard refuses it.
const candidates = host.Candidates

// NoTarget is the target of relatives of M2M-100 that are told on the encoder's
// side what language to translate into (SMaLL-100): nothing follows the start
// token but the output.
const NoTarget int32 = -1

// start are the tokens before the first of an output.
func (d decoder) start(target int32) []int32 {
	if target == NoTarget {
		return []int32{int32(d.config.DecoderStart)}
	}
	return []int32{int32(d.config.DecoderStart), target}
}

// lengths bound an output, in tokens without the end token.
type lengths struct{ least, most int }

// decode generates greedily into g.
func (d decoder) decode(ctx context.Context, turn *turn, cross []*openvino.Tensor, source []int32, target int32, n lengths, g *Generation) (err error) {
	steps, err := d.steps.begin(turn.lane, cross, len(source), n.most+len(d.start(target)))
	if err != nil {
		return err
	}
	defer func() { steps.end(err) }()
	guard := newGuard(source)
	g.Tokens, g.Steps = make([]int32, 0, n.most), make([]time.Duration, 0, n.most+1)
	checker, _ := steps.(checker)
	for len(g.Tokens) < n.most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := turn.yield(ctx); err != nil {
			return err
		}
		start := time.Now()
		fed, position := d.next(target, g)
		guess := d.guesses.next(checker, g, len(fed), n)
		if err := steps.feed(append(fed, guess...), position); err != nil {
			return err
		}
		if len(guess) > 0 {
			checker.guessed(len(guess))
		}
		inferred := time.Now()
		if err := steps.run(); err != nil {
			return fmt.Errorf("decode token %d: %w", len(g.Tokens)+1, err)
		}
		took := time.Since(inferred)
		g.Infer += took
		d.guesses.took(len(fed)+len(guess), took)
		ended, err := d.take(steps.best, checker, guess, &guard, n, g)
		if err != nil {
			return err
		}
		g.spread(time.Since(start), ended)
		if ended {
			return nil
		}
	}
	g.Cut = true
	return nil
}

// next are the tokens that the next step has to take, and the position of the
// first of them.
func (d decoder) next(target int32, g *Generation) (tokens []int32, position int) {
	n := len(g.Tokens)
	if n == 0 {
		return d.start(target), 0
	}
	return g.Tokens[n-1 : n : n], len(d.start(target)) + n - 1
}

// spread gives each of a step's tokens its share of the time.
func (g *Generation) spread(took time.Duration, ended bool) {
	n := len(g.Tokens) - len(g.Steps)
	if ended {
		n++ // the end token
	}
	for range n {
		g.Steps = append(g.Steps, took/time.Duration(n))
	}
}

// choose takes the best candidate that may come next. The end token is refused
// before the least length: a source that is not empty has a translation.
func (d decoder) choose(scores []float32, tokens []int32, guard *guard, least int, g *Generation) (int32, error) {
	if best := scores[0]; best-best != 0 {
		return 0, fmt.Errorf("decode token %d: the model's scores are %v: the device computes wrongly or the model is damaged: %w", len(g.Tokens)+1, best, ErrNotFinite)
	}
	eos := int32(d.config.EOS)
	i := slices.IndexFunc(tokens, func(token int32) bool {
		if token == eos {
			return len(g.Tokens) >= least
		}
		return !guard.refuses(g.Tokens, token)
	})
	if i > 0 {
		g.Guarded++
	}
	if i < 0 {
		return eos, nil
	}
	return tokens[i], nil
}
