package inference

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/openvino"
	"dragoman/inference/probe"
	"dragoman/inference/trust"
)

// decoding opens, measures and watches the device that decodes. What is there to
// decode on besides the processor is a GPU, which need not be faster: a short
// measurement decides, once for a driver, a runtime and a model.
type decoding struct {
	engine  *m2m100.Engine
	options m2m100.Options
	how     Acceleration
	request probe.Request
	asked   bool // for the device, by name
	system  *system
	ladder  *ladder.Ladder
	record  *trust.Record
	golden  []trust.Source
	model   string // what verdicts depend on besides the device
	limits  probe.Limits

	stop context.CancelFunc
	done chan struct{}

	mu      sync.Mutex
	opening Opening
	serving device.Device
	key     string // of the device that serves
	speed   *trust.Speed
}

// part of a key and of a record's device.
const decoderPart = "decoder "

// chooseDecoder begins to try devices. The processor decodes meanwhile.
func (t *Translator) chooseDecoder(o m2m100.Options, options Options, rungs []ladder.Device, blobs string, s *system) {
	ctx, stop := context.WithCancel(context.Background())
	d := &decoding{
		engine: t.engine, options: o, how: options.Acceleration, asked: options.Decoder != "", system: s,
		record: trust.Open(filepath.Join(filepath.Dir(blobs), "devices")),
		golden: trust.Cheap(trust.Golden(t.goldenVocabulary(), m2m100.Buckets)),
		model:  o.ContentKey + " " + o.Recipe.String() + " " + o.Core.Runtime().Build,
		limits: limitsOf(options.Acceleration, t.engine), request: t.probeRequest(o, options, blobs),
		stop: stop, done: make(chan struct{}),
	}
	d.request.Decoder = true
	d.ladder = ladder.New(rungs, d.changed)
	t.decoding = d
	go func() {
		defer close(d.done)
		if err := d.record.Settle(time.Now()); err != nil {
			slog.Warn("Record of devices could not be read", "err", err)
		}
		d.ladder.Run(ctx, d.try)
	}()
}

func (d *decoding) close() error {
	if d == nil {
		return nil
	}
	d.stop()
	select {
	case <-d.done:
	case <-time.After(endLimit): // native code hangs; the process's end ends it
		slog.Warn("A device that is being opened does not end")
	}
	return errors.Join(d.engine.UseDecoder(nil, nil), d.record.Close())
}

func (d *decoding) abandon() error {
	if d == nil {
		return nil
	}
	return d.record.Close()
}

func (d *decoding) resume() (err error) {
	if d == nil {
		return nil
	}
	d.ladder.Resume(func() {
		d.mu.Lock()
		key := d.key
		d.key = ""
		d.mu.Unlock()
		err = errors.Join(d.engine.UseDecoder(nil, nil), d.record.End(key))
	})
	return err
}

func (d *decoding) changed() {
	if d.how.Changed != nil {
		d.how.Changed()
	}
}

func (d *decoding) progress(o Opening) {
	d.mu.Lock()
	d.opening = o
	d.mu.Unlock()
	d.changed()
}

func (d *decoding) step(s m2m100.Step) {
	d.mu.Lock()
	o := d.opening
	o.Graph, o.Of = s.Graph, s.Of
	d.mu.Unlock()
	d.progress(o)
}

func (d *decoding) keyOf(name ladder.Device, facts device.Device) string {
	return decoderPart + string(name) + " " + facts.Key() + " " + facts.Name + " " + d.model
}

func (d *decoding) try(ctx context.Context, name ladder.Device) error {
	defer d.progress(Opening{})
	err := d.open(ctx, name)
	if err == nil || ctx.Err() != nil {
		return err
	}
	why := ladder.Because(name, probe.KindOf(err, ladder.Other), err)
	level := slog.LevelWarn
	if why.Kind == ladder.Absent || why.Kind == ladder.Slower {
		level = slog.LevelInfo
	}
	slog.Log(ctx, level, "Device does not decode", "device", string(name), "reason", string(why.Kind), "err", why)
	return why
}

