package trust

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestJudge(t *testing.T) {
	for name, c := range map[string]struct {
		token, processor   time.Duration
		joules, processorJ float64
		want               bool
	}{
		"faster":                          {5, 10, 0, 0, true},
		"hardly faster":                   {95, 100, 0, 0, false},
		"slower":                          {20, 10, 0, 0, false},
		"a little slower, much thriftier": {12, 10, 3, 10, true},
		"far slower, much thriftier":      {20, 10, 1, 10, false},
		"faster, far thirstier":           {8, 10, 20, 10, false},
		"far faster, far thirstier":       {5, 10, 20, 10, true},
		"as thirsty, faster":              {8, 10, 10, 10, true},
		"one meter only":                  {8, 10, 0, 10, true},
	} {
		require.Equal(t, c.want, Speed{Token: c.token, ProcessorToken: c.processor, Joules: c.joules, ProcessorJoules: c.processorJ}.Judge(), name)
	}
}

func TestSpeedHasItsFigures(t *testing.T) {
	s := Speed{Token: 2500 * time.Microsecond, ProcessorToken: 8 * time.Millisecond, NoJoules: "there is no meter", When: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC)}
	require.Equal(t, "a token takes it 2.50 ms, the processor 8.00 ms; energy unknown: there is no meter; measured 2026-11-28", s.String())
	s.Joules, s.ProcessorJoules = 12, 30
	require.Contains(t, s.String(), "a thousand tokens 12.0 J, the processor 30.0 J")
}
