package power

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// trial measures a played machine whose work draws so many watts more.
func trial(t *testing.T, more, npu float64, spoil func(p *playedMachine, round int)) Trial {
	t.Helper()
	p := newPlayed()
	round := 0
	got, err := Measure(t.Context(), p.a.energy.gauge, p.a.npu.gauge, 6,
		func(context.Context) error {
			p.draw(5*time.Second, 5+0.1*float64(round%3), 0)
			return nil
		},
		func(context.Context) (Work, error) {
			p.draw(5*time.Second, 5.1+more, npu)
			if round++; spoil != nil {
				spoil(p, round)
			}
			return Work{Texts: 50, Tokens: 500}, nil
		})
	require.NoError(t, err)
	return got
}

func TestATrialComparesTwoDevices(t *testing.T) {
	cpu, npu := trial(t, 20, 0, nil), trial(t, 8, 0.3, nil)
	require.Empty(t, cpu.Unknown)
	require.Equal(t, 300, cpu.Texts)
	require.InDelta(t, 30, cpu.Seconds, 1e-9)
	require.InDelta(t, 2, cpu.JoulesPerText.Value, 0.02)
	require.InDelta(t, 200, cpu.JoulesPerThousandTokens.Value, 2)
	require.InDelta(t, 5.1, cpu.Idle.Value, 0.01)
	require.Less(t, cpu.Idle.Low, cpu.Idle.High)
	require.InDelta(t, 0.3, npu.NPUShare.Value, 0.001)
	saved := cpu.JoulesPerText.Minus(*npu.JoulesPerText)
	require.InDelta(t, 1.2, saved.Value, 0.02)
	require.Positive(t, saved.Low)
	same := cpu.JoulesPerText.Minus(*cpu.JoulesPerText)
	require.Negative(t, same.Low)
	require.Positive(t, same.High)
}

func TestATrialThatCannotTell(t *testing.T) {
	for name, test := range map[string]struct {
		more  float64
		spoil func(p *playedMachine, round int)
		want  string
	}{
		"no more than idle": {0, nil, "cannot be told from"},
		"slept":             {20, func(p *playedMachine, round int) { p.sleep(time.Hour) }, "the machine slept"},
		"the meter is lost": {20, func(p *playedMachine, round int) {
			if round == 3 {
				p.energy.err = Unknown("it is gone")
			}
		}, "it is gone"},
	} {
		t.Run(name, func(t *testing.T) {
			got := trial(t, test.more, 0, test.spoil)
			require.Contains(t, got.Unknown, test.want)
			require.Nil(t, got.JoulesPerText)
		})
	}
	p := newPlayed()
	broken := errors.New("broken")
	_, err := Measure(t.Context(), p.a.energy.gauge, nil, 3, func(context.Context) error { return broken }, nil)
	require.ErrorIs(t, err, broken)
}
