package agent

import (
	"context"
	"log/slog"
	"time"

	"dragoman/daemon/api"
)

// battery is what the agent does while the machine runs on its battery. Who
// paused is in memory.BatteryPaused: a pause of the person's is not ended by a
// plug, and ours is also by the next tray.
type battery struct {
	overruled bool // the person wants the files done all the same, until the plug is back
	ticking   bool
}

// newTick returns a clock that stands still.
func newTick() *time.Ticker {
	t := time.NewTicker(lookEvery)
	t.Stop()
	return t
}

// lookEvery is how often a battery is looked at where somebody wants to know.
const lookEvery = time.Minute

// tick lets the clock run only while somebody wants to know.
func (b *battery) tick(t *time.Ticker, wanted bool) {
	if wanted == b.ticking {
		return
	}
	if b.ticking = wanted; wanted {
		t.Reset(lookEvery)
	} else {
		t.Stop()
	}
}

// serviceWaits says whether the service lets files wait on battery by itself: it
// has the same settings. One of another user or of the system may have others.
func (a *Agent) serviceWaits() bool {
	return a.snapshot.Power != nil && a.snapshot.Power.PaceOnBattery == api.PaceWait
}

// wantsPause says whether the person wants the tray to let files wait on battery.
func (a *Agent) wantsPause() bool {
	return a.settings.now().Tray.BatteryPause && !a.serviceWaits()
}

// watchesBattery says whether there is something to do when the plug is pulled or
// put in: files to let wait, or ours that wait, whatever the settings say by now.
func (a *Agent) watchesBattery() bool {
	return a.opts.Desktop.OnBattery != nil && !a.away() && (a.wantsPause() || a.memory.BatteryPaused)
}

// away says that there is no service, as far as is known.
func (a *Agent) away() bool {
	return a.snapshot.State == api.StateStopped || a.snapshot.State == ""
}

func (a *Agent) batteryPaused(ctx context.Context, now bool) {
	if a.memory.BatteryPaused != now {
		a.remember(ctx, func(k *kept) { k.BatteryPaused = now })
	}
}

// lookAtBattery lets files wait while the machine runs on its battery, if the
// person wants that.
func (a *Agent) lookAtBattery(ctx context.Context) {
	wanted := a.wantsPause()
	if !wanted {
		a.battery.overruled = false
	}
	if !a.watchesBattery() {
		return
	}
	on, err := a.opts.Desktop.OnBattery()
	if err != nil {
		slog.Debug("It is not known whether the machine runs on its battery", "err", err)
		return
	}
	waits := wanted && on
	switch {
	case waits && !a.battery.overruled && a.snapshot.State != api.StatePaused:
		a.batteryPaused(ctx, true)
		a.request(ctx, "pause", func(ctx context.Context) error { return second(a.opts.Client.Pause(ctx, api.PauseRequest{})) })
	case !waits:
		a.battery.overruled = false
		if !a.memory.BatteryPaused {
			return
		}
		a.batteryPaused(ctx, false)
		a.request(ctx, "resume", func(ctx context.Context) error { return second(a.opts.Client.Resume(ctx)) })
	}
}
