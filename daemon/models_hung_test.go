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
	for name, overtake := range map[string]func(*models){
		"by other settings": func(m *models) { m.load(m.settings) },
		"by the end":        func(m *models) { require.NoError(t, m.close()) },
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
				overtake(m)
				require.ErrorIs(t, <-waiting, errNoModel)
				require.LessOrEqual(t, time.Since(begun), longestLoad)
			})
		})
	}
}
