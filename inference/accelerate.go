package inference

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/openvino"
	"dragoman/inference/probe"
	"dragoman/inference/trust"
	"dragoman/internal/english"
)

// Acceleration says how devices besides the processor are tried. Its zero value
// tries none.
type Acceleration struct {
	// Probe makes a process that runs probe.Main, in which a device is tried before
	// this process touches it.
	Probe func(context.Context) (*exec.Cmd, error)
	// Survey says what the system knows of its devices. Where it finds that one
	// cannot serve and nobody asked for that one, it is not tried. nil tries all.
	Survey func(context.Context) device.Machine
	// WarmOnly tries only what needs no compiling, unless the device was asked
	// for: a program that ends soon would not live to see it compiled.
	WarmOnly bool
	// Limits bound that process; the zero value is what probe.DefaultLimits says.
	Limits probe.Limits
	// Energy, where not nil, tells the joules of work for a thousand tokens; the
	// work says how many it made. It decides with speed which device decodes.
	Energy func(ctx context.Context, work func(context.Context) (tokens int, err error)) (joules float64, err error)
	// Changed, where not nil, is called after each change of Devices.
	Changed func()
}

// properties are what each device's graphs are compiled with. OpenVINO's texts
// recommend the hint for one text at a time; f16 is all that an NPU has. Blobs
// hold their weights: the C API imports without properties, and the CPU plugin
// of 2026.4.1 does not take a weightless blob (CACHE_MODE OPTIMIZE_SIZE) that it
// has exported itself, so that nothing speaks for the NPU's taking one.
var properties = map[ladder.Device]openvino.Properties{
	ladder.NPU: {"PERFORMANCE_HINT": "LATENCY"},
	ladder.GPU: {"PERFORMANCE_HINT": "LATENCY"},
}

const (
	// inferLimit is how long a text waits for an accelerator. An inference takes
	// some 20 ms at most; the drivers reset a device that hangs after 2 s.
	inferLimit = 3 * time.Second
	// openLimit is how long opening stored graphs in this process may take.
	openLimit = time.Minute
	// endLimit is how long the end waits for a device that is being opened.
	endLimit = 5 * time.Second
	// uncleanMost is how many processes in a row may end while they use a device
	// before it rests for uncleanRest: it may be what ends them.
	uncleanMost = 3
	uncleanRest = 24 * time.Hour
)

// sampleEvery is how often a device that serves is checked with a golden source.
var sampleEvery = 10 * time.Minute

// accelerating opens, checks and watches the devices of a translator.
type accelerating struct {
	engine  *m2m100.Engine
	options m2m100.Options
	how     Acceleration
	request probe.Request
	asked   bool // for one device, by name
	system  *system
	ladder  *ladder.Ladder
	record  *trust.Record
	golden  []trust.Source
	model   string // what verdicts depend on besides the device
	limits  probe.Limits

	stop context.CancelFunc
	done chan struct{}

	sampling sync.Once // begins when there is something to watch

	mu      sync.Mutex
	opening Opening
	serving device.Device
	key     string        // of the device that serves
	figures trust.Figures // of the last check
}

// accelerate begins to try devices. The translator serves meanwhile.
func (t *Translator) accelerate(o m2m100.Options, options Options, rungs []ladder.Device, blobs string, s *system) {
	ctx, stop := context.WithCancel(context.Background())
	a := &accelerating{
		engine: t.engine, options: o, how: options.Acceleration, asked: options.Encoder != "", system: s,
		record: trust.Open(filepath.Join(filepath.Dir(blobs), "devices")),
		golden: trust.Golden(t.goldenVocabulary(), m2m100.Buckets),
		model:  o.ContentKey + " " + o.Recipe.String() + " " + o.Core.Runtime().Build,
		limits: limitsOf(options.Acceleration, t.engine), request: t.probeRequest(o, options, blobs),
		stop: stop, done: make(chan struct{}),
	}
	for _, source := range trust.Cheap(a.golden) {
		a.request.Sources = append(a.request.Sources, source.Tokens)
	}
	a.ladder = ladder.New(rungs, a.changed)
	t.accelerating = a
	go func() {
		defer close(a.done)
		if err := a.record.Settle(time.Now()); err != nil {
			slog.Warn("Record of devices could not be read", "err", err)
		}
		a.ladder.Run(ctx, a.try)
	}()
}

// probeRequest is what the process that tries a device needs to know of the model.
func (t *Translator) probeRequest(o m2m100.Options, options Options, blobs string) probe.Request {
	return probe.Request{
		Runtime: options.Runtime, ModelDir: options.ModelDir, ContentKey: o.ContentKey, Recipe: t.weights,
		Forbidden: o.Forbidden, GraphDir: o.Dir, BlobDir: blobs, QuotaBytes: options.Cache.QuotaBytes,
	}
}

func limitsOf(how Acceleration, e *m2m100.Engine) probe.Limits {
	if how.Limits == (probe.Limits{}) {
		return probe.DefaultLimits(e.WeightBytes())
	}
	return how.Limits
}

