//go:build unix

package autostart

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

func newHome(t *testing.T) (config, system string) {
	config, system = t.TempDir(), t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", config)
	t.Setenv("XDG_CONFIG_DIRS", "relative:"+system)
	return config, system
}

func TestEnableAndDisable(t *testing.T) {
	config, _ := newHome(t)
	s, err := Read()
	require.NoError(t, err)
	require.Equal(t, Status{}, s)
	require.NoError(t, Disable(), "what is not there is not an error")

	for range 2 {
		require.NoError(t, Enable("/opt/drago man/dragoman-tray"))
	}
	s, err = Read()
	require.NoError(t, err)
	require.Equal(t, Status{Enabled: true, Program: "/opt/drago man/dragoman-tray"}, s)
	unit, err := os.ReadFile(filepath.Join(config, "systemd/user/graphical-session.target.wants", unitName))
	require.NoError(t, err)
	require.Contains(t, string(unit), "\nExecStart=\"/opt/drago man/dragoman-tray\"\n")

	require.NoError(t, Disable())
	s, err = Read()
	require.NoError(t, err)
	require.Equal(t, Status{}, s)
	left, err := filepath.Glob(filepath.Join(config, "*", "*", "*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestAnEntryForEveryoneIsHiddenForThisUser(t *testing.T) {
	config, system := newHome(t)
	require.NoError(t, os.MkdirAll(filepath.Join(system, "autostart"), 0o755))
	text, err := entryText("/usr/bin/dragoman-tray")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(system, "autostart", entryName), []byte(text), 0o644))
	s, err := Read()
	require.NoError(t, err)
	require.Equal(t, Status{Enabled: true, Program: "/usr/bin/dragoman-tray"}, s)

	require.NoError(t, Disable())
	s, err = Read()
	require.NoError(t, err)
	require.False(t, s.Enabled)
	require.FileExists(t, filepath.Join(config, "autostart", entryName))

	require.NoError(t, Enable("/usr/bin/dragoman-tray"))
	s, err = Read()
	require.NoError(t, err)
	require.True(t, s.Enabled)
}

func TestPathsComeThrough(t *testing.T) {
	for _, path := range []string{`/a b/tray`, `/a"b`, "/a`b$HOME", `/a\b`, `/100%/tray`, `/ü/tray`, `/a\\"x`} {
		text, err := entryText(path)
		require.NoError(t, err)
		_, rest, found := strings.Cut(text, "\nExec=")
		require.True(t, found, path)
		line, _, _ := strings.Cut(rest, "\n")
		require.Equal(t, path, programOf(line), line)
	}
	_, err := entryText("/a=b/tray")
	require.ErrorContains(t, err, "move the program")
	require.Error(t, Enable("tray"))
}

// TestTheSystemTakesThem asks the programs that read such files.
func TestTheSystemTakesThem(t *testing.T) {
	config, _ := newHome(t)
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	program := filepath.Join(t.TempDir(), "with space $x 100%")
	require.NoError(t, os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755))
	require.NoError(t, Enable(program))
	for _, check := range []struct {
		program, debian string
		args            []string
	}{
		{"desktop-file-validate", "desktop-file-utils", []string{filepath.Join(config, "autostart", entryName)}},
		{"systemd-analyze", "systemd", []string{"--user", "verify", filepath.Join(config, "systemd", "user", unitName)}},
	} {
		t.Run(check.program, func(t *testing.T) {
			out, err := exec.Command(desktest.Need(t, check.program, check.debian), check.args...).CombinedOutput()
			require.NoError(t, err, string(out))
			require.NotContains(t, string(out), unitName, "systemd's complaints name the unit")
		})
	}
}
