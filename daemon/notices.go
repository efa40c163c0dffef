package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"dragoman/daemon/api"
)

// noticesShown is how many notices the snapshot has. Of what goes on more are kept,
// which show again when others are over; each file may have one.
const (
	noticesShown = 20
	noticesKept  = 1000
)

// notices are what the user should know, newest first.
//
// One with a key is about something that goes on: it stands for as long as that
// lasts, whatever else happens, and there is one a key. One without tells what
// has happened; the same words again only move to the front.
type notices struct {
	mu   sync.Mutex
	list []keyedNotice
}

type keyedNotice struct {
	key string // "" without
	api.Notice
}

// add takes a notice without a key.
func (n *notices) add(notice api.Notice) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = slices.DeleteFunc(n.list, func(known keyedNotice) bool { return known.key == "" && known.Message == notice.Message })
	n.insert(keyedNotice{"", notice})
}

// say takes the notice of a key and says whether it is news. The same again is
// none: it has the time from which on it is so.
func (n *notices) say(key string, notice api.Notice) (news bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := n.find(key)
	if at >= 0 && n.list[at].Level == notice.Level && n.list[at].Message == notice.Message {
		return false
	}
	if at >= 0 {
		n.list = slices.Delete(n.list, at, at+1)
	}
	n.insert(keyedNotice{key, notice})
	return true
}

// withdraw takes the notice of a key back and says whether there was one.
func (n *notices) withdraw(key string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := n.find(key)
	if at < 0 {
		return false
	}
	n.list = slices.Delete(n.list, at, at+1)
	return true
}

// find needs the lock, as insert does.
func (n *notices) find(key string) int {
	return slices.IndexFunc(n.list, func(known keyedNotice) bool { return known.key == key })
}

// insert lets the oldest go where there are too many: of those that only tell what
// has happened, where there are such.
func (n *notices) insert(notice keyedNotice) {
	n.list = slices.Insert(n.list, 0, notice)
	if len(n.list) <= noticesShown {
		return
	}
	for i := len(n.list) - 1; i > 0; i-- {
		if n.list[i].key == "" {
			n.list = slices.Delete(n.list, i, i+1)
			return
		}
	}
	n.list = n.list[:min(len(n.list), noticesKept)]
}

// now are the newest notices. Where some are left out the last one says so.
func (n *notices) now() []api.Notice {
	n.mu.Lock()
	defer n.mu.Unlock()
	list := make([]api.Notice, 0, noticesShown)
	for i, known := range n.list {
		if left := len(n.list) - i; i == noticesShown-1 && left > 1 {
			return append(list, api.Notice{Time: known.Time, Level: "warning", Message: fmt.Sprintf(
				"%d older notices are still true and not shown here: see `dragoman folders list` and `dragoman service logs`", left)})
		}
		list = append(list, known.Notice)
	}
	return list
}

// notify tells the log, the clients and later ones what has happened.
func (d *Daemon) notify(n api.Notice) {
	d.notices.add(n)
	d.tell(n)
}

// say tells of something that goes on, until withdraw: of each key the last
// words stand in the status. The same words again tell nobody anew.
func (d *Daemon) say(key string, n api.Notice) {
	if n.Time.IsZero() {
		n.Time = time.Now()
	}
	if d.notices.say(key, n) {
		d.tell(n)
	}
}

// withdraw takes back what was said of a key: it is over. Without anything said
// it does nothing.
func (d *Daemon) withdraw(key string) {
	if d.notices.withdraw(key) {
		d.events.changed()
	}
}

// tell tells the log and the clients.
func (d *Daemon) tell(n api.Notice) {
	level := slog.LevelInfo
	switch n.Level {
	case "warning":
		level = slog.LevelWarn
	case "error":
		level = slog.LevelError
	}
	slog.Log(context.Background(), level, "User is told", "message", n.Message)
	d.events.add(api.Event{Notice: &n})
}
