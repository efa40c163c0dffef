package daemon

import (
	"context"
	"errors"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/queue"
)

// ended is told of each text that was done, failed or was cancelled.
func (d *Daemon) ended(info queue.Info, err error) {
	j := jobOf(info)
	if j.Origin == api.OriginFolder {
		return // the ledger has it
	}
	finish(&j, err)
	d.jobEnded(j)
}

// answered is told of each text that somebody asked for, when it is answered.
// Who asks finds the text in the history and among the jobs, also where it was
// being translated for another: ended has heard of that one only.
func (d *Daemon) answered(ctx context.Context, t text, k *ticket, done translation, err error) {
	if err == nil {
		d.keep(ctx, t, done.text)
	}
	if !k.Shared() {
		return
	}
	info := k.Info()
	if jobOf(info).Origin != api.OriginFolder {
		if err == nil {
			d.totals.again()
			d.events.changed()
		}
		return
	}
	j := t.job()
	j.ID, j.Lane, j.Accepted = info.ID, api.LaneInteractive, t.asked
	if t.lane == queue.Batch {
		j.Lane = api.LaneBatch
	}
	if !t.private {
		j.Done, j.Total = info.Done, info.Total
	}
	finish(&j, err)
	d.jobEnded(j)
}

// finish says how a job ended.
func finish(j *api.Job, err error) {
	j.Finished = time.Now()
	switch {
	case err == nil:
		j.State = api.JobDone
	case errors.Is(err, queue.ErrCancelled), errors.Is(err, context.Canceled), errors.Is(err, errStopping):
		j.State = api.JobCancelled
	default:
		j.State, j.Error = api.JobFailed, err.Error()
	}
}

// jobEnded counts a job and tells the clients. Of a private one nothing but its
// number stays.
func (d *Daemon) jobEnded(j api.Job) {
	d.totals.ended(j)
	if j.Private {
		d.events.changed()
		return
	}
	d.events.add(api.Event{Job: &j})
}

// jobOf is what clients see of a task.
func jobOf(info queue.Info) api.Job {
	j := info.Detail.(api.Job)
	j.ID, j.Accepted = info.ID, info.Accepted
	if !j.Private {
		j.Done, j.Total, j.RestMS = info.Done, info.Total, info.Rest().Milliseconds()
	}
	j.Lane = api.LaneBatch
	if info.Urgent {
		j.Lane = api.LaneInteractive
	}
	j.State = api.JobQueued
	if info.State != queue.Waiting {
		j.State = api.JobRunning
	}
	return j
}
