package main

import (
	"context"
	"fmt"
	"slices"

	"dragoman/inference/m2m100"
)

// measureEncoder compares the graph of dynamic length, which the processor
// runs, with the static graphs that accelerators need, both on the processor.
func (b *bench) measureEncoder(ctx context.Context, m checkpoint) error {
	ids, target, err := m.source()
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
	turn := func(o opened) (float64, error) {
		var times []float64
		for i := range warmups + repeats {
			g, err := o.GenerateExactly(ctx, ids, target, 0) // no step, the encoder alone
			if err != nil {
				return 0, err
			}
			bucket = g.Bucket
			if i >= warmups {
				times = append(times, ms(g.Encode))
			}
		}
		slices.Sort(times)
		return median(times), nil
	}
	var d, s []float64
	for i := range m.rounds + 1 {
		a, err := turn(dynamic)
		if err != nil {
			return err
		}
		c, err := turn(static)
		if err != nil {
			return err
		}
		if i > 0 {
			d, s = append(d, a), append(s, c)
		}
	}
	b.report.compare(fmt.Sprintf("encoder alone, %d tokens: %s", tokensIn, m.name),
		"dynamic", fmt.Sprintf("static, bucket of %d", bucket), 0, d, s)
	return nil
}
