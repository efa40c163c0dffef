package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"dragoman/tray/desktop"
	"dragoman/tray/message"
)

// hotkeyPause is between attempts to get the keys back from a desktop that took
// them away, as one does whose portal is started again.
const hotkeyPause = time.Minute

// hotkey is the listening to the keys of the settings.
type hotkey struct {
	keys  string // "" for none
	stop  context.CancelFunc
	ended chan struct{} // closed when nobody listens any more
}

// listenToKeys begins to listen where the settings name other keys than before.
func (a *Agent) listenToKeys(ctx context.Context) {
	keys, listen := a.settings.now().Tray.Hotkey, a.opts.Desktop.ListenHotkey
	if keys == a.hotkey.keys || listen == nil {
		return
	}
	before := a.hotkey
	if a.hotkey = (hotkey{keys: keys}); before.stop != nil {
		before.stop()
	}
	if keys == "" {
		a.hotkey.ended = before.ended
		return
	}
	session := ctx // what a press has begun goes on when the keys change
	ctx, a.hotkey.stop = context.WithCancel(ctx)
	ended, does := make(chan struct{}), a.texts.Say(message.HotkeyDoes)
	a.hotkey.ended = ended
	a.work.Go(func() {
		defer close(ended)
		if before.ended != nil {
			<-before.ended // two of ours must not compete for the keys
		}
		for ctx.Err() == nil {
			err := listen(ctx, keys, does, func() { a.TranslateNow(session) })
			if ctx.Err() != nil {
				return
			}
			slog.Warn("Nobody listens to the keys", "keys", keys, "err", err)
			if a.tellHotkey(ctx, keys, err) {
				return
			}
			select {
			case <-time.After(hotkeyPause):
			case <-ctx.Done():
			}
		}
	})
}

// tellHotkey tells the person, and returns true, where it is for them to do
// something. It runs beside Run's goroutine.
func (a *Agent) tellHotkey(ctx context.Context, keys string, err error) bool {
	_, wrong := desktop.ParseHotkey(keys)
	switch {
	case errors.Is(err, desktop.ErrHotkeyTaken):
		a.Tell(ctx, message.NoteHotkey, "Key", keys)
	case wrong != nil, errors.Is(err, desktop.ErrHotkeyUnsupported):
		a.do(ctx, func() { a.tell(ctx, "hotkey", err.Error()) })
	default:
		return false
	}
	return true
}
