package power

import (
	"cmp"
	"sync"
	"time"
)

// Bounds of what an Accumulator keeps and does.
const (
	keptSpans  = 256         // of work, the last ones
	keptIdle   = 32          // the last ones
	leastIdle  = time.Second // a shorter span between texts is no idle one
	costShare  = 0.001       // of the time may go into reading meters
	costBegins = 50 * time.Millisecond
)

// Accumulator measures the texts of a service. It may be used by several
// goroutines.
type Accumulator struct {
	gauge     *Gauge
	noEnergy  error // why gauge has no counters
	npu       *Gauge
	noNPU     error
	clock     func() Instant
	mu        sync.Mutex
	started   Instant
	spent     time.Duration // in reading
	active    int
	state     state
	energyAt  []sample // the last reading
	npuAt     []sample
	now       spanOfWork
	dropped   error // why the span that is under way will not count
	lastWrong error // why the last text has no energy, if it has none
	idle      []Difference
	spans     []spanOfWork
}

type state int

const (
	unread  state = iota // nothing is under measurement
	busy                 // the last reading began work
	resting              // the last reading ended work
)

// spanOfWork is a span in which texts were translated, from the first that began
// to the last that ended.
type spanOfWork struct {
	energy, npu       Difference
	energyErr, npuErr error // why they are not known
	texts, tokens     int
}

// NewAccumulator measures by what a machine has.
func NewAccumulator(m Machine) *Accumulator {
	counters, err := m.Energy()
	a := newAccumulator(counters, err, nil, nil, now)
	npu, err := m.NPUBusy()
	if err != nil {
		a.noNPU = err
	} else {
		a.npu = &Gauge{[]Counter{npu}, now}
	}
	return a
}

func newAccumulator(energy []Counter, noEnergy error, npu []Counter, noNPU error, clock func() Instant) *Accumulator {
	return &Accumulator{
		gauge: &Gauge{energy, clock}, noEnergy: noEnergy, npu: &Gauge{npu, clock}, noNPU: noNPU,
		clock: clock, started: clock(),
	}
}

// blind: there is nothing to read.
func (a *Accumulator) blind() bool { return a.noEnergy != nil && a.noNPU != nil }

// Begin says that a text goes to the model.
func (a *Accumulator) Begin() {
	if a.blind() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.active++; a.active > 1 {
		return
	}
	a.now, a.dropped = spanOfWork{}, nil
	if !a.affordable() {
		a.state, a.dropped = unread, unknown("reading the meter more often would cost more than 0.1 %% of a processor")
		return
	}
	energyWas, was := a.energyAt, a.state
	a.read()
	if was == resting {
		a.rested(energyWas, a.energyAt)
	}
	a.state = busy
}

// Work is what became of a text that began.
type Work struct {
	Texts  int // 1, or 0 for one that the memory answered
	Tokens int // that the model made
	Failed bool
}

// End says that a text which began is done.
func (a *Accumulator) End(w Work) {
	if a.blind() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.active--
	a.now.texts += w.Texts
	a.now.tokens += w.Tokens
	if w.Failed && a.dropped == nil {
		a.dropped = unknown("a text was not finished")
	}
	if a.active > 0 {
		return
	}
	if a.state == busy {
		a.section()
		a.state = resting
	}
	if a.dropped != nil {
		a.lastWrong = a.dropped
	} else if a.now.texts > 0 {
		a.lastWrong = a.now.energyErr
		a.spans = kept(a.spans, a.now, keptSpans)
	}
}

// Look is to be called now and then, such as each half minute. It reads the
// meters once after work ended, and while work goes on for so long that a
// counter could go round unseen.
func (a *Accumulator) Look() {
	if a.blind() {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.state == busy && len(a.energyAt) > 0 && a.gauge.mayWrap(a.energyAt):
		a.section()
	case a.state == resting && a.clock().Awake-a.energyTime() >= leastIdle:
		was := a.energyAt
		a.read()
		a.rested(was, a.energyAt)
		a.state = unread
	}
}

// Reset forgets what was measured of texts: another model or device translates.
func (a *Accumulator) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spans, a.lastWrong = nil, nil
	if a.active > 0 {
		a.dropped = unknown("the model changed meanwhile")
	}
}

// section adds what was used since the last reading to the span under way.
func (a *Accumulator) section() {
	energyWas, npuWas := a.energyAt, a.npuAt
	a.read()
	if a.noEnergy == nil {
		d, err := a.gauge.between(energyWas, a.energyAt)
		a.now.energy, a.now.energyErr = a.now.energy.plus(d), cmp.Or(a.now.energyErr, err)
	}
	if a.noNPU == nil {
		d, err := a.npu.between(npuWas, a.npuAt)
		a.now.npu, a.now.npuErr = a.now.npu.plus(d), cmp.Or(a.now.npuErr, err)
	}
}

func (d Difference) plus(e Difference) Difference {
	return Difference{Value: d.Value + e.Value, Bound: d.Bound + e.Bound, Took: d.Took + e.Took}
}

// rested keeps what was drawn between two texts. What cannot be told is no
// measurement, and the next may be.
func (a *Accumulator) rested(from, to []sample) {
	if a.noEnergy != nil {
		return
	}
	if d, err := a.gauge.between(from, to); err == nil && d.Took >= leastIdle {
		a.idle = kept(a.idle, d, keptIdle)
	}
}

// kept appends to the last n.
func kept[T any](all []T, one T, n int) []T {
	if len(all) == n {
		copy(all, all[1:])
		all = all[:n-1]
	}
	return append(all, one)
}

func (a *Accumulator) read() {
	begin := a.clock()
	if a.noEnergy == nil {
		a.energyAt = a.gauge.read()
	}
	if a.noNPU == nil {
		a.npuAt = a.npu.read()
	}
	a.spent += a.clock().Awake - begin.Awake
}

func (a *Accumulator) affordable() bool {
	return a.spent <= costBegins+time.Duration(costShare*float64(a.clock().Awake-a.started.Awake))
}

func (a *Accumulator) energyTime() time.Duration {
	for _, at := range [][]sample{a.energyAt, a.npuAt} {
		if len(at) > 0 {
			return at[0].at.Awake
		}
	}
	return 0
}
