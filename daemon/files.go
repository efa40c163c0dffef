package daemon

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"dragoman/daemon/api"
	"dragoman/daemon/drop"
	"dragoman/daemon/queue"
)

// fileTranslator translates the texts of files in the batch lane; folders take
// turns.
type fileTranslator struct{ *Daemon }

func (f fileTranslator) Translate(ctx context.Context, r drop.Request) (drop.Result, error) {
	ticket, err := f.submit(ctx, text{
		text: r.Text, from: r.From, to: r.To, lane: queue.Batch, fair: "folder " + strconv.FormatInt(r.Folder, 10),
		origin: api.OriginFolder,
	}, noDeadline)
	if err != nil {
		return drop.Result{}, notTheFile(err)
	}
	defer ticket.Leave()
	done, err := ticket.Wait(ctx)
	if err != nil {
		return drop.Result{}, notTheFile(err)
	}
	return drop.Result{Text: done.text, From: done.from, Sentences: done.stats.Sentences, Kept: done.stats.Kept}, nil
}

// notTheFile marks errors that another file would have had as well.
func notTheFile(err error) error {
	switch {
	case errors.Is(err, errNoModel):
		return fmt.Errorf("%w: %w", api.ErrNoModel, err)
	case errors.Is(err, queue.ErrFull), errors.Is(err, queue.ErrStopped):
		return fmt.Errorf("%w: %w", api.ErrBusy, err)
	}
	return err
}