func (d *decoding) open(ctx context.Context, name ladder.Device) error {
	if err := d.system.ruledOut(ctx, d.asked, name); err != nil {
		return err
	}
	last, _ := d.record.Last(decoderPart + string(name))
	d.progress(Opening{Device: string(name), Began: time.Now(), Last: last.Opened})
	core, err := d.options.Core.Runtime().NewCore()
	if err != nil {
		return err
	}
	facts, err := within(name, func() (device.Device, error) {
		facts, err := probe.Facts(ctx, core, d.request.Runtime, name)
		if err != nil {
			core.Close()
		}
		return facts, err
	}, func(device.Device) { core.Close() })
	if err != nil {
		return err
	}
	if err := device.Check(device.Format(d.options.Recipe.Decoder), facts, 0); err != nil {
		core.Close()
		return &ladder.Reason{Kind: ladder.Unsupported, Device: name, Name: facts.Name, Driver: facts.Driver.Version(), Detail: err.Error()}
	}
	verdict, known := d.record.Find(d.keyOf(name, facts))
	if known {
		if err := d.against(name, facts, verdict); err != nil {
			core.Close()
			return err
		}
		err := d.serve(ctx, core, name, facts, verdict.Speed)
		if !errors.Is(err, m2m100.ErrNotStored) {
			return err
		}
	} else {
		core.Close()
	}
	return d.cold(ctx, name)
}

// against is what the record has against a device.
func (d *decoding) against(name ladder.Device, facts device.Device, v trust.Verdict) error {
	r := ladder.Reason{Device: name, Name: facts.Name, Driver: facts.Driver.Version()}
	d.mu.Lock()
	d.speed = v.Speed
	d.mu.Unlock()
	switch {
	case !v.Trusted && v.Why != "":
		r.Kind, r.Detail = ladder.Wrong, v.Why+" (found "+v.When.Format(time.DateOnly)+")"
	case v.Unclean >= uncleanMost && time.Since(v.Since) < uncleanRest:
		r.Kind, r.Detail = ladder.Unclean, "it rests until "+v.Since.Add(uncleanRest).Format(time.DateTime)
	case v.Speed != nil && !v.Speed.Better && !d.asked:
		r.Kind, r.Detail = ladder.Slower, v.Speed.String()
	default:
		return nil
	}
	return &r
}

// cold has another process compile and try the device, opens what that has stored,
// and checks and measures it.
func (d *decoding) cold(ctx context.Context, name ladder.Device) error {
	if d.how.WarmOnly && !d.asked {
		return &ladder.Reason{Kind: ladder.Unusable, Device: name, Detail: "it is not prepared for this model yet, the service prepares it: `dragoman service start`"}
	}
	began := time.Now()
	var facts device.Device
	r := d.request
	r.Device, r.Properties = name, properties[name]
	err := probe.Run(ctx, d.how.Probe, r, d.limits, probe.Progress{
		Device: func(found device.Device) error { facts = found; return nil },
		Step:   d.step,
	})
	if err != nil {
		return err
	}
	core, err := d.options.Core.Runtime().NewCore()
	if err != nil {
		return err
	}
	ready, err := d.stored(ctx, core, name, facts)
	if err != nil {
		return err
	}
	v := trust.Verdict{Key: d.keyOf(name, facts), Device: decoderPart + string(name), When: time.Now(), Opened: time.Since(began)}
	speed, err := d.measure(ctx, ready)
	switch {
	case err == nil:
		v.Trusted, v.Speed = true, &speed
	case isWrong(err):
		v.Why = err.(*ladder.Reason).Detail
	default:
		return errors.Join(err, ready.Close(), d.record.End(v.Key))
	}
	if err := d.record.Put(v); err != nil {
		slog.Warn("What was found about a device is forgotten at the end", "err", err)
	}
	if against := d.against(name, facts, v); against != nil {
		return errors.Join(against, ready.Close(), d.record.End(v.Key))
	}
	return d.use(name, facts, ready)
}

// serve opens what is stored and has it decode, after a look at one source.
func (d *decoding) serve(ctx context.Context, core *openvino.Core, name ladder.Device, facts device.Device, speed *trust.Speed) error {
	ready, err := d.stored(ctx, core, name, facts)
	if err != nil {
		return err
	}
	if err := d.compare(ctx, ready, d.golden[:1]); err != nil {
		return errors.Join(err, ready.Close(), d.record.End(d.keyOf(name, facts)))
	}
	return d.use(name, facts, ready)
}

