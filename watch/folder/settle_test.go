package folder

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The settler takes the time as an argument, so no clock is involved.
func TestSettlerWaitsForQuiet(t *testing.T) {
	start := time.Unix(0, 0)
	at := func(d time.Duration) time.Time { return start.Add(d) }
	s := newSettler(time.Second)
	require.True(t, s.nextDue.IsZero())

	s.see("a", stamp{size: 1}, false, at(0))
	s.see("a", stamp{size: 2}, false, at(500*time.Millisecond))
	require.Empty(t, s.due(at(1400*time.Millisecond)), "it grew")
	require.Equal(t, at(1500*time.Millisecond), s.nextDue)

	s.see("a", stamp{size: 2}, false, at(1400*time.Millisecond))
	require.Equal(t, []string{"a"}, s.due(at(1500*time.Millisecond)), "looking again is not a change")

	s.see("a", stamp{size: 2}, true, at(1600*time.Millisecond))
	require.Empty(t, s.due(at(2500*time.Millisecond)), "a write that changed neither size nor time")
	require.Equal(t, []string{"a"}, s.due(at(2600*time.Millisecond)))

	s.forget("a")
	require.Empty(t, s.due(at(time.Hour)))
	require.True(t, s.nextDue.IsZero())
}

func TestSettlerPausesGrowWhileBusy(t *testing.T) {
	now := time.Unix(0, 0)
	s := newSettler(time.Second)
	s.see("a", stamp{}, false, now)
	var pauses []time.Duration
	for try := 1; try <= 8; try++ {
		now = s.pending["a"].due
		require.Equal(t, []string{"a"}, s.due(now))
		require.Equal(t, try == maxTries, s.busy("a", time.Minute, now), "failed once only")
		pauses = append(pauses, s.pending["a"].due.Sub(now))
	}
	sec := time.Second
	require.Equal(t, []time.Duration{sec, 2 * sec, 4 * sec, 8 * sec, 16 * sec, 60 * sec, 60 * sec, 60 * sec}, pauses)
	require.False(t, s.busy("unknown", time.Minute, now))
}

func TestTellerTellsOnce(t *testing.T) {
	var got []string
	tell := newTeller(func(n Notice) { got = append(got, n.Key+": "+n.String()) })
	tell.problem("a", ErrMissing)
	tell.problem("a", ErrMissing)
	tell.over("a")
	tell.over("a")
	tell.problem("a", ErrMissing)
	require.Equal(t, []string{"a: the folder is missing", "a: no longer: the folder is missing", "a: the folder is missing"}, got)
}
