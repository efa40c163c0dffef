package logs

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestStyles(t *testing.T) {
	at := time.Date(2026, 2, 3, 4, 5, 6, 7e6, time.UTC)
	for _, test := range []struct {
		name  string
		style style
		level slog.Level
		text  string
		want  string
	}{
		{"journal", journalLine, slog.LevelInfo, "ready", "<6>ready\n"},
		{"journal warning", journalLine, slog.LevelWarn, "odd", "<4>odd\n"},
		{"journal error", journalLine, slog.LevelError, "bad", "<3>bad\n"},
		{"journal debug", journalLine, slog.LevelDebug, "x", "<7>x\n"},
		{"journal with lines", journalLine, slog.LevelError, "one\ntwo\n", "<3>one\n<3>two\n"},
		{"file", fileLine, slog.LevelWarn, "odd", "2026-02-03T04:05:06.007Z WARN  odd\n"},
		{"event", eventLine, slog.LevelError, "bad", "3bad"},
		{"terminal", terminalLine, slog.LevelInfo, "ready", at.Local().Format("15:04:05") + " INFO  ready\n"},
	} {
		t.Run(test.name, func(t *testing.T) {
			require.Equal(t, test.want, test.style(at, test.level, test.text))
		})
	}
}

func TestAttributes(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(newHandler(&out, slog.LevelInfo, journalLine))
	log.Info("plain")
	log.With("folder", "/a b").WithGroup("queue").Warn("waits", "files", 3, "msg", "no line\nof its own")
	log.Debug("too detailed")
	require.Equal(t, "<6>plain\n<4>waits folder=\"/a b\" queue.files=3 queue.msg=\"no line\\nof its own\"\n", out.String())
}

func TestManyWriters(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(newHandler(&out, slog.LevelInfo, journalLine))
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			mine := log.With("writer", i)
			for j := range 50 {
				mine.Info("line", "n", j)
			}
		})
	}
	wait.Wait()
	written := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, written, 400)
	for _, line := range written {
		require.Regexp(t, `^<6>line writer=\d n=\d+$`, line)
	}
}

// plain is a file, which is neither a journal nor a terminal.
func plain(t *testing.T) *os.File {
	t.Helper()
	f, err := os.Create(filepath.Join(t.TempDir(), "stderr"))
	require.NoError(t, err)
	t.Cleanup(func() { f.Close() })
	return f
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text)
}

// A container shows what is on stderr; the file is for `dragoman service logs`.
func TestForegroundLogsToStderrAndAFile(t *testing.T) {
	stderr, state := plain(t), t.TempDir()
	log, err := Open(Options{StateDir: state, Stderr: stderr})
	require.NoError(t, err)
	defer log.Close()
	require.Equal(t, "stderr and "+File(state), log.Place)
	log.Logger.Info("ready", "port", 1)
	log.Logger.Error("bad")
	log.Logger.Debug("too detailed")
	log.Level.Set(slog.LevelDebug)
	log.Logger.Debug("now wanted")
	require.NoError(t, log.Close())

	text := read(t, stderr.Name())
	require.Equal(t, text, read(t, File(state)))
	written := strings.Split(strings.TrimSpace(text), "\n")
	require.Len(t, written, 3)
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\S+ INFO  ready port=1$`, written[0])
	require.Regexp(t, ` ERROR bad$`, written[1])
	require.Regexp(t, ` DEBUG now wanted$`, written[2])
}

// What reads stderr may be gone.
func TestFileIsWrittenWithoutStderr(t *testing.T) {
	stderr, state := plain(t), t.TempDir()
	log, err := Open(Options{StateDir: state, Stderr: stderr})
	require.NoError(t, err)
	require.NoError(t, stderr.Close())
	log.Logger.Info("ready")
	require.NoError(t, log.Close())
	require.Contains(t, read(t, File(state)), "ready")
}

func TestLogGoesOnWithoutAFile(t *testing.T) {
	state, stderr := filepath.Join(t.TempDir(), "file"), plain(t)
	require.NoError(t, os.WriteFile(state, nil, 0o600))
	log, err := Open(Options{StateDir: state, Stderr: stderr})
	require.ErrorContains(t, err, "folder of the log")
	log.Logger.Error("still here")
	require.Contains(t, read(t, stderr.Name()), "still here")
}

func TestNamedFile(t *testing.T) {
	state, file := t.TempDir(), filepath.Join(t.TempDir(), "logs", "mine.log")
	log, err := Open(Options{StateDir: state, File: file, Stderr: plain(t)})
	require.NoError(t, err)
	require.Equal(t, "stderr and "+file, log.Place)
	log.Logger.Info("ready")
	require.NoError(t, log.Close())
	require.Contains(t, read(t, file), "ready")
	require.NoFileExists(t, File(state))
}

func TestFileStaysSmall(t *testing.T) {
	state := t.TempDir()
	log, err := Open(Options{StateDir: state, Stderr: plain(t)})
	require.NoError(t, err)
	line := strings.Repeat("x", 1<<20)
	for range 6*fileMB + 2 {
		log.Logger.Info(line)
	}
	require.NoError(t, log.Close())
	require.EventuallyWithT(t, func(c *assert.CollectT) { // old files are removed in the background
		entries, err := os.ReadDir(filepath.Dir(File(state)))
		require.NoError(c, err)
		require.Len(c, entries, 1+oldFiles)
		for _, e := range entries {
			info, err := e.Info()
			require.NoError(c, err)
			require.LessOrEqual(c, info.Size(), int64(fileMB<<20))
		}
	}, 20*time.Second, 20*time.Millisecond)
}
