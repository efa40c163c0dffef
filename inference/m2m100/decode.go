package m2m100

import (
	"context"
	"fmt"
	"slices"
	"time"

	"dragoman/inference/model"
	"dragoman/inference/openvino"
)

// decoder generates greedily by steps of some maker's.
type decoder struct {
	config model.Config
	steps  stepper
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
const candidates = 8

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
	start := d.start(target)
	before := len(start)
	steps, err := d.steps.begin(turn.lane, cross, len(source), n.most+before)
	if err != nil {
		return err
	}
	defer func() { steps.end(err) }()
	guard := newGuard(source)
	g.Tokens, g.Steps = make([]int32, 0, n.most), make([]time.Duration, 0, n.most+1)
	if err := steps.feed(start, 0); err != nil {
		return err
	}
	for len(g.Tokens) < n.most {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := turn.yield(ctx); err != nil {
			return err
		}
		begun := time.Now()
		if err := steps.run(); err != nil {
			return fmt.Errorf("decode token %d: %w", len(g.Tokens)+1, err)
		}
		g.Infer += time.Since(begun)
		scores, tokens := steps.best()
		token, err := d.choose(scores, tokens, &guard, n.least, g)
		if err != nil {
			return err
		}
		if token == int32(d.config.EOS) {
			g.Steps = append(g.Steps, time.Since(begun))
			return nil
		}
		g.Tokens = append(g.Tokens, token)
		if err := steps.feed(g.Tokens[len(g.Tokens)-1:], len(g.Tokens)+before-1); err != nil {
			return err
		}
		g.Steps = append(g.Steps, time.Since(begun))
	}
	g.Cut = true
	return nil
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
