package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
	"dragoman/daemon/queue"
	"dragoman/inference"
	"dragoman/inference/power"
)

// supply is what the machine runs on, what its texts cost, and what follows for
// batch work.
type supply struct {
	machine power.Machine
	energy  *power.Accumulator

	mu       sync.Mutex
	now      power.Supply
	heat     power.Heat
	hot      bool
	overrule bool // the person, who was held up, wants batch work done all the same, until the supply is another
	pace     api.Pace
	why      string
	model    string // whose texts are measured, and where it runs
}

func newSupply(m power.Machine) *supply {
	return &supply{machine: m, energy: power.NewAccumulator(m), pace: api.PaceRun}
}

// lookAtPower finds out how batch work is to go on. It is called each half
// minute and with new settings, and reads a handful of small files.
func (d *Daemon) lookAtPower() {
	s, settings := d.supply, d.settings()
	if settings.Power.Measure {
		s.energy.Look()
	}
	now, heat := s.machine.Supply(), s.machine.Heat()
	s.mu.Lock()
	if now.OnBattery != s.now.OnBattery || now.Saver != s.now.Saver {
		s.overrule = false
	}
	s.hot = heat.Throttled(s.heat)
	s.now, s.heat = now, heat
	changed := s.decide(settings)
	pace, why := s.pace, s.why
	s.mu.Unlock()
	if changed {
		slog.Info("Batch work has another pace", "pace", string(pace), "why", why)
		d.holdForSupply()
	}
}

// decide needs the lock. It says whether the pace is another.
func (s *supply) decide(c config.Config) bool {
	before, whyBefore := s.pace, s.why
	s.pace, s.why = api.PaceRun, ""
	for _, r := range []struct {
		holds bool
		pace  api.Pace
		what  string
		key   string
	}{
		{s.now.OnBattery, api.Pace(c.PaceOnBattery()), "the machine runs on its battery", "power.on_battery"},
		{s.now.Saver, api.Pace(c.Power.Saver), "the power-saver profile is on", "power.saver"},
		{s.hot, api.Pace(c.Power.Hot), "the processor is slowed down to cool it", "power.hot"},
	} {
		if r.holds && !s.overrule && stricter(r.pace, s.pace) {
			s.pace, s.why = r.pace, whyPace(r.pace, r.what, r.key)
		}
	}
	return s.pace != before || s.why != whyBefore
}

func stricter(a, b api.Pace) bool {
	rank := map[api.Pace]int{api.PaceRun: 0, api.PaceSlow: 1, api.PaceWait: 2}
	return rank[a] > rank[b]
}

func whyPace(p api.Pace, what, key string) string {
	does := "files and other batch work wait"
	if p == api.PaceSlow {
		does = "files and other batch work go on slowly"
	}
	return does + ": " + what + "; `dragoman resume` lets them go on, `dragoman config set " + key + " run` always"
}

// overrulePower lets batch work go on until the supply is another, if it holds it
// up now.
func (d *Daemon) overrulePower() {
	s := d.supply
	s.mu.Lock()
	s.overrule = s.overrule || s.pace != api.PaceRun
	s.decide(d.settings())
	s.mu.Unlock()
	d.holdForSupply()
}

func (s *supply) waits() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pace == api.PaceWait
}

// rest is between looks of a resting task at whether it has become urgent.
const (
	restStep    = 50 * time.Millisecond
	longestRest = 5 * time.Second
)

// gate returns what is called before each sentence of a text: it waits while
// batch work is held, and rests where that is to go on slowly.
func (d *Daemon) gate(out *queue.Stream[inference.Progress]) func(context.Context) error {
	var begun time.Time // of the last sentence
	return func(ctx context.Context) error {
		if !begun.IsZero() && !out.Urgent() && d.supply.slow() {
			if err := d.breathe(ctx, out, min(time.Since(begun), longestRest)); err != nil {
				return err
			}
		}
		held, before := d.queue.Paused(), time.Now()
		err := out.Gate(ctx)
		begun = time.Now()
		if held && begun.Sub(before) > time.Second {
			d.supply.energy.Spoil("batch work was held meanwhile")
		}
		return err
	}
}

func (d *Daemon) breathe(ctx context.Context, out *queue.Stream[inference.Progress], length time.Duration) error {
	for until := time.Now().Add(length); !out.Urgent() && d.supply.slow(); {
		left := time.Until(until)
		if left <= 0 {
			return nil
		}
		select {
		case <-time.After(min(left, restStep)):
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (s *supply) slow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pace == api.PaceSlow
}

// measure begins to measure a text; the returned function is told what became of
// it.
func (d *Daemon) measure() func(inference.Stats, error) {
	if !d.settings().Power.Measure {
		return func(inference.Stats, error) {}
	}
	d.supply.energy.Begin()
	return func(s inference.Stats, err error) {
		w := power.Work{Tokens: s.TokensOut, Failed: err != nil}
		if s.Sentences > 0 {
			w.Texts = 1
		}
		d.supply.energy.End(w)
	}
}

// measureAnew forgets what texts cost with another model or on another device.
func (s *supply) measureAnew(m api.Model) {
	model := fmt.Sprint(m.Name, m.Weights, m.Encoder, m.Decoder, m.Runtime)
	s.mu.Lock()
	same := s.model == model
	s.model = model
	s.mu.Unlock()
	if !same {
		s.energy.Reset()
	}
}

// powerNow is what clients are told.
func (d *Daemon) powerNow() *api.Power {
	settings := d.settings()
	p := &api.Power{Batch: api.PaceRun, PaceOnBattery: api.Pace(settings.PaceOnBattery())}
	s := d.supply
	s.mu.Lock()
	p.OnBattery, p.Saver, p.Hot, p.Batch, p.Why = s.now.OnBattery, s.now.Saver, s.hot, s.pace, s.why
	s.mu.Unlock()
	if !settings.Power.Measure {
		p.Unknown = "measuring is off (power.measure)"
		p.NPUUnknown, p.UnknownKind = p.Unknown, api.UnknownOff
		return p
	}
	sum := s.energy.Summary()
	p.JoulesPerText, p.JoulesPerThousandTokens, p.NPUShare = quantity(sum.JoulesPerText), quantity(sum.JoulesPerThousandTokens), quantity(sum.NPUShare)
	p.UnknownKind = api.UnknownKind(sum.Kind)
	p.Unknown, p.NPUUnknown, p.Source, p.Scope, p.Texts = sum.Unknown, sum.NPUUnknown, sum.Source, string(sum.Scope), sum.Texts
	return p
}

func quantity(q *power.Quantity) *api.Quantity {
	if q == nil {
		return nil
	}
	return &api.Quantity{Value: q.Value, Low: q.Low, High: q.High, Unit: string(q.Unit)}
}
