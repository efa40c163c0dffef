package inference

import (
	"context"
	"sync"
	"time"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
)

// system is what the system says of its devices and of sleep, for all parts of the
// model.
type system struct {
	ask    func(context.Context) device.Machine // nil where nobody knows
	resume func() error                         // is called after sleep

	watching sync.Once // begins when there is something to watch

	mu      sync.Mutex
	machine device.Machine // as of looked
	looked  time.Time
}

// ruledOut is what the system says against a device that nobody asked for. Sleep
// matters once there is a device that may go or come back.
func (s *system) ruledOut(ctx context.Context, asked bool, d ladder.Device) error {
	if asked || s.ask == nil {
		s.watching.Do(func() { go s.watchSleep(ctx) })
		return nil
	}
	machine := s.survey(ctx)
	why := machine.Why(device.Kind(d))
	_, there := machine.Find(device.Kind(d))
	if there {
		s.watching.Do(func() { go s.watchSleep(ctx) })
	}
	switch {
	case len(why) > 0 && there:
		return &ladder.Reason{Kind: ladder.Unusable, Device: d, Text: why[0].String()}
	case len(why) > 0:
		return &ladder.Reason{Kind: ladder.Absent, Device: d, Text: why[0].String()}
	case !there:
		return &ladder.Reason{Kind: ladder.Absent, Device: d}
	}
	return nil
}

// surveyLasts is how long what the system said counts: for all devices that are
// tried in a row.
const surveyLasts = 10 * time.Second

// survey asks the system for its devices.
func (s *system) survey(ctx context.Context) device.Machine {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.looked.IsZero() && time.Since(s.looked) < surveyLasts {
		return s.machine
	}
	s.machine, s.looked = s.ask(ctx), time.Now()
	return s.machine
}

// forget has the next survey ask anew.
func (s *system) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.looked = time.Time{}
}

// sleepLook is how often the clocks are compared, sleepLeast what they must
// differ by.
const (
	sleepLook  = 20 * time.Second
	sleepLeast = time.Minute
)

// watchSleep notices that the computer slept: wall time went on and the
// monotonic clock did not (Linux), or it did and this process did not run
// (Windows). A clock that was set looks the same and costs a trial.
func (s *system) watchSleep(ctx context.Context) {
	tick := time.NewTicker(sleepLook)
	defer tick.Stop()
	last := time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := time.Now()
		if slept(last, now) {
			_ = s.resume() // a device that does not close is left behind
		}
		last = now
	}
}

func slept(last, now time.Time) bool {
	ran := now.Sub(last)
	wall := now.Round(0).Sub(last.Round(0))
	return ran > sleepLook+sleepLeast || (wall-ran).Abs() > sleepLeast
}
