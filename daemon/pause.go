package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// pauses says until when batch work waits. It is kept in the database: a restart,
// of which the user may know nothing, ends no pause.
type pauses struct {
	mu     sync.Mutex
	paused bool
	until  time.Time // zero: until resumed
	timer  *time.Timer
	turn   uint64 // of the pause or resumption, which are counted
	kept   uint64 // turn that is in the database
	held   bool   // batch work waits for another supply

	keeping sync.Mutex // one writes at a time
}

// pause lets batch work wait for so long, or until resume if that is 0.
func (d *Daemon) pause(length time.Duration) {
	var until time.Time
	if length > 0 {
		until = time.Now().Add(length)
	}
	d.setPause(true, until)
	d.keepPause()
}

// resume ends the pause.
func (d *Daemon) resume() {
	d.overrulePower()
	d.setPause(false, time.Time{})
	d.keepPause()
}

func (d *Daemon) setPause(paused bool, until time.Time) {
	p := &d.pauses
	p.mu.Lock()
	p.set(d, paused, until)
	p.mu.Unlock()
	d.events.changed()
}

// set needs the lock.
func (p *pauses) set(d *Daemon, paused bool, until time.Time) {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.turn++
	p.paused, p.until, p.timer = paused, until, nil
	if !paused {
		if !p.held {
			d.queue.Resume()
		}
		return
	}
	d.queue.Pause()
	if !until.IsZero() {
		turn := p.turn
		p.timer = time.AfterFunc(time.Until(until), func() { d.resumeIf(turn) })
	}
}

// resumeIf ends the pause of a turn, unless another has begun meanwhile.
func (d *Daemon) resumeIf(turn uint64) {
	p := &d.pauses
	p.mu.Lock()
	mine := p.turn == turn
	if mine {
		p.set(d, false, time.Time{})
	}
	p.mu.Unlock()
	if mine {
		d.events.changed()
		d.keepPause()
	}
}

// now says whether batch work waits, and until when: a supply that is short has
// no known end.
func (p *pauses) now() (paused bool, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.held {
		return true, time.Time{}
	}
	return p.paused, p.until
}

// holdForSupply lets batch work wait for another supply or go on, besides the
// person's pause. It asks for the pace itself, so that of two callers the later
// one does not apply the earlier pace. It is not kept: the next start looks at the
// supply anew.
func (d *Daemon) holdForSupply() {
	p := &d.pauses
	p.mu.Lock()
	p.held = d.supply.waits()
	if p.held {
		d.queue.Pause()
	} else if !p.paused {
		d.queue.Resume()
	}
	p.mu.Unlock()
	d.events.changed()
}

// restorePause goes on with the pause that was kept.
func (d *Daemon) restorePause(ctx context.Context) error {
	paused, until, err := d.store.KeptPause(ctx)
	if err != nil || !paused {
		return err
	}
	now := time.Now()
	if latest := now.Add(longestPause); until.After(latest) { // by a clock that was wrong
		until = latest
	}
	if until.IsZero() || until.After(now) {
		d.setPause(true, until)
		slog.Info("Batch work is paused since before this start", "until", until)
	}
	return nil
}

// keepWait is how long a client waits for the database; after that it is
// written at the next look.
const keepWait = time.Second

// keepPause writes the pause down, unless that was done.
func (d *Daemon) keepPause() {
	p := &d.pauses
	p.keeping.Lock()
	defer p.keeping.Unlock()
	p.mu.Lock()
	paused, until, turn, kept := p.paused, p.until, p.turn, p.kept
	p.mu.Unlock()
	if turn == kept {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), keepWait)
	defer cancel()
	if err := d.store.KeepPause(ctx, paused, until); err != nil {
		slog.Warn("Pause would end with a restart, which is tried again", "err", err)
		return
	}
	p.mu.Lock()
	p.kept = turn
	p.mu.Unlock()
}

// forget has the pause written down again: the database is another.
func (p *pauses) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.kept = 0
}

// lookAtPause ends a pause whose time has come by the clock on the wall: timers
// stand still while a machine sleeps.
func (d *Daemon) lookAtPause() {
	p := &d.pauses
	p.mu.Lock()
	over, turn := p.paused && !p.until.IsZero() && !time.Now().Round(0).Before(p.until.Round(0)), p.turn
	p.mu.Unlock()
	if over {
		d.resumeIf(turn)
	}
	d.keepPause()
}
