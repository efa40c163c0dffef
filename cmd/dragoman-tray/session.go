package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/gofrs/flock"

	"dragoman/daemon/logs"
)

var errRunning = errors.New("dragoman-tray already runs in this session: its icon is in the tray")

// takeSession makes this process the session's only tray until release, by a lock
// in each of the folders that can be written. unkept is the first of them if it
// cannot be, "" if it can. Where none can be, nothing keeps a second tray away.
func takeSession(folders ...string) (release func(), unkept string, err error) {
	var locks []*flock.Flock
	release = func() {
		for _, l := range locks {
			_ = l.Unlock()
		}
	}
	for i, folder := range folders {
		lock, err := lockSession(folder)
		switch {
		case errors.Is(err, errRunning):
			release()
			return nil, "", err
		case err == nil:
			locks = append(locks, lock)
			continue
		case i == 0:
			unkept = folder
		}
		slog.Warn("The session is not locked by this folder", "err", err)
	}
	return release, unkept, nil
}

func lockSession(folder string) (*flock.Flock, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	lock := flock.New(filepath.Join(folder, "tray-"+session()+".lock"), flock.SetPermissions(0o600))
	taken, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock the session: %w", err)
	}
	if !taken {
		return nil, errRunning
	}
	return lock, nil
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
