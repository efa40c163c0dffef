package power

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// playedCounter is a counter that a test turns at a rate, by its clock.
type playedCounter struct {
	facts Facts
	exact float64 // in raw steps
	err   error
	reads int
}

func (p *playedCounter) Facts() Facts { return p.facts }

func (p *playedCounter) Count() (uint64, error) {
	p.reads++
	raw := uint64(p.exact)
	if p.facts.Range > 0 {
		raw %= p.facts.Range
	}
	return raw, p.err
}

// playedMachine draws so many watts without work and so many more with it.
type playedMachine struct {
	*testClock
	energy, npu *playedCounter
	a           *Accumulator
}

func newPlayed() *playedMachine {
	p := &playedMachine{
		testClock: &testClock{at: Instant{time.Hour, time.Hour}},
		energy: &playedCounter{facts: Facts{
			Source: "played package", Scope: ScopePackage, Unit: Joule, Step: 1e-6, Range: 65_532_610_987, Most: 200,
			Error: Error{Resolution: raplResolution, Update: raplUpdate},
		}},
		npu: &playedCounter{facts: npuFacts("played NPU", 1e-6)},
	}
	p.a = newAccumulator([]Counter{p.energy}, nil, []Counter{p.npu}, nil, p.now)
	return p
}

// draw lets time pass at so many watts, with the NPU at work for a share of it.
func (p *playedMachine) draw(t time.Duration, watts, npu float64) {
	p.pass(t)
	p.energy.exact += watts * t.Seconds() * 1e6
	p.npu.exact += npu * t.Seconds() * 1e6
}

func (p *playedMachine) text(t time.Duration, watts float64) {
	p.a.Begin()
	p.draw(t, watts, 0.25)
	p.a.End(Work{Texts: 1, Tokens: 20})
}

func TestTextsCostWhatTheyCost(t *testing.T) {
	p := newPlayed()
	for range 10 {
		p.text(500*time.Millisecond, 5+12) // 6 J beyond the idle draw
		p.draw(10*time.Second, 5, 0)
	}
	s := p.a.Summary()
	require.Empty(t, s.Unknown)
	require.Empty(t, s.Kind)
	require.Equal(t, 10, s.Texts)
	require.Equal(t, "played package", s.Source)
	require.Equal(t, ScopePackage, s.Scope)
	require.InDelta(t, 6, s.JoulesPerText.Value, 0.01)
	require.Equal(t, Joule, s.JoulesPerText.Unit)
	require.InDelta(t, 300, s.JoulesPerThousandTokens.Value, 0.5)
	require.Less(t, s.JoulesPerText.Low, 6.0)
	require.Greater(t, s.JoulesPerText.High, 6.0)
	require.Less(t, s.JoulesPerText.High-s.JoulesPerText.Low, 0.1)
	require.InDelta(t, 0.25, s.NPUShare.Value, 0.001)
	require.LessOrEqual(t, s.NPUShare.Low, 0.25)
	require.GreaterOrEqual(t, s.NPUShare.High, 0.25)
	require.Empty(t, s.NPUUnknown)
}

// TestTheIntervalHoldsTheTruth plays machines whose idle draw wanders: the
// interval misses the true value about as seldom as it says.
func TestTheIntervalHoldsTheTruth(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	const machines = 400
	held := 0
	for range machines {
		p := newPlayed()
		idle := func() float64 { return max(0, 5+random.NormFloat64()) }
		for range 12 {
			p.text(2*time.Second, idle()+10)
			p.draw(5*time.Second, idle(), 0)
		}
		s := p.a.Summary()
		require.Empty(t, s.Unknown)
		if s.JoulesPerText.Low <= 20 && 20 <= s.JoulesPerText.High {
			held++
		}
	}
	require.InDelta(t, 0.95*machines, held, 0.03*machines)
}

