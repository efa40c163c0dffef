package daemon

import (
	"context"
	"maps"
	"os"
	"slices"

	"dragoman/daemon/api"
)

// snapshot is everything that clients show, as it is now.
func (d *Daemon) snapshot(revision uint64) api.Snapshot {
	settings := d.settings()
	s := api.Snapshot{
		Revision: revision, Version: d.opts.Version, PID: os.Getpid(), Started: d.started,
		Folders: d.folders.Folders(), Notices: d.notices.now(),
		Pulls: d.pulls.now(), History: settings.History.Enabled, LibreTranslate: d.libre.address(), Data: d.opts.Paths.DataDir,
	}
	s.State, s.Model, s.Message = d.models.state()
	s.Power = d.powerNow()
	if paused, until := d.pauses.now(); paused && s.State == api.StateReady {
		s.State, s.PausedUntil = api.StatePaused, until
		if until.IsZero() && s.Power.Batch == api.PaceWait {
			s.Message = s.Power.Why
		}
	}
	s.Running = d.running()
	s.Queue.Interactive, s.Queue.Batch, s.Queue.Running = d.queue.Len()
	s.Totals, s.Recent = d.totals.now()
	return s
}

// running is what is being translated, texts first.
func (d *Daemon) running() []api.Job {
	var jobs []api.Job
	for _, info := range d.queue.List() {
		if j := jobOf(info); j.State == api.JobRunning && j.Origin != api.OriginFolder {
			jobs = append(jobs, j)
		}
	}
	files := d.runningFiles()
	for _, id := range slices.Sorted(maps.Keys(files)) {
		if len(jobs) == shown {
			break
		}
		if f, err := d.store.FileByID(context.Background(), id); err == nil { // else it is gone
			jobs = append(jobs, fileJob(f, files))
		}
	}
	return jobs[:min(len(jobs), shown)]
}
