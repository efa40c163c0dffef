package main

import (
	"context"
	"fmt"
	"time"

	"dragoman/inference/m2m100"
)

// encoderTokens are those of the project's aim for one sentence.
const encoderTokens = 17

// measureEncoder compares the graph of dynamic length, which the processor
// runs, with the static graphs that accelerators need, both on the processor.
func (b *bench) measureEncoder(ctx context.Context, m checkpoint) error {
	ids, target, err := m.source(encoderTokens)
	if err != nil {
		return err
	}
	dynamic, err := b.open(ctx, m, m2m100.CPU)
	if err != nil {
		return err
	}
	defer dynamic.close()
	static, err := b.open(ctx, m, m2m100.CPUStatic)
	if err != nil {
		return err
	}
	defer static.close()
	var bucket int
	turn := func(o opened) func() ([]float64, error) {
		return func() ([]float64, error) {
			return repeated(warmups, repeats, func(bool) (time.Duration, error) {
				g, err := o.GenerateExactly(ctx, ids, target, 0) // no step, the encoder alone
				bucket = g.Bucket
				return g.Encode, err
			})
		}
	}
	d, s, err := duel(m.rounds, contender{"dynamic", turn(dynamic)}, contender{"static", turn(static)})
	if err != nil {
		return err
	}
	group := fmt.Sprintf("encoder alone, %d tokens: %s", encoderTokens, m.name)
	b.report.series(group, "dynamic", fmt.Sprintf("static, bucket of %d", bucket), d, s)
	b.report.add(group, "dynamic against static, round by round", "", 0, pairs(d, s)...) // neither is a peer
	return nil
}