// stored opens the decoder from the store. The core is given back where that
// fails, else with the decoder.
func (d *decoding) stored(ctx context.Context, core *openvino.Core, name ladder.Device, facts device.Device) (*m2m100.DecoderDevice, error) {
	key := d.keyOf(name, facts)
	if err := d.record.Begin(key); err != nil {
		slog.Warn("Use of a device could not be noted", "err", err)
	}
	ready, err := within(name, func() (*m2m100.DecoderDevice, error) {
		o := d.options
		o.Core = core
		target := probe.TargetOf(core.Runtime(), facts, name, properties[name])
		target.Stored = true
		ready, err := m2m100.OpenDecoder(ctx, o, target, inferLimit, d.step)
		if err != nil {
			core.Close()
			return nil, err
		}
		ready.Own(core)
		return ready, nil
	}, func(late *m2m100.DecoderDevice) { _ = late.Close() })
	if err != nil {
		err = errors.Join(err, d.record.End(key))
	}
	return ready, err
}

func (d *decoding) use(name ladder.Device, facts device.Device, ready *m2m100.DecoderDevice) error {
	key := d.keyOf(name, facts)
	d.mu.Lock()
	d.serving, d.key = facts, key
	d.mu.Unlock()
	slog.Info("Device decodes", "device", string(name), "name", facts.Name, "driver", facts.Driver.Version())
	return d.engine.UseDecoder(ready, func(err error) {
		why := ladder.Because(name, probe.KindOf(err, ladder.Inference), err)
		why.Name, why.Driver = facts.Name, facts.Driver.Version()
		d.mu.Lock()
		if d.key == key {
			d.key = ""
		}
		d.mu.Unlock()
		slog.Warn("Device fell, the processor decodes", "device", string(name), "reason", string(why.Kind), "err", why)
		if err := d.record.End(key); err != nil {
			slog.Warn("End of a device's use could not be noted", "err", err)
		}
		d.ladder.Fell(name, why)
	})
}

// compare compares the first tokens of golden sources with the processor's.
func (d *decoding) compare(ctx context.Context, ready *m2m100.DecoderDevice, sources []trust.Source) error {
	var c trust.Comparison
	for _, s := range sources {
		want, err := d.engine.GenerateOn(ctx, nil, s.Tokens, s.Target, trust.FirstTokens, false)
		if err != nil {
			return err
		}
		got, err := d.engine.GenerateOn(ctx, ready, s.Tokens, s.Target, trust.FirstTokens, false)
		if err != nil {
			return err
		}
		c.Tokens(want.Tokens, got.Tokens)
	}
	if share := c.Figures().Tokens; share < trust.Limits.Tokens {
		f := trust.Figures{Cosine: 1, Tokens: share}
		return &ladder.Reason{Kind: ladder.Wrong, Device: ladder.Device(ready.Target.Device), Detail: f.Check(trust.Limits).Error()}
	}
	return nil
}

// A measurement is this many rounds of as many tokens on either side, in turn.
const (
	speedRounds = 3
	speedTokens = 24
)

// measure checks the device and compares it with the processor at the same work.
func (d *decoding) measure(ctx context.Context, ready *m2m100.DecoderDevice) (s trust.Speed, err error) {
	if err := d.compare(ctx, ready, d.golden); err != nil {
		return s, err
	}
	s.When = time.Now()
	source := d.golden[0]
	var times [2][]time.Duration // of a token: the device's, the processor's
	work := func(side int) func(context.Context) (int, error) {
		on := []*m2m100.DecoderDevice{ready, nil}[side]
		return func(ctx context.Context) (int, error) {
			g, err := d.engine.GenerateOn(ctx, on, source.Tokens, source.Target, speedTokens, true)
			if err != nil {
				return 0, err
			}
			times[side] = append(times[side], g.Steps...)
			return len(g.Tokens), nil
		}
	}
	for range speedRounds {
		for side := range times {
			if _, err := work(side)(ctx); err != nil {
				return s, err
			}
		}
	}
	s.Token, s.ProcessorToken = median(times[0]), median(times[1])
	s.NoJoules = "there is no meter"
	if d.how.Energy != nil {
		var joules [2]float64
		for side := range joules {
			if joules[side], err = d.how.Energy(ctx, work(side)); err != nil {
				if ctx.Err() != nil {
					return s, err
				}
				s.NoJoules = err.Error()
				break
			}
		}
		s.Joules, s.ProcessorJoules = joules[0], joules[1]
	}
	s.Better = s.Judge()
	s.Asked = d.asked
	return s, nil
}

func median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
}
