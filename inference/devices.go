package inference

import (
	"context"
	"errors"
	"time"

	"dragoman/inference/ladder"
)

// Devices are what the parts of the model run on.
type Devices struct {
	Encoder, Decoder         string // as OpenVINO names them: NPU, GPU, CPU; CPU-static
	EncoderName, DecoderName string // full names, "" where they are not known
	// Falls are why better devices do not serve the encoder, the best first.
	Falls []ladder.Fall
	// Opening is a device that is being prepared while another serves.
	Opening Opening
}

// Opening is how far preparing a device is. Its zero value is none.
type Opening struct {
	Device    string
	Graph, Of int // the graph that is being compiled or opened, counted from 1
	Began     time.Time
	Last      time.Duration // it took the last time, 0 where that is not known
}

// Devices tells what runs where, and why not on a better one.
func (t *Translator) Devices() Devices {
	name, _ := t.core.Property("CPU", "FULL_DEVICE_NAME") // "" says that it is not known
	d := Devices{Encoder: t.placement, Decoder: string(ladder.CPU), EncoderName: name, DecoderName: name}
	a := t.accelerating
	if a == nil {
		return d
	}
	s := a.ladder.Status()
	d.Falls = s.Falls
	a.mu.Lock()
	defer a.mu.Unlock()
	d.Opening = a.opening
	if s.Serving != ladder.CPU {
		d.Encoder, d.EncoderName = string(s.Serving), a.serving.Name
	}
	return d
}

// Resume says that the computer woke up: what accelerates is given back and
// opened anew, the processor serves meanwhile. Translators notice sleep
// themselves; who knows it sooner may say so.
func (t *Translator) Resume() error {
	if t.accelerating == nil {
		return nil
	}
	return t.accelerating.resume()
}

func (a *accelerating) resume() (err error) {
	a.ladder.Resume(func() {
		a.mu.Lock()
		key := a.key
		a.key, a.looked = "", time.Time{}
		a.mu.Unlock()
		err = errors.Join(a.engine.Drop(), a.record.End(key))
	})
	return err
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
func (a *accelerating) watchSleep(ctx context.Context) {
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
			_ = a.resume() // a device that does not close is left behind
		}
		last = now
	}
}

func slept(last, now time.Time) bool {
	ran := now.Sub(last)
	wall := now.Round(0).Sub(last.Round(0))
	return ran > sleepLook+sleepLeast || (wall-ran).Abs() > sleepLeast
}
