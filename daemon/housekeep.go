package daemon

import (
	"context"
	"log/slog"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
)

// lookEvery is how often the daemon looks after its own files: a person who
// changed one waits for that, and each look costs a few system calls.
const lookEvery = 30 * time.Second

// expireEvery is how often old history is looked for.
const expireEvery = time.Hour

// Keys of notices about the daemon's own files.
const aboutAddress = "address" // clients do not find the daemon

// housekeep is the one place for what has to be looked at from time to time,
// until ctx ends.
func (d *Daemon) housekeep(ctx context.Context) error {
	ticker := time.NewTicker(d.opts.Look)
	defer ticker.Stop()
	var expired time.Time
	d.lookAtPower()
	trouble := d.store.Trouble()
	for {
		if time.Since(expired) >= expireEvery {
			expired = time.Now()
			d.expire(ctx)
		}
		select {
		case <-ticker.C:
			trouble = d.store.Trouble()
		case <-trouble:
			trouble = nil // until the next look: a broken disk may be trouble for ever
			d.keepStore(ctx)
			continue
		case <-ctx.Done():
			return nil
		}
		d.keepAddress(ctx)
		d.keepStore(ctx)
		d.lookAtSettings()
		d.lookAtPause()
		d.lookAtPower()
		d.lookAtDevices()
	}
}

// expire lets the history expire.
func (d *Daemon) expire(ctx context.Context) {
	if days := d.settings().History.Days; days > 0 {
		if _, err := d.store.ExpireHistory(ctx, time.Duration(days)*24*time.Hour); err != nil && ctx.Err() == nil {
			slog.Warn("Old history was not erased", "err", err)
		}
	}
}

// keepAddress lets clients find the daemon again when its socket was removed.
func (d *Daemon) keepAddress(ctx context.Context) {
	renewed, err := d.listener.Renew()
	switch {
	case ctx.Err() != nil: // it is closed by now
		return
	case err != nil:
		d.say(aboutAddress, api.Notice{Level: "error", Message: "No program can connect to the service any more, it goes on trying: " + err.Error()})
		return
	case renewed:
		slog.Warn("Socket was gone and is there again", "address", d.listener.Addr().String())
	}
	d.withdraw(aboutAddress)
}

// lookAtSettings has the settings read again when their file has changed, as if
// the service manager had asked for it. Two looks must see the same change: while a
// program begins to write, the file may be empty and still have its old time.
func (d *Daemon) lookAtSettings() {
	now, err := config.StampOf(d.opts.Paths.ConfigFile)
	if err != nil {
		return // a disk that does not answer is no change
	}
	again := now.Same(d.settingsLooked)
	d.settingsLooked = now
	if !again || !now.Settled(time.Now()) {
		return
	}
	if seen := d.settingsSeen.Load(); seen != nil && now.Same(*seen) {
		return
	}
	select {
	case d.settingsChanged <- struct{}{}:
	default: // is being done
	}
}

// noteSettings remembers which version of the file is about to be read.
func (d *Daemon) noteSettings() {
	if now, err := config.StampOf(d.opts.Paths.ConfigFile); err == nil {
		d.settingsSeen.Store(&now)
	}
}
