//go:build long && linux

package main

import (
	"os/exec"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// TestBesideAClipboardManager has real ones take over what is copied, and what we
// write: each copy is one job, and double copies still work.
func TestBesideAClipboardManager(t *testing.T) {
	for _, manager := range [][]string{
		{"xfce4-clipman", "xfce4-clipman"},
		{"parcellite", "parcellite", "--no-icon"},
		{"autocutsel", "autocutsel", "-selection", "CLIPBOARD"},
	} {
		t.Run(manager[1], func(t *testing.T) {
			program := desktest.Need(t, manager[1], manager[0])
			s := newSeat(t, "clipboard.watch = \"every\"\nclipboard.replace = true\nclipboard.two_way = true\nclipboard.other = \"de\"\nclipboard.window = \"3s\"\n")
			cmd := exec.Command(program, manager[2:]...)
			cmd.Dir = s.dir
			for _, name := range []string{"HOME", "PATH", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"} {
				cmd.Env = append(cmd.Env, name+"="+s.env[name])
			}
			require.NoError(t, cmd.Start())
			t.Cleanup(func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			})
			s.service()
			_, icon := s.tray("Ready")
			time.Sleep(2 * time.Second) // it has no sign of being ready
			editor := s.application()
			editor.copy(ferry)
			entry, _ := s.translation(ferry)
			s.eventually("it replaces the clipboard", func() bool { return s.paste() == entry.Target })
			time.Sleep(3 * time.Second) // it may copy again what it has seen

			icon.Choose(t, "When a text is copied twice")
			s.eventually("it waits for double copies", func() bool {
				_, double := desktest.Find(icon.Menu(t), "Watch the clipboard: on double copy")
				return double
			})
			editor.copy(last)
			time.Sleep(time.Second)
			editor.copy(last)
			s.translation(last)
			time.Sleep(3 * time.Second)
			require.Equal(t, []string{ferry, last}, sources(s.texts()))
			require.NoError(t, cmd.Process.Signal(syscall.Signal(0)), "the manager has ended")
		})
	}
}