func TestWhatCannotBeToldIsUnknown(t *testing.T) {
	idle := func(p *playedMachine) {
		for range 4 {
			p.text(time.Second, 20)
			p.draw(10*time.Second, 5, 0)
		}
	}
	for name, test := range map[string]struct {
		play func(p *playedMachine)
		want string
	}{
		"no text yet":      {func(p *playedMachine) { p.draw(time.Hour, 5, 0) }, "no text was translated yet"},
		"no idle span yet": {func(p *playedMachine) { p.text(time.Second, 20) }, "measured 0 times so far"},
		"texts on each other's heels": {func(p *playedMachine) {
			for range 10 {
				p.text(time.Second, 20)
				p.draw(leastIdle/2, 5, 0)
			}
		}, "measured 0 times so far"},
		"no more than the idle draw": {func(p *playedMachine) {
			for i := range 20 {
				p.text(50*time.Millisecond, 5.01)
				p.draw(5*time.Second, 5+float64(i%3), 0)
			}
		}, "cannot be told from what the machine draws anyway"},
		"less than the idle draw": {func(p *playedMachine) {
			for range 20 {
				p.text(time.Second, 1)
				p.draw(5*time.Second, 5, 0)
			}
		}, "cannot be told from"},
		"slept": {func(p *playedMachine) {
			p.a.Begin()
			p.draw(time.Second, 20, 0)
			p.sleep(time.Hour)
			p.a.End(Work{Texts: 1})
		}, "the machine slept for 1 hour"},
		"frozen": {func(p *playedMachine) { p.text(time.Second, 0) }, "stands still"},
		"jumps":  {func(p *playedMachine) { p.text(time.Second, 5000) }, "more than is possible"},
		"too short": {func(p *playedMachine) {
			p.text(time.Millisecond/2, 20)
		}, "renewed each 1 ms"},
		"lost": {func(p *playedMachine) {
			p.energy.err = Unknown("the counter is gone")
			p.text(time.Second, 20)
		}, "the counter is gone"},
		"a text was cancelled": {func(p *playedMachine) {
			p.a.Begin()
			p.draw(time.Second, 20, 0)
			p.a.End(Work{Failed: true})
		}, "a text was not finished"},
		"held in the middle": {func(p *playedMachine) {
			p.a.Spoil("nothing is under way")
			p.a.Begin()
			p.a.Spoil("it was held")
			p.draw(time.Second, 20, 0)
			p.a.End(Work{Texts: 1})
		}, "no text could be measured yet: it was held"},
		"forgotten": {func(p *playedMachine) { idle(p); p.a.Reset() }, "no text was translated yet"},
		"forgotten in the middle": {func(p *playedMachine) {
			p.a.Begin()
			p.a.Reset()
			p.draw(time.Second, 20, 0)
			p.a.End(Work{Texts: 1})
		}, "the model changed meanwhile"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPlayed()
			test.play(p)
			s := p.a.Summary()
			require.Contains(t, s.Unknown, test.want)
			require.Equal(t, NotMeasured, s.Kind)
			require.Nil(t, s.JoulesPerText)
			require.Nil(t, s.JoulesPerThousandTokens)
		})
	}
}

// TestOneBadTextSpoilsNoOther leaves those out that could not be measured.
func TestOneBadTextSpoilsNoOther(t *testing.T) {
	p := newPlayed()
	for i := range 10 {
		p.text(500*time.Millisecond, 17)
		p.draw(5*time.Second, 5, 0)
		switch i {
		case 3:
			p.a.Begin()
			p.sleep(time.Hour)
			p.draw(time.Second, 5, 0)
			p.a.End(Work{Texts: 1, Tokens: 20})
			p.draw(5*time.Second, 5, 0)
		case 5:
			p.a.Begin()
			p.draw(time.Second, 50, 0)
			p.a.End(Work{Failed: true})
			p.draw(5*time.Second, 5, 0)
		case 7: // the memory answered
			p.a.Begin()
			p.draw(20*time.Millisecond, 5, 0)
			p.a.End(Work{})
			p.draw(5*time.Second, 5, 0)
		}
	}
	s := p.a.Summary()
	require.Empty(t, s.Unknown)
	require.Equal(t, 10, s.Texts)
	require.InDelta(t, 6, s.JoulesPerText.Value, 0.01)
}

