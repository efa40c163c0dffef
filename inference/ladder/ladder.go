package ladder

import (
	"context"
	"slices"
	"sync"
	"time"
)

// Pauses are how long a device rests after each failure in a row. After the last
// it stays off until the service starts again or the computer wakes up: a driver
// that fails five times in two hours needs a person, and each trial costs a
// compile.
var Pauses = []time.Duration{30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour}

// WakeGap is the least time between two trials because the computer woke up:
// systems tell of one sleep more than once.
var WakeGap = 30 * time.Second

// healthy is how long a device must have served for its failures to be
// forgotten.
const healthy = 15 * time.Minute

// Ladder keeps which device serves and when the others are tried. It is safe for
// concurrent use. The processor serves at once.
type Ladder struct {
	changed func()
	wake    chan struct{} // holds one

	mu     sync.Mutex
	rungs  []*rung // without the processor
	served time.Time
	woke   time.Time
}

// rung is a device besides the processor.
type rung struct {
	device   Device
	serving  bool
	trying   bool
	fell     *Reason // that it failed while its trial was ending
	reason   *Reason // why it does not serve
	since    time.Time
	failures int // in a row
	off      bool
	due      time.Time // of the next trial, unless off
}

// New makes a ladder of what Rungs returns. changed, where not nil, is called
// after each change.
func New(devices []Device, changed func()) *Ladder {
	if changed == nil {
		changed = func() {}
	}
	l := &Ladder{changed: changed, wake: make(chan struct{}, 1), served: time.Now()}
	for _, d := range devices {
		if d != CPU {
			l.rungs = append(l.rungs, &rung{device: d, reason: &Reason{Kind: Waiting, Device: d}, since: time.Now(), due: time.Now()})
		}
	}
	return l
}

// Run tries devices when they are due, one at a time, until ctx ends. try
// returns nil when the device serves; it may take minutes and must end with ctx.
func (l *Ladder) Run(ctx context.Context, try func(context.Context, Device) error) {
	for ctx.Err() == nil {
		r, wait := l.next()
		if r != nil {
			l.changed()
			l.settle(ctx, r, try(ctx, r.device))
			continue
		}
		var timer <-chan time.Time
		if wait >= 0 {
			timer = time.After(wait)
		}
		select {
		case <-timer:
		case <-l.wake:
		case <-ctx.Done():
		}
	}
}

// next is the device to try now, or how long until one is due; below zero means
// not by itself. Devices below one that serves are left alone.
func (l *Ladder) next() (*rung, time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	wait := time.Duration(-1)
	for _, r := range l.rungs {
		if r.serving {
			break
		}
		if r.off {
			continue
		}
		left := time.Until(r.due)
		if left <= 0 {
			r.trying = true
			return r, 0
		}
		if wait < 0 || left < wait {
			wait = left
		}
	}
	return nil, wait
}

// settle takes the outcome of a trial.
func (l *Ladder) settle(ctx context.Context, r *rung, err error) {
	l.mu.Lock()
	r.trying = false
	defer func() { r.fell = nil }()
	switch {
	case ctx.Err() != nil: // nobody is to blame
	case err != nil:
		l.fail(r, Because(r.device, Other, err))
	case r.fell != nil:
		l.fail(r, r.fell)
	default:
		for _, other := range l.rungs {
			other.serving = other == r
		}
		r.reason, r.since, l.served = nil, time.Now(), time.Now()
	}
	l.mu.Unlock()
	l.changed()
}

// fail puts a device to rest. The lock is held.
func (l *Ladder) fail(r *rung, why *Reason) {
	now := time.Now()
	if r.serving {
		if now.Sub(r.since) >= healthy {
			r.failures = 0
		}
		r.serving, l.served = false, now
	}
	if r.reason == nil || r.reason.Kind != why.Kind {
		r.since = now
	}
	r.reason = why
	r.failures++
	r.off = rules[why.known()].again != afterPause || r.failures > len(Pauses)
	if !r.off {
		r.due = now.Add(Pauses[r.failures-1])
	}
}

// Fell says that a device that served has failed. The processor serves.
func (l *Ladder) Fell(d Device, why *Reason) {
	l.mu.Lock()
	for _, r := range l.rungs {
		if r.device != d {
			continue
		}
		if r.serving {
			l.fail(r, why)
		} else if r.trying {
			r.fell = why
		}
	}
	l.mu.Unlock()
	l.poke()
	l.changed()
}

// Resume says that the computer woke up: devices may have gone or come back.
// letGo is to give back the device in use; then all are tried again, from the
// top. A second call soon after the first does nothing.
func (l *Ladder) Resume(letGo func()) {
	l.mu.Lock()
	now := time.Now()
	if !l.woke.IsZero() && now.Sub(l.woke) < WakeGap {
		l.mu.Unlock()
		return
	}
	l.woke = now
	l.mu.Unlock()
	letGo()
	l.mu.Lock()
	for _, r := range l.rungs {
		if r.serving {
			r.serving, r.reason, r.since, l.served = false, &Reason{Kind: Asleep, Device: r.device}, now, now
		}
		// Also one that computes wrongly: its driver may be another one by now.
		r.failures, r.off, r.due = 0, false, now
	}
	l.mu.Unlock()
	l.poke()
	l.changed()
}

func (l *Ladder) poke() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

// Status is who serves and why others do not.
type Status struct {
	Serving Device
	Since   time.Time
	Trying  Device // is being opened, "" if none is
	Falls   []Fall // of the devices above the one that serves, the best first
}

// Fall is why a device does not serve.
type Fall struct {
	Reason *Reason
	Since  time.Time
	Next   time.Time // of the next trial, zero where it stays off for now
}

// Status tells the state.
func (l *Ladder) Status() Status {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := Status{Serving: CPU, Since: l.served}
	if i := slices.IndexFunc(l.rungs, func(r *rung) bool { return r.serving }); i >= 0 {
		s.Serving = l.rungs[i].device
	}
	for _, r := range l.rungs {
		if r.trying {
			s.Trying = r.device
		}
		if r.serving {
			break
		}
		fall := Fall{Reason: r.reason, Since: r.since}
		if !r.off && !r.trying {
			fall.Next = r.due
		}
		s.Falls = append(s.Falls, fall)
	}
	return s
}
