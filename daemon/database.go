package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// Keys of notices about the database.
const (
	aboutDatabase = "database" // it cannot be mended
	aboutDisk     = "disk"     // of the database is full
)

// keepStore mends the database where that is needed, and tells of its disk.
func (d *Daemon) keepStore(ctx context.Context) {
	m, err := d.store.Mend(ctx, d.knownFolders)
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		d.say(aboutDatabase, api.Notice{Level: "error", Message: "The database cannot be mended, which is tried again: " + err.Error()})
	default:
		d.withdraw(aboutDatabase)
	}
	if m.Message != "" {
		d.notify(api.Notice{Time: time.Now(), Level: "warning", Message: m.Message})
	}
	if m.Begun {
		d.pauses.forget()
		d.takeUpFolders()
	}
	if d.store.HasRoom(ctx) {
		d.withdraw(aboutDisk)
		return
	}
	d.sayDisk()
}

func (d *Daemon) sayDisk() {
	d.say(aboutDisk, api.Notice{Level: "error", Message: fmt.Sprintf(
		"The disk is full: make room on it, for the database %s. Until then texts are neither kept nor remembered, and files wait; nothing that was accepted is lost",
		d.opts.Paths.StateFile())})
}

// sayOfFolder tells what a folder suffers from, unless that is the disk of the
// database: it is told once for all.
func (d *Daemon) sayOfFolder(key string, n api.Notice) {
	if d.store.Full() && strings.Contains(n.Message, store.ErrFull.Error()) && strings.Contains(n.Message, d.opts.Paths.StateFile()) {
		d.withdraw(key)
		d.sayDisk()
		return
	}
	d.say(key, n)
}

// knownFolders are the drop folders as the database should have them.
func (d *Daemon) knownFolders() (known []store.Folder) {
	d.folderChanges.Lock()
	defer d.folderChanges.Unlock()
	for _, f := range d.folders.Folders() {
		settings, err := json.Marshal(f.Settings)
		if err != nil {
			slog.Error("Settings of a folder cannot be written as JSON", "folder", f.ID, "err", err)
			continue
		}
		known = append(known, store.Folder{ID: f.ID, Path: f.Settings.Path, Settings: settings})
	}
	return known
}

// takeUpFolders begins work on all folders anew: what was in work has rows that
// may be gone.
func (d *Daemon) takeUpFolders() {
	d.folderChanges.Lock()
	defer d.folderChanges.Unlock()
	for _, f := range d.folders.Folders() {
		if err := d.folders.Update(f.ID, f.Settings); err != nil {
			slog.Error("Folder could not be taken up again", "folder", f.ID, "err", err)
		}
	}
}
