package store

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPausesAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := openAt(t, path)
	check := func(paused bool, until time.Time) {
		t.Helper()
		gotPaused, gotUntil, err := s.KeptPause(t.Context())
		require.NoError(t, err)
		require.Equal(t, paused, gotPaused)
		require.Equal(t, until, gotUntil)
	}
	check(false, time.Time{})
	later := time.Date(2026, 11, 28, 9, 0, 0, 7, time.UTC)
	for _, want := range []struct {
		paused bool
		until  time.Time
	}{{true, time.Time{}}, {true, later}, {false, time.Time{}}} {
		require.NoError(t, s.KeepPause(t.Context(), want.paused, want.until))
		check(want.paused, want.until)
		require.NoError(t, s.Close())
		s = openAt(t, path)
		check(want.paused, want.until)
	}
}
