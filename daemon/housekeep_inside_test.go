package daemon

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/config"
)

// A file that is about to be written is empty, and for a moment still has the time
// of the version before.
func TestSettingsThatAreBeingWrittenAreNotRead(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	d := &Daemon{opts: Options{Paths: config.Paths{ConfigFile: file}}, settingsChanged: make(chan struct{}, 1)}
	old := time.Now().Add(-time.Minute)
	write := func(text string) {
		t.Helper()
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(file, old, old))
	}
	write("[history]\nenabled = false\n")
	d.noteSettings()
	d.lookAtSettings()
	d.lookAtSettings()
	require.Empty(t, d.settingsChanged, "nothing has changed")
	write("")
	d.lookAtSettings()
	require.Empty(t, d.settingsChanged)
	write("[history]\nenabled = true\n")
	d.lookAtSettings()
	require.Empty(t, d.settingsChanged)
	d.lookAtSettings()
	require.Len(t, d.settingsChanged, 1, "it stays like that")
}