// TestATextThatWasNotReadIsInNoFigure leaves a text out whose readings would cost
// too much: the next one's figure must not hold its energy.
func TestATextThatWasNotReadIsInNoFigure(t *testing.T) {
	p := newPlayed()
	text := func() { p.text(500*time.Millisecond, 17); p.draw(5*time.Second, 5, 0) }
	for range 5 {
		text()
	}
	p.a.spent = time.Hour
	p.text(time.Second, 50)
	p.draw(5*time.Second, 5, 0)
	p.a.spent = 0
	text()
	s := p.a.Summary()
	require.Empty(t, s.Unknown)
	require.Equal(t, 6, s.Texts)
	require.InDelta(t, 6, s.JoulesPerText.Value, 0.01)
}

func TestTextsSideBySideAreOneSpan(t *testing.T) {
	p := newPlayed()
	for range 5 {
		p.a.Begin()
		p.draw(time.Second, 15, 0)
		p.a.Begin()
		p.draw(time.Second, 25, 0)
		p.a.End(Work{Texts: 1, Tokens: 10})
		p.draw(time.Second, 15, 0)
		p.a.End(Work{Texts: 1, Tokens: 30})
		p.draw(10*time.Second, 5, 0)
	}
	s := p.a.Summary()
	require.Empty(t, s.Unknown)
	require.Equal(t, 10, s.Texts)
	require.InDelta(t, 20, s.JoulesPerText.Value, 0.01) // 40 J for two
	require.InDelta(t, 1000, s.JoulesPerThousandTokens.Value, 1)
}

// TestALongSpanGoesRoundUnnoticed lets the counter go round many times while
// texts go on without a gap.
func TestALongSpanGoesRoundUnnoticed(t *testing.T) {
	p := newPlayed()
	for range 4 { // an hour at 100 W is 360 kJ, the counter holds 65 kJ
		p.a.Begin()
		for range 120 {
			p.draw(30*time.Second, 100, 0)
			p.a.Look()
		}
		p.a.End(Work{Texts: 1, Tokens: 1000})
		p.draw(time.Minute, 5, 0)
	}
	s := p.a.Summary()
	require.Empty(t, s.Unknown)
	require.InDelta(t, 95*3600, s.JoulesPerText.Value, 10)
}

// TestNothingIsPolled counts the readings.
func TestNothingIsPolled(t *testing.T) {
	p := newPlayed()
	for range 100 {
		p.draw(30*time.Second, 5, 0)
		p.a.Look()
	}
	require.Zero(t, p.energy.reads, "before there is work")
	p.text(time.Second, 20)
	require.Equal(t, 2, p.energy.reads)
	for range 100 {
		p.draw(30*time.Second, 5, 0)
		p.a.Look()
	}
	require.Equal(t, 3, p.energy.reads, "once after it, for the idle draw")
	p.a.Begin()
	for range 5 {
		p.a.Begin()
		p.draw(10*time.Second, 20, 0)
		p.a.Look()
		p.a.End(Work{Texts: 1})
	}
	p.a.End(Work{Texts: 1})
	require.Equal(t, 5, p.energy.reads, "texts side by side need no more than one")
}

