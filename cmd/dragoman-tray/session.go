package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"dragoman/daemon/logs"
)

var errRunning = errors.New("dragoman-tray already runs in this session: its icon is in the tray")

// takeSession makes this process the session's only tray until release.
func takeSession(stateDir string) (release func(), err error) {
	if err := os.MkdirAll(stateDir, 0o700); err != nil {
		return nil, fmt.Errorf("make the state folder: %w", err)
	}
	lock := flock.New(filepath.Join(stateDir, "tray-"+session()+".lock"), flock.SetPermissions(0o600))
	taken, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the session: %w", err)
	}
	if !taken {
		return nil, errRunning
	}
	return func() { _ = lock.Unlock() }, nil
}

func openLogs(stateDir string) (*logs.Log, error) {
	return logs.Open(logs.Options{StateDir: stateDir, File: filepath.Join(stateDir, "log", "dragoman-tray.log")})
}

// gnomeExtension shows tray icons in GNOME, which by itself shows none.
const gnomeExtension = "AppIndicator and KStatusNotifierItem Support"

// isGNOME reads XDG_CURRENT_DESKTOP, a list with colons.
func isGNOME(desktops string) bool {
	for d := range strings.SplitSeq(desktops, ":") {
		if strings.EqualFold(d, "GNOME") {
			return true
		}
	}
	return false
}
