package daemon

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/config"
	"dragoman/daemon/queue"
	"dragoman/daemon/store"
	"dragoman/inference"
	"dragoman/inference/power"
)

// pausing is a daemon of which only the pause works.
func pausing(t *testing.T, path string) *Daemon {
	t.Helper()
	s, err := store.Open(t.Context(), path, store.Options{})
	require.NoError(t, err)
	d := &Daemon{store: s, events: newEvents(s.NextRevision), supply: newSupply(power.Sysfs(t.TempDir()))}
	d.current.Store(&config.Settings{Config: config.Default()})
	d.queue = queue.New[inference.Progress, translation](queue.Options{MaxInteractive: 1, MaxBatch: 1, InteractiveWorkers: 1, BatchWorkers: 1, NextID: d.nextText, Changed: func() {}})
	require.NoError(t, d.restorePause(t.Context()))
	t.Cleanup(func() {
		d.pauses.mu.Lock()
		defer d.pauses.mu.Unlock()
		if d.pauses.timer != nil {
			d.pauses.timer.Stop()
		}
	})
	return d
}

func TestPausesOutliveARestart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	d := pausing(t, path)
	restart := func() (paused bool, until time.Time) {
		t.Helper()
		require.NoError(t, d.store.Close())
		d = pausing(t, path)
		return d.pauses.now()
	}
	d.pause(0)
	paused, until := restart()
	require.True(t, paused)
	require.Zero(t, until)

	d.pause(time.Hour)
	_, before := d.pauses.now()
	paused, until = restart()
	require.True(t, paused)
	require.True(t, until.Equal(before))

	require.NoError(t, d.store.KeepPause(t.Context(), true, time.Now().Add(10*longestPause)))
	paused, until = restart()
	require.True(t, paused)
	require.WithinDuration(t, time.Now().Add(longestPause), until, time.Hour, "a clock that was wrong")

	require.NoError(t, d.store.KeepPause(t.Context(), true, time.Now().Add(-time.Second)))
	paused, _ = restart()
	require.False(t, paused, "over meanwhile")

	d.pause(0)
	d.resume()
	paused, _ = restart()
	require.False(t, paused)
	require.NoError(t, d.store.Close())
}

// TestAnEarlierTimerEndsNoLaterPause lets the timer of a pause come when another
// has begun.
func TestAnEarlierTimerEndsNoLaterPause(t *testing.T) {
	d := pausing(t, filepath.Join(t.TempDir(), "state.db"))
	defer d.store.Close()
	d.pause(time.Hour)
	earlier := d.pauses.turn
	d.pause(0)
	d.resumeIf(earlier)
	paused, _ := d.pauses.now()
	require.True(t, paused)
	d.resumeIf(d.pauses.turn)
	paused, _ = d.pauses.now()
	require.False(t, paused)
	for range 200 {
		d.pause(time.Nanosecond) // ends while the next one begins
		d.setPause(true, time.Time{})
		paused, until := d.pauses.now()
		require.True(t, paused)
		require.Zero(t, until)
	}
	d.keepPause()
	paused, _, err := d.store.KeptPause(t.Context())
	require.NoError(t, err)
	require.True(t, paused)
}

func TestAPauseThatCouldNotBeKeptIsKeptLater(t *testing.T) {
	d := pausing(t, filepath.Join(t.TempDir(), "state.db"))
	whole := d.store
	d.store = closedStore(t)
	d.pause(0)
	paused, _ := d.pauses.now()
	require.True(t, paused, "works all the same")
	d.store = whole
	defer whole.Close()
	d.lookAtPause()
	paused, _, err := whole.KeptPause(t.Context())
	require.NoError(t, err)
	require.True(t, paused)
}

func TestAPauseEndsByTheClockOnTheWall(t *testing.T) {
	d := pausing(t, filepath.Join(t.TempDir(), "state.db"))
	defer d.store.Close()
	d.pause(time.Hour)
	d.lookAtPause()
	paused, _ := d.pauses.now()
	require.True(t, paused)
	d.pauses.until = time.Now().Add(-time.Second) // as after a sleep
	d.lookAtPause()
	paused, _ = d.pauses.now()
	require.False(t, paused)
}

func closedStore(t *testing.T) *store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), filepath.Join(t.TempDir(), "state.db"), store.Options{})
	require.NoError(t, err)
	require.NoError(t, s.Close())
	return s
}
