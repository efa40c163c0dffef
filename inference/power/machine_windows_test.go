package power

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestThisMachineAnswers asks the real interfaces: what they do not have they
// say.
func TestThisMachineAnswers(t *testing.T) {
	m := ThisMachine()
	energy, err := m.Energy()
	if err != nil {
		require.ErrorAs(t, err, new(Unknown))
		t.Log(err)
	}
	require.Equal(t, err == nil, len(energy) > 0)
	drain, err := m.Drain()
	if err != nil {
		require.ErrorAs(t, err, new(Unknown))
		t.Log(err)
	}
	require.Equal(t, err == nil, len(drain) > 0)
	busy, err := m.NPUBusy()
	if err == nil {
		_, err = busy.Count()
		require.NoError(t, err)
	} else {
		require.ErrorAs(t, err, new(Unknown))
		t.Log(err)
	}
	for _, r := range m.Now() {
		require.NotEmpty(t, r.Source)
	}
	t.Log(m.Supply(), m.Heat())
	a := NewAccumulator(m)
	a.Begin()
	a.End(Work{Texts: 1})
	s := a.Summary()
	require.True(t, s.Unknown != "" || s.JoulesPerText != nil)
}
