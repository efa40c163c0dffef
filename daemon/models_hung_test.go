package daemon

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/config"
)

// A model that cannot be loaded to the end, as from a network's file system that
// hangs, holds nobody when other settings name another.
func TestAModelThatHangsIsOvertaken(t *testing.T) {
	for name, test := range map[string]struct {
		overtake func(*models)
		after    time.Duration // who waits for a model is told
	}{
		"by other settings": {func(m *models) { m.load(m.settings) }, longestLoad},
		"by the end":        {func(m *models) { require.NoError(t, m.close()) }, 0},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				m := &models{one: make(chan struct{}, 1), changed: func() {}}
				m.settings.Inference.Model = filepath.Join(dir, "no model here")
				m.one <- struct{}{} // and never comes back
				m.loading = &loading{settings: config.Default(), cancel: func() {}, done: make(chan struct{})}
				waiting := make(chan error, 1)
				begun := time.Now()
				go func() {
					_, _, err := m.acquire(t.Context())
					waiting <- err
				}()
				synctest.Wait()
				test.overtake(m)
				require.ErrorIs(t, <-waiting, errNoModel)
				require.Equal(t, test.after, time.Since(begun), "one is loaded beside another only where that hangs")
			})
		})
	}
}
