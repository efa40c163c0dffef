package daemon

import (
	"sync"
	"time"
)

// pauses says until when batch work waits.
type pauses struct {
	mu     sync.Mutex
	paused bool
	until  time.Time // zero: until resumed
	timer  *time.Timer
}

// pause lets batch work wait for so long, or until resume if that is 0.
func (d *Daemon) pause(length time.Duration) {
	p := &d.pauses
	p.mu.Lock()
	p.stop()
	p.paused = true
	if length > 0 {
		p.until = time.Now().Add(length)
		var mine *time.Timer
		mine = time.AfterFunc(length, func() { d.resumeIf(mine) })
		p.timer = mine
	}
	d.queue.Pause()
	p.mu.Unlock()
	d.events.changed()
}

// resume ends the pause.
func (d *Daemon) resume() {
	p := &d.pauses
	p.mu.Lock()
	p.stop()
	d.queue.Resume()
	p.mu.Unlock()
	d.events.changed()
}

// resumeIf ends the pause of a timer, unless another has begun meanwhile.
func (d *Daemon) resumeIf(timer *time.Timer) {
	p := &d.pauses
	p.mu.Lock()
	mine := p.timer == timer
	p.mu.Unlock()
	if mine {
		d.resume()
	}
}

func (p *pauses) stop() {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.paused, p.until, p.timer = false, time.Time{}, nil
}

func (p *pauses) now() (paused bool, until time.Time) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.paused, p.until
}
