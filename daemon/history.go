package daemon

import (
	"context"
	"log/slog"
	"time"
	"unicode/utf8"

	"dragoman/daemon/store"
)

// historyWriter writes the history behind the answers: a person should not wait
// for the disk.
type historyWriter struct {
	store *store.Store
	queue chan historyItem
}

// historyItem is a text to be written, or who waits for all before it.
type historyItem struct {
	entry   store.HistoryEntry
	written chan struct{} // nil for a text
}

func newHistoryWriter(s *store.Store) historyWriter {
	return historyWriter{store: s, queue: make(chan historyItem, 256)}
}

// add waits only where the disk is slower than the model.
func (h historyWriter) add(ctx context.Context, e store.HistoryEntry) {
	_ = h.put(ctx, historyItem{entry: e})
}

func (h historyWriter) put(ctx context.Context, i historyItem) error {
	select {
	case h.queue <- i:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// flush returns when all texts that were answered before are written: who reads
// or erases the history expects them in it.
func (h historyWriter) flush(ctx context.Context) error {
	written := make(chan struct{})
	if err := h.put(ctx, historyItem{written: written}); err != nil {
		return err
	}
	select {
	case <-written:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// lastWrites is how long what waits at the end may take: another program may
// hold the database locked, and a stop does not wait for that.
const lastWrites = time.Second

// run writes until ctx ends, and then what waits.
func (h historyWriter) run(ctx context.Context) error {
	writing, giveUp := context.WithCancel(context.WithoutCancel(ctx))
	defer giveUp()
	defer context.AfterFunc(ctx, func() { time.AfterFunc(lastWrites, giveUp) })()
	for {
		select {
		case i := <-h.queue:
			h.write(writing, i)
		case <-ctx.Done():
			for {
				select {
				case i := <-h.queue:
					h.write(writing, i)
				default:
					return nil
				}
			}
		}
	}
}

func (h historyWriter) write(ctx context.Context, i historyItem) {
	if i.written != nil {
		close(i.written)
		return
	}
	if _, err := h.store.AddHistory(ctx, i.entry); err != nil {
		slog.Warn("Text is not in the history", "chars", utf8.RuneCountInString(i.entry.Source), "err", err)
	}
}

// longestKept is how many characters a text of the history may have: whole files
// are somewhere else already.
const longestKept = 20_000

// keep adds a translated text to the history, unless it should not be there.
func (d *Daemon) keep(ctx context.Context, t text, translated string) {
	if t.private || t.from == "" || !d.settings().History.Enabled || utf8.RuneCountInString(t.text) > longestKept {
		return
	}
	d.history.add(ctx, store.HistoryEntry{
		Time: time.Now(), Origin: string(t.origin), From: t.from, To: t.to, Source: t.text, Target: translated,
	})
}
