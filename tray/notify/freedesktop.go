//go:build unix

package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/godbus/dbus/v5"

	"dragoman/tray/bus"
)

// Names of the Desktop Notifications Specification.
const (
	service   = "org.freedesktop.Notifications"
	path      = "/org/freedesktop/Notifications"
	theBus    = "org.freedesktop.DBus"
	byService = -1 // the service decides how long a note is shown
)

// patience is how long a notification service may take to answer.
const patience = 2 * time.Second

// Notifier shows notes. Its methods may be called from several goroutines.
type Notifier struct {
	options Options
	events  chan Event

	mu   sync.Mutex
	conn *dbus.Conn
	keys map[uint32]string // of the notes that are shown
}

// Open returns a Notifier. It connects to the session bus with the first note,
// and anew after the bus was lost.
func Open(o Options) *Notifier {
	return &Notifier{options: o, events: make(chan Event, clicks), keys: map[uint32]string{}}
}

// Events are the person's clicks. One that nobody takes is dropped when more
// than a few wait.
func (n *Notifier) Events() <-chan Event { return n.events }

// Show shows a note, or replaces the one of the same key. The error is
// ErrNoService where nothing shows notes, or says what the bus did.
func (n *Notifier) Show(ctx context.Context, note Note) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n.mu.Lock()
	defer n.mu.Unlock()
	if err := n.connect(); err != nil {
		return err
	}
	able, err := n.capabilities(ctx)
	if err != nil {
		return err
	}
	id, shown := n.shown(note.Key)
	if !shown {
		id = 0
	}
	call := n.object().CallWithContext(ctx, service+".Notify", 0, n.options.App, id, n.options.Icon,
		clean(note.Title), body(note.Body, able), actions(note.Actions, able), n.hints(note), int32(byService))
	if err := call.Store(&id); err != nil {
		return n.explain("show a notification", err)
	}
	n.keys[id] = note.Key
	return nil
}

// Withdraw takes a note away, if it is still shown.
func (n *Notifier) Withdraw(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	n.mu.Lock()
	defer n.mu.Unlock()
	id, shown := n.shown(key)
	if !shown || n.conn == nil {
		return nil
	}
	delete(n.keys, id)
	if err := n.object().CallWithContext(ctx, service+".CloseNotification", 0, id).Err; err != nil {
		return n.explain("take a notification away", err)
	}
	return nil
}

// Close takes all notes away, since their buttons no longer do anything, and
// ends the connection.
func (n *Notifier) Close() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.conn == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for id := range n.keys {
		if n.object().CallWithContext(ctx, service+".CloseNotification", 0, id).Err != nil {
			break
		}
	}
	clear(n.keys)
	_ = n.conn.Close()
	n.conn = nil
}

// Leave ends the connection and leaves the notes where they are, for a program
// that ends and does not want to hear of clicks.
func (n *Notifier) Leave() {
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.keys)
	if n.conn != nil {
		_ = n.conn.Close()
		n.conn = nil
	}
}

func (n *Notifier) object() dbus.BusObject { return n.conn.Object(service, path) }

func (n *Notifier) shown(key string) (uint32, bool) {
	for id, k := range n.keys {
		if k == key {
			return id, true
		}
	}
	return 0, false
}

// connect makes a connection if there is none.
func (n *Notifier) connect() error {
	if n.conn != nil && n.conn.Connected() {
		return nil
	}
	n.conn = nil
	clear(n.keys) // the service that knew them is gone with the bus
	conn, err := bus.Connect(patience)
	if err != nil {
		return err
	}
	signals := make(chan *dbus.Signal, clicks)
	conn.Signal(signals)
	for _, match := range [][]dbus.MatchOption{
		{dbus.WithMatchSender(service), dbus.WithMatchObjectPath(path), dbus.WithMatchInterface(service)},
		{dbus.WithMatchSender(theBus), dbus.WithMatchInterface(theBus), dbus.WithMatchMember("NameOwnerChanged"), dbus.WithMatchArg(0, service)},
	} {
		if err := conn.AddMatchSignal(match...); err != nil {
			_ = conn.Close()
			return fmt.Errorf("ask for the signals of the notification service: %w", err)
		}
	}
	n.conn = conn
	go n.listen(signals)
	return nil
}

// listen takes the service's signals until the connection ends.
func (n *Notifier) listen(signals <-chan *dbus.Signal) {
	for s := range signals {
		if s.Name == theBus+".NameOwnerChanged" {
			n.ended(s)
			continue
		}
		if len(s.Body) != 2 {
			continue
		}
		id, ok := s.Body[0].(uint32)
		if !ok {
			continue
		}
		switch s.Name {
		case service + ".NotificationClosed":
			n.mu.Lock()
			delete(n.keys, id)
			n.mu.Unlock()
		case service + ".ActionInvoked":
			n.mu.Lock()
			key, ours := n.keys[id]
			n.mu.Unlock()
			if action, ok := s.Body[1].(string); ok && ours {
				select {
				case n.events <- Event{Key: key, Action: action}:
				default: // nobody takes them: a click that comes late is worse than none
				}
			}
		}
	}
}

// ended forgets the notes of a service that has gone: the next one gives their
// numbers to notes of others.
func (n *Notifier) ended(s *dbus.Signal) {
	var name, before, now string
	if dbus.Store(s.Body, &name, &before, &now) != nil || before == "" {
		return // it has come
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	clear(n.keys)
}

func (n *Notifier) capabilities(ctx context.Context) ([]string, error) {
	var able []string
	if err := n.object().CallWithContext(ctx, service+".GetCapabilities", 0).Store(&able); err != nil {
		return nil, n.explain("ask what the notification service can do", err)
	}
	return able, nil
}

func (n *Notifier) hints(note Note) map[string]dbus.Variant {
	hints := map[string]dbus.Variant{"urgency": dbus.MakeVariant(byte(1))} // normal
	if n.options.Desktop != "" {
		hints["desktop-entry"] = dbus.MakeVariant(n.options.Desktop)
	}
	if note.Private {
		// "transient" keeps it out of the list of old messages; the scope is
		// GNOME's: details stay hidden while the screen is locked.
		hints["transient"] = dbus.MakeVariant(true)
		hints["x-gnome-privacy-scope"] = dbus.MakeVariant("user")
	}
	return hints
}

// body escapes what a service with markup would take for it.
func body(text string, able []string) string {
	text = clean(text)
	if slices.Contains(able, "body-markup") {
		text = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(text)
	}
	return text
}

// actions are pairs of key and label; a service without buttons gets none,
// since some then show a dialog that wants an answer.
func actions(buttons []Action, able []string) []string {
	pairs := []string{}
	if slices.Contains(able, "actions") {
		for _, b := range buttons {
			pairs = append(pairs, b.ID, clean(b.Label))
		}
	}
	return pairs
}

func (n *Notifier) explain(attempt string, err error) error {
	var failure dbus.Error
	if errors.As(err, &failure) && (failure.Name == "org.freedesktop.DBus.Error.ServiceUnknown" ||
		strings.HasPrefix(failure.Name, "org.freedesktop.DBus.Error.Spawn.")) {
		return ErrNoService
	}
	return fmt.Errorf("%s: %w", attempt, err)
}
