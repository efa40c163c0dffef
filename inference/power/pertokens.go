package power

import (
	"context"
	"time"
)

// A short measurement is this many rounds, with a rest before each.
const (
	shortRounds = 3
	shortRest   = 300 * time.Millisecond
)

// ForTokens measures shortly what work costs, in joules for a thousand tokens.
// The error says why that is not known, or is the work's own.
func ForTokens(ctx context.Context, m Machine, work func(context.Context) (tokens int, err error)) (float64, error) {
	counters, err := m.Energy()
	if err != nil {
		return 0, err
	}
	rest := func(ctx context.Context) error {
		select {
		case <-time.After(shortRest):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	t, err := Measure(ctx, NewGauge(counters), nil, shortRounds, rest, func(ctx context.Context) (Work, error) {
		tokens, err := work(ctx)
		return Work{Texts: 1, Tokens: tokens}, err
	})
	if err != nil {
		return 0, err
	}
	if t.JoulesPerThousandTokens == nil {
		return 0, Unknown(t.Unknown)
	}
	return t.JoulesPerThousandTokens.Value, nil
}
