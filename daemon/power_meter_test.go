//go:build unix

package daemon_test

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/power"
)

// playedMachine has a meter that counts 5 W, and 40 J for each second of this
// process's processor time.
type playedMachine struct {
	power.Sysfs
	start time.Time
}

func (p playedMachine) Energy() ([]power.Counter, error) { return []power.Counter{p}, nil }

func (playedMachine) Facts() power.Facts {
	return power.Facts{
		Source: "played", Scope: power.ScopePackage, Unit: power.Joule, Step: 1e-6, Most: 10_000,
		Error: power.Error{Resolution: 1e-6, Update: time.Millisecond},
	}
}

func (p playedMachine) Count() (uint64, error) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0, err
	}
	cpu := used.Utime.Nano() + used.Stime.Nano()
	return uint64(time.Since(p.start).Microseconds()*5 + cpu/1000*40), nil
}

// TestTheServiceMeasuresItsTexts translates and rests until what texts cost is
// known.
func TestTheServiceMeasuresItsTexts(t *testing.T) {
	s := startOn(t, newPaths(t), playedMachine{power.Sysfs(t.TempDir()), time.Now()}).warm()
	first, err := s.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, api.UnknownNotMeasured, first.Power.UnknownKind)
	require.Equal(t, "no text was translated yet", first.Power.Unknown)

	deadline := time.Now().Add(patience)
	for round := 0; ; round++ {
		require.True(t, time.Now().Before(deadline), "what texts cost is never known")
		text := strings.Repeat(fmt.Sprintf("The house number %d is big. ", round), 20) // not to be remembered
		for i := range 20 {
			text += fmt.Sprintf("The dog number %d of the house %d sleeps. ", i, round)
		}
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{text}, From: "en", To: "es"})
		require.NoError(t, err)
		time.Sleep(1200 * time.Millisecond) // a span without work is one from a second on
		now, err := s.Status(t.Context())
		require.NoError(t, err)
		if p := now.Power; p.JoulesPerText != nil {
			require.Equal(t, "played", p.Source)
			require.Equal(t, "package", p.Scope)
			require.Positive(t, p.Texts)
			require.Positive(t, p.JoulesPerText.Low)
			require.Less(t, p.JoulesPerText.Low, p.JoulesPerText.High)
			require.Positive(t, p.JoulesPerThousandTokens.Low)
			require.Empty(t, p.Unknown)
			return
		}
		require.NotEmpty(t, now.Power.Unknown)
	}
}
