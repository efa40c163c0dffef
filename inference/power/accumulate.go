package power

import (
	"sync"
	"time"
)

// Bounds of what an Accumulator keeps and does.
const (
	keptSpans = 256         // of work, the last ones
	keptIdle  = 32          // the last ones
	leastIdle = time.Second // a shorter span between texts is no idle one
	// costShare is the share of the time that may go into reading meters, once
	// costFirst is used up.
	costShare = 0.001
	costFirst = 50 * time.Millisecond
)

// Accumulator measures the texts of a service. It may be used by several
// goroutines.
type Accumulator struct {
	energy, npu meter
	clock       func() Instant

	mu      sync.Mutex
	started Instant
	spent   time.Duration // in reading
	active  int           // texts
	reading state
	ended   Instant    // of the work that the last reading ended
	now     spanOfWork // that is under way
	dropped error      // why it will not count
	wrong   error      // why the last one did not
	idle    []Difference
	spans   []spanOfWork
}

// meter is a gauge and the span that it measures, or why there is none.
type meter struct {
	gauge *Gauge
	none  error
	span  *Span
}

func (m *meter) there() bool { return m.none == nil }

// state is what the last reading of the meters was for.
type state int

const (
	unread  state = iota // nothing is measured
	working              // it began work
	resting              // it ended work
)

// spanOfWork is a span in which texts were translated, from the first that began
// to the last that ended.
type spanOfWork struct {
	energy, npu     Difference
	noEnergy, noNPU error // why they are not known
	texts, tokens   int
}

// NewAccumulator measures by what a machine has.
func NewAccumulator(m Machine) *Accumulator {
	counters, none := m.Energy()
	npu, noNPU := m.NPUBusy()
	return newAccumulator(counters, none, []Counter{npu}, noNPU, now)
}

func newAccumulator(energy []Counter, noEnergy error, npu []Counter, noNPU error, clock func() Instant) *Accumulator {
	return &Accumulator{
		energy: meter{gauge: &Gauge{energy, clock}, none: noEnergy},
		npu:    meter{gauge: &Gauge{npu, clock}, none: noNPU},
		clock:  clock, started: clock(),
	}
}

// blind: there is nothing to read.
func (a *Accumulator) blind() bool { return !a.energy.there() && !a.npu.there() }

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
	begin := a.clock()
	if !a.affordable(begin) {
		a.reading, a.energy.span = unread, nil // the span since the last work would hold this text
		a.dropped = unknown("reading the meter more often would cost more than 0.1 %% of a processor")
		return
	}
	defer a.pay(begin)
	if a.reading == resting {
		a.rested()
	}
	a.reading = working
	for _, m := range []*meter{&a.energy, &a.npu} {
		switch {
		case !m.there():
		case m.span != nil: // it was just read
		default:
			m.span = m.gauge.Begin()
		}
	}
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
	if a.reading == working {
		a.worked()
	}
	if a.dropped != nil {
		a.wrong = a.dropped
	} else if a.now.texts > 0 {
		a.wrong = a.now.noEnergy
		a.spans = kept(a.spans, a.now, keptSpans)
	}
}

// worked ends the span of work, and begins one that may become idle.
func (a *Accumulator) worked() {
	a.reading, a.ended = resting, a.clock()
	defer a.pay(a.ended)
	if a.energy.there() {
		a.now.energy, a.now.noEnergy = a.energy.span.End()
		a.energy.span = a.energy.span.next()
	}
	if a.npu.there() {
		a.now.npu, a.now.noNPU = a.npu.span.End()
		a.npu.span = nil // what it does meanwhile is not asked
	}
}

// rested ends the span without work, and begins one of work. What cannot be
// told is no measurement of the idle draw, and the next may be.
func (a *Accumulator) rested() {
	if !a.energy.there() {
		return
	}
	if d, err := a.energy.span.End(); err == nil && d.Took >= leastIdle {
		a.idle = kept(a.idle, d, keptIdle)
	}
	a.energy.span = a.energy.span.next()
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
	case a.reading == working && a.energy.there() && a.energy.span.due():
		defer a.pay(a.clock())
		a.energy.span.Look()
	case a.reading == resting && a.clock().Awake-a.ended.Awake >= leastIdle:
		defer a.pay(a.clock())
		a.rested()
		a.energy.span, a.reading = nil, unread
	}
}

// Reset forgets what was measured of texts: another model or device translates.
func (a *Accumulator) Reset() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.spans, a.wrong = nil, nil
	if a.active > 0 {
		a.dropped = unknown("the model changed meanwhile")
	}
}

// Spoil says why the texts that are under way are no measure.
func (a *Accumulator) Spoil(why string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.active > 0 && a.dropped == nil {
		a.dropped = Unknown(why)
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

func (a *Accumulator) pay(begin Instant) { a.spent += a.clock().Awake - begin.Awake }

func (a *Accumulator) affordable(at Instant) bool {
	return a.spent <= costFirst+time.Duration(costShare*float64(at.Awake-a.started.Awake))
}
