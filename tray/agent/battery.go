package agent

import (
	"context"
	"log/slog"
	"time"

	"dragoman/daemon/api"
)

// battery remembers who paused: a pause of the person's is not ended by a plug.
type battery struct {
	paused  bool // by us
	ticking bool
}

// tick lets the clock run only while somebody wants to know.
func (b *battery) tick(t *time.Ticker, wanted bool) {
	if wanted == b.ticking {
		return
	}
	if b.ticking = wanted; wanted {
		t.Reset(time.Minute)
	} else {
		t.Stop()
	}
}

// lookAtBattery lets files wait while the machine runs on its battery, if the
// person wants that.
func (a *Agent) lookAtBattery(ctx context.Context) {
	if a.opts.Desktop.OnBattery == nil || a.snapshot.State == api.StateStopped || a.snapshot.State == "" {
		return
	}
	wanted := a.settings.now().Tray.BatteryPause
	if !wanted && !a.battery.paused {
		return
	}
	on, err := a.opts.Desktop.OnBattery()
	if err != nil {
		slog.Debug("It is not known whether the machine runs on its battery", "err", err)
		return
	}
	switch {
	case wanted && on && a.snapshot.State != api.StatePaused:
		a.battery.paused = true
		a.try(ctx, "pause", func(ctx context.Context) error { return second(a.opts.Client.Pause(ctx, api.PauseRequest{})) })
	case a.battery.paused && !(wanted && on):
		a.battery.paused = false
		a.try(ctx, "resume", func(ctx context.Context) error { return second(a.opts.Client.Resume(ctx)) })
	}
}
