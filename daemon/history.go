package daemon

import (
	"context"
	"log/slog"
	"time"
	"unicode/utf8"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// historyWriter writes the history behind the answers: a person should not wait
// for the disk.
type historyWriter struct {
	store   *store.Store
	entries chan store.HistoryEntry
}

func newHistoryWriter(s *store.Store) historyWriter {
	return historyWriter{store: s, entries: make(chan store.HistoryEntry, 256)}
}

// add waits only where the disk is slower than the model.
func (h historyWriter) add(ctx context.Context, e store.HistoryEntry) {
	select {
	case h.entries <- e:
	case <-ctx.Done():
	}
}

// run writes until ctx ends, and then what waits.
func (h historyWriter) run(ctx context.Context) error {
	for {
		select {
		case e := <-h.entries:
			h.write(e)
		case <-ctx.Done():
			for {
				select {
				case e := <-h.entries:
					h.write(e)
				default:
					return nil
				}
			}
		}
	}
}

func (h historyWriter) write(e store.HistoryEntry) {
	if _, err := h.store.AddHistory(context.Background(), e); err != nil {
		slog.Warn("Text is not in the history", "chars", utf8.RuneCountInString(e.Source), "err", err)
	}
}

// longestKept is how many characters a text of the history may have: whole files
// are somewhere else already.
const longestKept = 20_000

// keep adds a translated text to the history, unless it should not be there.
func (d *Daemon) keep(ctx context.Context, t text, from, translated string) {
	if t.private || t.origin == api.OriginFolder || !d.settings().History.Enabled || utf8.RuneCountInString(t.text) > longestKept {
		return
	}
	d.history.add(ctx, store.HistoryEntry{
		Time: time.Now(), Origin: string(t.origin), From: from, To: t.to, Source: t.text, Target: translated,
	})
}