// goldenVocabulary is what golden sources are made of.
func (t *Translator) goldenVocabulary() trust.Vocabulary {
	v := trust.Vocabulary{Size: t.tokenizer.Size(), End: t.tokenizer.EOS(), Special: t.tokenizer.IsSpecial}
	for _, code := range t.tokenizer.Languages() {
		id, _ := t.tokenizer.LanguageID(code)
		v.Languages = append(v.Languages, id)
	}
	return v
}

// close ends trials and notes that the device was given back. The engine gives
// it back.
func (a *accelerating) close() error {
	if a == nil {
		return nil
	}
	a.stop()
	select {
	case <-a.done:
	case <-time.After(endLimit): // native code hangs; the process's end ends it
		slog.Warn("A device that is being opened does not end")
	}
	return errors.Join(a.engine.Drop(), a.record.Close())
}

// abandon notes that the program ends well, whatever is under way. A process
// that tries a device ends when nobody listens to it any more.
func (a *accelerating) abandon() error {
	if a == nil {
		return nil
	}
	return a.record.Close()
}

func (a *accelerating) changed() {
	if a.how.Changed != nil {
		a.how.Changed()
	}
}

func (a *accelerating) keyOf(d ladder.Device, facts device.Device) string {
	return string(d) + " " + facts.Key() + " " + facts.Name + " " + a.model
}

// try makes a device serve.
func (a *accelerating) try(ctx context.Context, d ladder.Device) error {
	defer a.progress(Opening{})
	err := a.open(ctx, d)
	if err != nil && ctx.Err() == nil {
		why := ladder.Because(d, probe.KindOf(err, ladder.Other), err)
		level := slog.LevelWarn
		if why.Kind == ladder.Absent { // as on most computers
			level = slog.LevelInfo
		}
		slog.Log(ctx, level, "Device does not serve", "device", string(d), "reason", string(why.Kind), "err", why)
		return why
	}
	return err
}

func (a *accelerating) open(ctx context.Context, d ladder.Device) error {
	if err := a.system.ruledOut(ctx, a.asked, d); err != nil {
		return err
	}
	last, known := a.record.Last(string(d))
	a.progress(Opening{Device: string(d), Began: time.Now(), Last: last.Opened})
	ready, facts, err := a.warm(ctx, d, known && last.Trusted && last.Unclean == 0)
	if errors.Is(err, m2m100.ErrNotStored) || errors.Is(err, errUnknown) {
		if a.how.WarmOnly && !a.asked {
			return &ladder.Reason{Kind: ladder.Unusable, Device: d, Detail: "it is not prepared for this model yet, the service prepares it: `dragoman service start`"}
		}
		ready, facts, err = a.cold(ctx, d)
	}
	if err != nil {
		return err
	}
	if err := a.use(d, facts, ready); err != nil {
		return err
	}
	a.sampling.Do(func() { go a.sample(ctx) })
	return nil
}

// errUnknown is the error of a device that this process must not touch before
// another has.
var errUnknown = errors.New("the device has not been tried yet")

// warm opens a device that is known to be sound from stored graphs.
func (a *accelerating) warm(ctx context.Context, d ladder.Device, known bool) (*m2m100.Accelerator, device.Device, error) {
	if !known {
		return nil, device.Device{}, errUnknown
	}
	core, err := a.options.Core.Runtime().NewCore()
	if err != nil {
		return nil, device.Device{}, err
	}
	facts, err := within(d, func() (device.Device, error) {
		facts, err := probe.Facts(ctx, core, a.request.Runtime, d)
		if err != nil {
			core.Close()
		}
		return facts, err
	}, func(device.Device) { core.Close() })
	if err != nil {
		return nil, facts, err
	}
	verdict, known := a.record.Find(a.keyOf(d, facts))
	err = a.refused(d, facts)
	if err == nil && !known {
		err = errUnknown // another driver, or another model
	}
	if err != nil {
		core.Close()
		return nil, facts, err
	}
	ready, err := a.checked(ctx, core, d, facts, verdict.Trusted)
	if isWrong(err) { // what is stored may be to blame
		err = fmt.Errorf("%w: %w", m2m100.ErrNotStored, err)
	}
	return ready, facts, err
}

// cold has another process compile and try the device, and opens what that has
// stored. Graphs that compute wrongly once stored are compiled once more.
func (a *accelerating) cold(ctx context.Context, d ladder.Device) (*m2m100.Accelerator, device.Device, error) {
	began := time.Now()
	for again := false; ; again = true {
		facts, err := a.probe(ctx, d)
		if err != nil {
			return nil, facts, err
		}
		core, err := a.options.Core.Runtime().NewCore()
		if err != nil {
			return nil, facts, err
		}
		ready, err := a.checked(ctx, core, d, facts, false)
		if isWrong(err) && !again {
			continue
		}
		if err == nil || isWrong(err) {
			a.conclude(d, facts, err, time.Since(began))
		}
		return ready, facts, err
	}
}