// TestADearMeterIsReadSeldom lets a reading cost 20 ms of a processor.
func TestADearMeterIsReadSeldom(t *testing.T) {
	p := newPlayed()
	dear := &dearCounter{p.energy, p.testClock}
	p.a = newAccumulator([]Counter{dear}, nil, nil, Unknown("no NPU"), p.now)
	for range 2000 {
		p.text(100*time.Millisecond, 20)
		p.draw(900*time.Millisecond, 5, 0)
	}
	spent := time.Duration(p.energy.reads) * 20 * time.Millisecond
	require.Less(t, spent, costFirst+2*time.Second+80*time.Millisecond, "0.1 %% of 2000 s")
	require.Greater(t, p.energy.reads, 50)

	p = newPlayed()
	dear = &dearCounter{p.energy, p.testClock}
	p.a = newAccumulator([]Counter{dear}, nil, nil, Unknown("no NPU"), p.now)
	for range 5 {
		p.text(100*time.Millisecond, 20)
	}
	require.Contains(t, p.a.wrong.Error(), "more than 0.1 % of a processor")
}

type dearCounter struct {
	*playedCounter
	clock *testClock
}

func (d *dearCounter) Count() (uint64, error) {
	d.clock.pass(20 * time.Millisecond)
	return d.playedCounter.Count()
}

func TestWithoutMetersNothingIsRead(t *testing.T) {
	a := newAccumulator(nil, Unknown("no meter here"), nil, Unknown("no NPU here"), (&testClock{}).now)
	a.Begin()
	a.Look()
	a.End(Work{Texts: 1})
	s := a.Summary()
	require.Equal(t, Summary{Unknown: "no meter here", Kind: NoMeter, NPUUnknown: "no NPU here"}, s)
	a = newAccumulator(nil, raplRights, nil, Unknown("no NPU here"), (&testClock{}).now)
	require.Equal(t, NoPermission, a.Summary().Kind)
}

func TestTheNPUIsKnownWithoutEnergy(t *testing.T) {
	p := newPlayed()
	p.a = newAccumulator(nil, Unknown("no meter here"), []Counter{p.npu}, nil, p.now)
	for range 3 {
		p.text(time.Second, 0)
		p.draw(10*time.Second, 0, 0)
		p.a.Look()
	}
	s := p.a.Summary()
	require.Equal(t, "no meter here", s.Unknown)
	require.InDelta(t, 0.25, s.NPUShare.Value, 0.001)

	p.npu.err = Unknown("the NPU is gone")
	p.a.Reset()
	p.text(time.Second, 0)
	require.Equal(t, "the NPU is gone", p.a.Summary().NPUUnknown)
	require.Nil(t, p.a.Summary().NPUShare)
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	p := newPlayed()
	for range 3 * keptSpans {
		p.text(time.Second, 20)
		p.draw(2*time.Second, 5, 0)
	}
	require.Len(t, p.a.spans, keptSpans)
	require.Len(t, p.a.idle, keptIdle)
	require.Equal(t, keptSpans, p.a.Summary().Texts)
}

// TestTheIntervalIsThatOfTheFormula works one out by hand: two spans of 3 s and 4 s
// at an idle draw of 5 W, measured 5 times with a standard deviation of 0.5 W.
func TestTheIntervalIsThatOfTheFormula(t *testing.T) {
	q, err := Baseline{Watts: 5, Spread: 0.5, Spans: 5}.Net([]Difference{{Value: 60, Took: 3 * time.Second}, {Value: 75, Took: 4 * time.Second}})
	require.NoError(t, err)
	require.InDelta(t, 100, q.Value, 1e-9)
	// 2.776 (4 degrees of freedom) * 0.5 * sqrt(7*7/5 + 3*3 + 4*4)
	require.InDelta(t, 100-8.2, q.Low, 0.05)
	require.InDelta(t, 100+8.2, q.High, 0.05)
}

// TestStudent compares with printed tables of the two-sided 5 % points.
func TestStudent(t *testing.T) {
	for freedom, want := range map[float64]float64{
		0.5: 12.706, 1: 12.706, 2.9: 4.303, 10: 2.228, 11: 2.201, 15: 2.131, 20: 2.086, 30: 2.042, 60: 2.000, math.Inf(1): 1.960,
	} {
		require.InDelta(t, want, student(freedom), 0.0006, freedom)
	}
}
