package agent

import (
	"context"
	"log/slog"

	"dragoman/daemon/api"
)

// hear has snapshots taken over. Of jobs, which a thousand files make a thousand
// of, nothing is shown.
func (a *Agent) hear(ctx context.Context, e api.Event) {
	if e.Snapshot != nil {
		a.do(ctx, func() { a.heard(ctx, *e.Snapshot) })
	}
}

func (a *Agent) heard(ctx context.Context, s api.Snapshot) {
	a.refresh(ctx) // the service tells when it has read its settings again, which are mostly the same file
	before := a.snapshot.State
	a.snapshot, a.silent = s, false
	if a.snapshot.State == api.StateStopped {
		a.model = "" // the next service may have another
		return
	}
	if before == api.StateStopped || before == "" {
		a.failed = ""
		a.lookAtBattery(ctx)
	}
	ready := a.snapshot.State == api.StateReady || a.snapshot.State == api.StatePaused
	if model := a.snapshot.Model.Name; ready && model != a.model {
		a.model = model
		a.askLanguages(ctx, model)
	}
}

func (a *Agent) askLanguages(ctx context.Context, model string) {
	a.aside(ctx, func() func() {
		answer, err := a.opts.Client.Languages(ctx)
		if err != nil {
			slog.Warn("The model's languages are not known", "err", err)
			return func() { a.model = "" } // asked again with the next snapshot
		}
		return func() {
			if a.model == model {
				a.languages = answer.Languages
			}
		}
	})
}

// lookForService has a service looked for at once that was away: the person does
// something, or its socket was made. Otherwise it is looked for once a minute.
func (a *Agent) lookForService() {
	if a.snapshot.State != api.StateStopped {
		return
	}
	select {
	case a.again <- struct{}{}:
	default:
	}
}