// probe tries the device in another process.
func (a *accelerating) probe(ctx context.Context, d ladder.Device) (facts device.Device, err error) {
	r := a.request
	r.Device, r.Properties = d, properties[d]
	err = probe.Run(ctx, a.how.Probe, r, a.limits, probe.Progress{
		Device: func(found device.Device) error {
			facts = found
			return a.refused(d, found)
		},
		Step: a.step,
	})
	var why *ladder.Reason
	if errors.As(err, &why) {
		why.Name, why.Driver = facts.Name, facts.Driver.Version()
	}
	return facts, err
}

// refused is what is known against a device: that it does not take these
// weights, or what is on record.
func (a *accelerating) refused(d ladder.Device, facts device.Device) error {
	if err := device.Check(device.Format(a.options.Recipe.Encoder), facts, 0); err != nil {
		return &ladder.Reason{Kind: ladder.Unsupported, Device: d, Name: facts.Name, Driver: facts.Driver.Version(), Detail: err.Error()}
	}
	v, ok := a.record.Find(a.keyOf(d, facts))
	r := ladder.Reason{Device: d, Name: facts.Name, Driver: facts.Driver.Version()}
	switch {
	case !ok:
		return nil
	case !v.Trusted && v.Why != "":
		r.Kind, r.Detail = ladder.Wrong, v.Why+" (found "+v.When.Format(time.DateOnly)+")"
	case v.Unclean >= uncleanMost && time.Since(v.Since) < uncleanRest:
		r.Kind, r.Detail = ladder.Unclean, fmt.Sprintf("%d times in a row; it rests until %s", v.Unclean, v.Since.Add(uncleanRest).Format(time.DateTime))
	default:
		return nil
	}
	return &r
}

// within runs native code that may hang, and leaves it behind when it does: what
// it makes after all goes to late.
func within[T any](d ladder.Device, run func() (T, error), late func(T)) (T, error) {
	type outcome struct {
		value T
		err   error
	}
	ended := make(chan outcome, 1)
	go func() {
		v, err := run()
		ended <- outcome{v, err}
	}()
	timer := time.NewTimer(openLimit)
	defer timer.Stop()
	var none T
	select {
	case o := <-ended:
		return o.value, o.err
	case <-timer.C:
		go func() {
			if o := <-ended; o.err == nil {
				late(o.value)
			}
		}()
		return none, &ladder.Reason{Kind: ladder.Slow, Device: d, Detail: fmt.Sprintf("it took longer than %s to open what was compiled", english.Duration(openLimit))}
	}
}

// checked opens a device from stored graphs and compares it with the processor.
// The core is given back where that fails, else with the accelerator.
func (a *accelerating) checked(ctx context.Context, core *openvino.Core, d ladder.Device, facts device.Device, trusted bool) (*m2m100.Accelerator, error) {
	key := a.keyOf(d, facts)
	if err := a.record.Begin(key); err != nil {
		slog.Warn("Use of a device could not be noted", "err", err)
	}
	ready, err := within(d, func() (*m2m100.Accelerator, error) {
		o := a.options
		o.Core = core
		target := probe.TargetOf(core.Runtime(), facts, d, properties[d])
		target.Stored = true
		ready, err := m2m100.OpenAccelerator(ctx, o, target, inferLimit, a.step)
		if err != nil {
			core.Close()
			return nil, err
		}
		ready.Own(core)
		if err := a.compare(ctx, d, facts, ready, trusted); err != nil {
			return nil, errors.Join(err, ready.Close())
		}
		return ready, nil
	}, func(late *m2m100.Accelerator) { _ = late.Close() }) // nobody waits for it any more
	if err != nil {
		err = errors.Join(err, a.record.End(key))
	}
	return ready, err
}

// use has the device serve.
func (a *accelerating) use(d ladder.Device, facts device.Device, ready *m2m100.Accelerator) error {
	key := a.keyOf(d, facts)
	a.mu.Lock()
	old := a.key
	a.serving, a.key = facts, key
	a.mu.Unlock()
	slog.Info("Device serves", "device", string(d), "name", facts.Name, "driver", facts.Driver.Version(), "stored_graphs", ready.Imported)
	err := a.engine.Use(ready, func(why error) { a.fell(d, key, why) })
	if old != "" && old != key {
		err = errors.Join(err, a.record.End(old))
	}
	return err
}

// fell is told when the device that serves has failed.
func (a *accelerating) fell(d ladder.Device, key string, err error) {
	a.mu.Lock()
	why := ladder.Because(d, probe.KindOf(err, ladder.Inference), err)
	why.Name, why.Driver = a.serving.Name, a.serving.Driver.Version()
	mine := a.key == key
	if mine {
		a.key = ""
	}
	a.mu.Unlock()
	slog.Warn("Device fell, the processor serves", "device", string(d), "reason", string(why.Kind), "err", why)
	if mine {
		if err := a.record.End(key); err != nil {
			slog.Warn("End of a device's use could not be noted", "err", err)
		}
	}
	a.ladder.Fell(d, why)
}

func (a *accelerating) step(s m2m100.Step) {
	a.mu.Lock()
	o := a.opening
	o.Graph, o.Of = s.Graph, s.Of
	a.mu.Unlock()
	a.progress(o)
}

func (a *accelerating) progress(o Opening) {
	a.mu.Lock()
	a.opening = o
	a.mu.Unlock()
	a.changed()
}
