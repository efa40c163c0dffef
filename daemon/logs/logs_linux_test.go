package logs

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJournalIsRecognised(t *testing.T) {
	for _, test := range []struct{ name, file string }{
		{"alone", ""},
		{"and a file that is named", filepath.Join(t.TempDir(), "mine.log")},
	} {
		t.Run(test.name, func(t *testing.T) {
			stderr, state := plain(t), t.TempDir()
			info, err := stderr.Stat()
			require.NoError(t, err)
			stat := info.Sys().(*syscall.Stat_t)
			t.Setenv("JOURNAL_STREAM", fmt.Sprintf("%d:%d", stat.Dev, stat.Ino))
			log, err := Open(Options{StateDir: state, File: test.file, Stderr: stderr})
			require.NoError(t, err)
			log.Logger.Info("ready")
			require.NoError(t, log.Close())
			require.Equal(t, "<6>ready\n", read(t, stderr.Name()))
			require.NoFileExists(t, File(state), "the journal is enough")
			if test.file != "" {
				require.Contains(t, read(t, test.file), "ready")
			}
		})
	}
}

// A program started by a service inherits the variable but not the stream.
func TestJournalOfAnotherStreamIsNot(t *testing.T) {
	t.Setenv("JOURNAL_STREAM", "1:1")
	state := t.TempDir()
	log, err := Open(Options{StateDir: state, Stderr: plain(t)})
	require.NoError(t, err)
	log.Logger.Info("ready")
	require.NoError(t, log.Close())
	info, err := os.Stat(File(state))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
}
