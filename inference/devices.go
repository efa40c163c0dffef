package inference

import (
	"errors"
	"time"

	"dragoman/inference/ladder"
	"dragoman/inference/trust"
)

// Devices are what the parts of the model run on.
type Devices struct {
	Encoder, Decoder         string // as OpenVINO names them: NPU, GPU, CPU; CPU-static
	EncoderName, DecoderName string // full names, "" where they are not known
	// Falls are why better devices do not serve the encoder, the best first.
	Falls []ladder.Fall
	// DecoderFalls are why better devices do not serve the decoder.
	DecoderFalls []ladder.Fall
	// DecoderSpeed is what was measured to choose the decoder's device, nil where
	// there was nothing to choose from.
	DecoderSpeed *trust.Speed
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
	if a := t.accelerating; a != nil {
		s := a.ladder.Status()
		d.Falls = s.Falls
		a.mu.Lock()
		d.Opening = a.opening
		if s.Serving != ladder.CPU {
			d.Encoder, d.EncoderName = string(s.Serving), a.serving.Name
		}
		a.mu.Unlock()
	}
	if a := t.decoding; a != nil {
		s := a.ladder.Status()
		d.DecoderFalls = s.Falls
		a.mu.Lock()
		d.DecoderSpeed = a.speed
		if d.Opening.Device == "" {
			d.Opening = a.opening
		}
		if s.Serving != ladder.CPU {
			d.Decoder, d.DecoderName = string(s.Serving), a.serving.Name
		}
		a.mu.Unlock()
	}
	return d
}

// Resume says that the computer woke up: what accelerates is given back and
// opened anew, the processor serves meanwhile. Translators notice sleep
// themselves; who knows it sooner may say so.
func (t *Translator) Resume() error {
	if t.system != nil {
		t.system.forget()
	}
	return errors.Join(t.accelerating.resume(), t.decoding.resume())
}

func (a *accelerating) resume() (err error) {
	if a == nil {
		return nil
	}
	a.ladder.Resume(func() {
		a.mu.Lock()
		key := a.key
		a.key = ""
		a.mu.Unlock()
		err = errors.Join(a.engine.Drop(), a.record.End(key))
	})
	return err
}
