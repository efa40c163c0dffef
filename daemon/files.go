package daemon

import (
	"context"
	"errors"
	"strconv"

	"dragoman/daemon/api"
	"dragoman/daemon/drop"
	"dragoman/daemon/queue"
)

// fileTranslator translates the texts of files in the batch lane; folders take
// turns.
type fileTranslator struct{ *Daemon }

func (f fileTranslator) Translate(ctx context.Context, r drop.Request) (drop.Result, error) {
	for {
		result, err := f.once(ctx, r)
		if errors.Is(err, queue.ErrCancelled) && ctx.Err() == nil {
			continue // by somebody who had asked for the same text
		}
		return result, notTheFile(err)
	}
}

func (f fileTranslator) once(ctx context.Context, r drop.Request) (drop.Result, error) {
	ticket, err := f.submit(ctx, text{
		text: r.Text, from: r.From, to: r.To, lane: queue.Batch, fair: "folder " + strconv.FormatInt(r.Folder, 10),
		origin: api.OriginFolder,
	}, noDeadline)
	if err != nil {
		return drop.Result{}, err
	}
	defer ticket.Leave()
	defer r.Follow(func() drop.Progress {
		info := ticket.Info() // also of a task that was there for another
		return drop.Progress{Running: info.State == queue.Running, Done: info.Done, Total: info.Total}
	})()
	done, err := ticket.Wait(ctx)
	if err != nil {
		return drop.Result{}, err
	}
	return drop.Result{Text: done.text, From: done.from, Sentences: done.stats.Sentences, Kept: done.stats.Kept}, nil
}

// notTheFile marks errors that another file would have had as well.
func notTheFile(err error) error {
	switch {
	case errors.Is(err, errNoModel):
		return marked{err, api.ErrNoModel}
	case errors.Is(err, queue.ErrFull), errors.Is(err, queue.ErrStopped), errors.Is(err, errStopping):
		return marked{err, api.ErrBusy}
	}
	return err
}

// marked is an error that is another one too, which its text does not say.
type marked struct {
	error
	mark error
}

func (m marked) Unwrap() []error { return []error{m.error, m.mark} }
