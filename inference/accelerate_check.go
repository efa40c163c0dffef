package inference

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/probe"
	"dragoman/inference/trust"
)

// compare compares a device with the processor: all golden sources and the
// tokens that follow, or, where the device is trusted already and only what was
// stored is in doubt, one source a graph.
func (a *accelerating) compare(ctx context.Context, d ladder.Device, facts device.Device, ready *m2m100.Accelerator, trusted bool) error {
	if trusted {
		return a.compareCheaply(ctx, d, facts, ready)
	}
	var c trust.Comparison
	for _, s := range a.golden {
		want, err := a.engine.Outputs(ctx, s.Tokens)
		if err != nil {
			return err
		}
		got, err := ready.Outputs(ctx, s.Tokens)
		if err != nil {
			return ladder.Because(d, probe.KindOf(err, ladder.Inference), err)
		}
		if err := c.Outputs(want, got); err != nil {
			return a.wrong(d, facts, ready, err)
		}
		// A device whose values are far off needs no tokens.
		values := c.Figures()
		values.Tokens = 1 // of some sources alone they say little
		if err := values.Check(trust.Limits); err != nil {
			return a.wrong(d, facts, ready, err)
		}
		if err := a.compareTokens(ctx, &c, ready, s); err != nil {
			return ladder.Because(d, probe.KindOf(err, ladder.Inference), err)
		}
	}
	if err := a.judge(d, facts, ready, &c); err != nil {
		return err
	}
	_, err := a.expect(ctx, trust.Cheap(a.golden)) // for the starts to come
	return err
}

// compareCheaply compares every seventh value with what the processor gave when
// it was asked last, so that a start does not wait for it.
func (a *accelerating) compareCheaply(ctx context.Context, d ladder.Device, facts device.Device, ready *m2m100.Accelerator) error {
	sources := trust.Cheap(a.golden)
	expected, err := a.expect(ctx, sources)
	if err != nil {
		return err
	}
	var c trust.Comparison
	for i, s := range sources {
		got, err := ready.Outputs(ctx, s.Tokens)
		if err != nil {
			return ladder.Because(d, probe.KindOf(err, ladder.Inference), err)
		}
		if err := c.Outputs(expected[i], trust.Thin(got)); err != nil {
			return a.wrong(d, facts, ready, err)
		}
	}
	return a.judge(d, facts, ready, &c)
}

// expect is what the processor gives for sources, from the last time where that
// was kept.
func (a *accelerating) expect(ctx context.Context, sources []trust.Source) (trust.Expected, error) {
	key := fmt.Sprint("golden outputs 1 ", a.model, m2m100.Buckets)
	if kept, ok := trust.LoadExpected(a.record.Dir(), key); ok && len(kept) == len(sources) {
		return kept, nil
	}
	var expected trust.Expected
	for _, s := range sources {
		want, err := a.engine.Outputs(ctx, s.Tokens)
		if err != nil {
			return nil, err
		}
		expected = append(expected, trust.Thin(want))
	}
	if err := expected.Save(a.record.Dir(), key); err != nil {
		slog.Warn("The next start is slower", "err", err)
	}
	return expected, nil
}

// judge looks at the figures of a comparison, and keeps them.
func (a *accelerating) judge(d ladder.Device, facts device.Device, ready *m2m100.Accelerator, c *trust.Comparison) error {
	if err := c.Figures().Check(trust.Limits); err != nil {
		return a.wrong(d, facts, ready, err)
	}
	a.mu.Lock()
	a.figures = c.Figures()
	a.mu.Unlock()
	return nil
}

func (a *accelerating) compareTokens(ctx context.Context, c *trust.Comparison, ready *m2m100.Accelerator, s trust.Source) error {
	want, err := a.engine.Tokens(ctx, nil, s.Tokens, s.Target, trust.FirstTokens)
	if err != nil {
		return err
	}
	got, err := a.engine.Tokens(ctx, ready, s.Tokens, s.Target, trust.FirstTokens)
	if err != nil {
		return err
	}
	c.Tokens(want, got)
	return nil
}

// wrong takes what the device was opened from out of the store: it may be to
// blame.
func (a *accelerating) wrong(d ladder.Device, facts device.Device, ready *m2m100.Accelerator, why error) error {
	ready.Doubt("it computes wrongly: " + why.Error())
	return &ladder.Reason{Kind: ladder.Wrong, Device: d, Name: facts.Name, Driver: facts.Driver.Version(), Detail: why.Error()}
}

func isWrong(err error) bool {
	var why *ladder.Reason
	return errors.As(err, &why) && why.Kind == ladder.Wrong
}

// conclude puts on record what a full check found.
func (a *accelerating) conclude(d ladder.Device, facts device.Device, err error, took time.Duration) {
	v := trust.Verdict{Key: a.keyOf(d, facts), Device: string(d), Trusted: err == nil, When: time.Now(), Opened: took}
	if old, ok := a.record.Find(v.Key); ok { // only a good end clears it
		v.Unclean, v.Since = old.Unclean, old.Since
	}
	var why *ladder.Reason
	if errors.As(err, &why) {
		v.Why = why.Detail
	} else {
		a.mu.Lock()
		v.Figures = a.figures
		a.mu.Unlock()
	}
	if err := a.record.Put(v); err != nil {
		slog.Warn("What was found about a device is forgotten at the end", "err", err)
	}
}

// sample compares a device that serves with what it gave when it was opened, one
// short source at a time, in the batch lane: a device may begin to err later.
func (a *accelerating) sample(ctx context.Context) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	source := trust.Cheap(a.golden)[0]
	var want [][]float32
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		used := a.engine.InUse()
		if used == nil {
			continue
		}
		if want == nil {
			all, err := a.engine.Outputs(ctx, source.Tokens)
			if err != nil {
				continue // the processor's troubles are told elsewhere
			}
			want = trust.Thin(all)
		}
		a.engine.Check(ctx, used, source.Tokens, func(got [][]float32) error {
			var c trust.Comparison
			if err := c.Outputs(want, trust.Thin(got)); err != nil {
				return err
			}
			return c.Figures().Check(trust.Limits)
		})
	}
}
