package daemon

import (
	"context"
	"log/slog"
	"slices"
	"sync"

	"dragoman/daemon/api"
)

// noticesKept is how many notices the snapshot has.
const noticesKept = 20

// notices are what the user should know, newest first. The same words again
// only move to the front.
type notices struct {
	mu   sync.Mutex
	list []api.Notice
}

func (n *notices) add(notice api.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = slices.DeleteFunc(n.list, func(known api.Notice) bool { return known.Message == notice.Message })
	n.list = slices.Insert(n.list, 0, notice)
	n.list = n.list[:min(len(n.list), noticesKept)]
}

func (n *notices) now() []api.Notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	return append([]api.Notice{}, n.list...)
}

// notify tells the log, the clients and later ones.
func (d *Daemon) notify(n api.Notice) {
	level := slog.LevelInfo
	switch n.Level {
	case "warning":
		level = slog.LevelWarn
	case "error":
		level = slog.LevelError
	}
	slog.Log(context.Background(), level, "User is told", "message", n.Message)
	d.notices.add(n)
	d.events.add(api.Event{Notice: &n})
}
