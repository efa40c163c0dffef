package daemon

import (
	"os"

	"dragoman/daemon/api"
)

// snapshot is everything that clients show, as it is now.
func (d *Daemon) snapshot(revision uint64) api.Snapshot {
	settings := d.settings()
	s := api.Snapshot{
		Revision: revision, Version: d.opts.Version, PID: os.Getpid(), Started: d.started,
		Folders: d.folders.Folders(), Notices: d.notices.now(),
		History: settings.History.Enabled, LibreTranslate: d.libre.address(),
	}
	s.State, s.Model, s.Message = d.models.state()
	if paused, until := d.pauses.now(); paused && s.State == api.StateReady {
		s.State, s.PausedUntil = api.StatePaused, until
	}
	s.Queue.Interactive, s.Queue.Batch, s.Queue.Running = d.queue.Len()
	s.Totals, s.Recent = d.totals.now()
	return s
}
