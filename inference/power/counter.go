package power

import (
	"fmt"
	"time"

	"dragoman/internal/english"
)

// Counter is a meter of something that adds up: its differences are what was
// used between two readings. It may be used by several goroutines.
type Counter interface {
	Facts() Facts
	// Count is the raw count. An error says why there is none, and the way out.
	Count() (uint64, error)
}

// Facts are what is known of a counter beforehand.
type Facts struct {
	Source string
	Scope  Scope
	Unit   Unit
	Error  Error   // of one reading
	Step   float64 // Units of one raw step
	// Range is the raw count after which the counter starts at 0 again, 0 if it
	// never does.
	Range uint64
	// Most is more than can be used in a second: what is above is a fault of the
	// counter. It is above 0.
	Most float64
	// Falls: the counter shows what is left, not what was used.
	Falls bool
	// Rests: it may be right that nothing is used.
	Rests bool
}

// sample is one reading of a counter.
type sample struct {
	at  Instant
	raw uint64
	err error
}

func read(c Counter, at Instant) sample {
	raw, err := c.Count()
	return sample{at, raw, err}
}

// Difference is what a counter says was used in a span.
type Difference struct {
	Value float64       // in the counter's unit
	Bound float64       // the true value is not further away than this
	Took  time.Duration // awake
}

// Unknown is an error that says why something was not measured.
type Unknown string

func (u Unknown) Error() string { return string(u) }

func unknown(format string, args ...any) error { return Unknown(fmt.Sprintf(format, args...)) }

// frozen is how many times its update interval a counter that never rests may
// stand still before that is called a fault.
const frozen = 20

// tally adds up what a counter says between several readings.
type tally struct {
	last  sample
	steps uint64
	took  time.Duration
	err   error // why what was added is not known
}

// add takes the next reading. A counter that went round is taken to have done so
// once, and only where it cannot have done so twice.
func (t *tally) add(f Facts, next sample) {
	steps, err := f.steps(t.last, next)
	t.steps += steps
	t.took += next.at.Awake - t.last.at.Awake
	t.last = next
	if t.err == nil {
		t.err = err
	}
}

// difference is what was used between the first reading and the last.
func (t tally) difference(f Facts) (Difference, error) {
	if t.err != nil {
		return Difference{}, t.err
	}
	if t.took <= 0 {
		return Difference{}, unknown("it took no time by this machine's clock")
	}
	d := Difference{Value: float64(t.steps) * f.Step, Took: t.took}
	rate := d.Value / t.took.Seconds()
	d.Bound = f.Error.Resolution + rate*f.Error.Update.Seconds()
	if f.Rests {
		return d, nil
	}
	switch {
	case t.steps == 0 && t.took >= frozen*max(f.Error.Update, time.Millisecond) && f.Most*t.took.Seconds() > 1000*f.Error.Resolution:
		return Difference{}, unknown("the counter of %s stands still", f.Source)
	case t.took <= f.Error.Update:
		return Difference{}, unknown("it took %s, and %s is renewed each %s", english.Duration(t.took), f.Source, english.Duration(f.Error.Update))
	case d.Value <= d.Bound:
		return Difference{}, unknown("what was used is below what %s can tell (%s %s)", f.Source, digits(max(d.Bound, f.Error.Resolution)), f.Unit)
	}
	return d, nil
}

// steps are those between two readings, if they can be true.
func (f Facts) steps(a, b sample) (uint64, error) {
	took := b.at.Awake - a.at.Awake
	switch {
	case a.err != nil:
		return 0, a.err
	case b.err != nil:
		return 0, b.err
	case slept(a.at, b.at) > 0:
		return 0, unknown("the machine slept for %s of it", english.Duration(slept(a.at, b.at)))
	case took < 0:
		return 0, unknown("it took no time by this machine's clock, which went backwards")
	case f.Range > 0 && took.Seconds()*f.Most >= float64(f.Range)*f.Step:
		return 0, unknown("in %s the counter of %s may have started over more than once", english.Duration(took), f.Source)
	}
	return f.forward(a.raw, b.raw, took)
}

// forward are the steps from one raw count to another.
func (f Facts) forward(a, b uint64, took time.Duration) (uint64, error) {
	if f.Falls {
		a, b = b, a
	}
	if f.Range > 0 && (a > f.Range || b > f.Range) {
		return 0, unknown("%s shows more than its own range", f.Source)
	}
	most := f.Most*took.Seconds() + 2*f.Error.Resolution + f.Most*f.Error.Update.Seconds()
	forward, wrapped := b-a, false
	if b < a {
		if f.Range == 0 {
			return 0, unknown("the counter of %s went backwards", f.Source)
		}
		forward, wrapped = f.Range-a+b, true
	}
	switch {
	case float64(forward)*f.Step <= most:
		return forward, nil
	case wrapped:
		return 0, unknown("the counter of %s went backwards", f.Source)
	}
	return 0, unknown("the counter of %s jumped by %s %s in %s, more than is possible",
		f.Source, digits(float64(forward)*f.Step), f.Unit, english.Duration(took))
}
