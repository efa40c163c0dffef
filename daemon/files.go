package daemon

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/drop"
	"dragoman/daemon/queue"
)

// fileTranslator translates the texts of files in the batch lane; folders take
// turns.
type fileTranslator struct{ *Daemon }

func (f fileTranslator) Translate(ctx context.Context, r drop.Request) (drop.Result, error) {
	t := text{
		text: r.Text, from: r.From, to: r.To, lane: queue.Batch, fair: "folder " + strconv.FormatInt(r.Folder, 10),
		origin: api.OriginFolder, glossary: r.Glossary,
	}
	if err := f.resolve(ctx, &t); err != nil {
		return drop.Result{}, notTheFile(err)
	}
	if t.detected != nil && t.detected.problem != nil {
		return drop.Result{}, t.detected.problem
	}
	for {
		result, err := f.once(ctx, r, t)
		if errors.Is(err, queue.ErrCancelled) && ctx.Err() == nil {
			continue // by somebody who had asked for the same text
		}
		if t.detected != nil && err == nil && t.detected.Warning() != "" {
			f.notify(api.Notice{
				Time: time.Now(), Level: "warning", Message: fmt.Sprintf("%s in drop folder %d: %s", r.Path, r.Folder, t.detected.Warning()),
			})
		}
		return result, notTheFile(err)
	}
}

func (f fileTranslator) once(ctx context.Context, r drop.Request, t text) (drop.Result, error) {
	ticket, err := f.submit(ctx, t, noDeadline)
	if err != nil {
		return drop.Result{}, err
	}
	defer ticket.Leave()
	defer r.Follow(func() drop.Progress {
		info := ticket.Info() // also of a task that was there for another
		return drop.Progress{Running: info.State == queue.Running, Done: info.Done, Total: info.Total, Rest: info.Rest()}
	})()
	done, err := ticket.Wait(ctx)
	if err != nil {
		return drop.Result{}, err
	}
	return drop.Result{Text: done.text, Model: done.model, From: done.from, Sentences: done.stats.Sentences, Kept: done.stats.Kept}, nil
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
