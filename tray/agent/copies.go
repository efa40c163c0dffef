package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dragoman/tray"
	"dragoman/tray/message"
	"dragoman/watch/clip"
	"dragoman/watch/clip/selection"
)

// ClipCommand translates what is on the clipboard without being asked twice.
const ClipCommand = "dragoman clip"

// takeClipboard begins to use a clipboard, or says why there is none.
func (a *Agent) takeClipboard(_ context.Context, c *clip.Clipboard, err error) {
	a.clipboard, a.impossible = c, ""
	if err != nil {
		slog.Info("Copies cannot be watched", "err", err)
		a.impossible = why(err)
	}
}

// why names the reason for the menu.
func why(err error) tray.Why {
	switch {
	case errors.Is(err, clip.ErrNoDisplay):
		return tray.ClipNoDisplay
	case errors.Is(err, clip.ErrNoProtocol):
		return tray.ClipNoProtocol
	}
	return tray.Why(err.Error())
}

// copied decides what becomes of a copy. What is not translated is passed over
// in silence, except a text that the person may be waiting for.
func (a *Agent) copied(ctx context.Context, c clip.Copy) {
	a.refresh(ctx)
	a.copies++
	reason := a.judge.Judge(c)
	switch {
	case reason == clip.Accepted:
		a.enqueue(ctx, task{text: c.Text, copies: a.copies})
		return
	case reason == clip.Disconnected:
		a.impossible = tray.ClipLost
	case reason == clip.Reconnected:
		a.impossible = ""
	case reason == clip.TooLong && a.meant(c):
		a.tell(ctx, "long", a.texts.Count(message.NoteTooLong, int64(c.Size), "Command", ClipCommand))
	}
	slog.Debug("A copy is not translated", "reason", reason.String(), "bytes", c.Size)
}

// meant says whether a copy of which no text is known was one that the person
// wants translated.
func (a *Agent) meant(c clip.Copy) bool {
	s := a.settings.now().Clipboard
	since := c.Time.Sub(a.longAt)
	a.longAt = c.Time
	switch tray.ClipMode(s.Watch) {
	case tray.ClipEvery:
		return true
	case tray.ClipDouble:
		return since >= clip.DefaultGap && since <= s.Window
	}
	return false
}

// readPatience is how long the owner of the clipboard may take.
const readPatience = 5 * time.Second

// translateNow reads the clipboard and translates it.
func (a *Agent) translateNow(ctx context.Context) {
	c := a.clipboard
	if c == nil {
		a.tell(ctx, "now", a.texts.Say(message.NoteFailed))
		return
	}
	copies := a.copies
	a.aside(ctx, func() func() {
		limited, cancel := context.WithTimeout(ctx, readPatience)
		defer cancel()
		got, err := c.Read(limited, selection.Clipboard)
		switch {
		case err != nil:
			slog.Warn("The clipboard cannot be read", "err", err)
		case got.Skip == clip.TooLong:
			return func() {
				a.tell(ctx, "long", a.texts.Count(message.NoteTooLong, int64(got.Size), "Command", ClipCommand))
			}
		case got.Skip != clip.Accepted:
			slog.Debug("The clipboard is not translated", "reason", got.Skip.String())
		default:
			return func() { a.enqueue(ctx, task{text: got.Text, copies: copies, asked: true}) }
		}
		return func() { a.tell(ctx, "now", a.texts.Say(message.NoteNothing)) }
	})
}
