package power

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEveryMeterTellsWhatItCannotKnow turns each meter as broken and unlucky ones
// turn: what is told is right, or unknown with the reason.
func TestEveryMeterTellsWhatItCannotKnow(t *testing.T) {
	for name := range meters(t) {
		t.Run(name, func(t *testing.T) {
			f := meters(t)[name].Facts()
			// What is used in a long enough time, far above the resolution.
			took := max(10*time.Second, 10*f.Error.Update)
			rate := f.Most / 4
			used := uint64(rate * took.Seconds() / f.Step)
			value := float64(used) * f.Step
			const start = 1 << 30
			after := func(raw, used uint64) uint64 {
				if f.Falls {
					return raw - used
				}
				return raw + used
			}
			type step struct {
				turn func(m recorded, c *testClock)
				want string // the reason, "" where the value is known
			}
			whole := func(to uint64) func(recorded, *testClock) {
				return func(m recorded, c *testClock) { m.set(to); c.pass(took) }
			}
			for situation, s := range map[string]step{
				"works":            {whole(after(start, used)), ""},
				"missing at end":   {func(m recorded, c *testClock) { m.remove(); c.pass(took) }, "does not"},
				"jumps":            {whole(after(start, used*50)), "more than is possible"},
				"slept":            {func(m recorded, c *testClock) { m.set(after(start, used)); c.pass(took); c.sleep(time.Hour) }, "the machine slept for 1 hour"},
				"took no time":     {func(recorded, *testClock) {}, "no time"},
				"clock went back":  {func(m recorded, c *testClock) { m.set(after(start, used)); c.pass(-took) }, "no time"},
				"goes backwards":   {whole(after(start, 0) - (after(start, 1000) - start)), "backwards"},
				"frozen for long":  {func(m recorded, c *testClock) { m.set(start); c.pass(25 * took) }, "stands still"},
				"far too short":    {func(m recorded, c *testClock) { m.set(after(start, 1)); c.pass(f.Error.Update / 2) }, "renewed each"},
				"below resolution": {func(m recorded, c *testClock) { m.set(start); c.pass(2 * f.Error.Update) }, "below what"},
			} {
				if f.Rests && (situation == "frozen for long" || situation == "far too short" || situation == "below resolution") {
					continue
				}
				t.Run(situation, func(t *testing.T) {
					m, c := meters(t)[name], &testClock{at: Instant{time.Hour, 2 * time.Hour}}
					m.set(start)
					span := (&Gauge{[]Counter{m}, c.now}).Begin()
					s.turn(m, c)
					d, err := span.End()
					if s.want != "" {
						require.ErrorContains(t, err, s.want)
						require.ErrorAs(t, err, new(Unknown))
						require.Zero(t, d)
						return
					}
					require.NoError(t, err)
					require.InDelta(t, value, d.Value, 1e-9*value)
					require.GreaterOrEqual(t, d.Bound, f.Error.Resolution)
					require.Less(t, d.Bound, d.Value)
					require.Equal(t, took, d.Took)
				})
			}
			t.Run("missing at begin", func(t *testing.T) {
				m, c := meters(t)[name], &testClock{}
				m.remove()
				span := (&Gauge{[]Counter{m}, c.now}).Begin()
				c.pass(took)
				_, err := span.End()
				require.ErrorContains(t, err, "does not")
				require.ErrorAs(t, err, new(Unknown))
			})
			if f.Range > 0 {
				t.Run("goes round", func(t *testing.T) { goesRound(t, name, f, used, took) })
			}
			if f.Rests {
				t.Run("rests", func(t *testing.T) { rests(t, name, took) })
			}
		})
	}
}

func goesRound(t *testing.T, name string, f Facts, used uint64, took time.Duration) {
	m, c := meters(t)[name], &testClock{}
	g := &Gauge{[]Counter{m}, c.now}
	m.set(f.Range - used/2)
	span := g.Begin()
	c.pass(took)
	m.set(used - used/2)
	d, err := span.End()
	require.NoError(t, err)
	require.InDelta(t, float64(used)*f.Step, d.Value, 1e-9*d.Value)

	for range 3 { // looked at in time, it may go round as often as it likes
		c.pass(took)
		m.set(f.Range - used/2)
		span = span.next()
		span.tallies[0].last.raw = f.Range - used
		span.Look()
		c.pass(took)
		m.set(used / 2)
		d, err = span.End()
		require.NoError(t, err)
		require.InDelta(t, 1.5*float64(used)*f.Step, d.Value, 1e-6*d.Value)
	}

	span = g.Begin()
	require.False(t, span.due())
	c.pass(time.Second + time.Duration(float64(f.Range)*f.Step/f.Most*float64(time.Second)))
	require.True(t, span.due())
	_, err = span.End()
	require.ErrorContains(t, err, "more than once", "it may have gone round twice, whatever it shows")

	span = g.Begin()
	m.set(f.Range + 1)
	c.pass(took)
	_, err = span.End()
	require.ErrorContains(t, err, "more than its own range")
}

func rests(t *testing.T, name string, took time.Duration) {
	m, c := meters(t)[name], &testClock{}
	m.set(5)
	span := (&Gauge{[]Counter{m}, c.now}).Begin()
	c.pass(took)
	d, err := span.End()
	require.NoError(t, err)
	require.Zero(t, d.Value)
	require.Positive(t, d.Bound)
}

func TestTheClocksOfThisMachineGoOn(t *testing.T) {
	a := now()
	b := now()
	require.Positive(t, a.Awake)
	require.Positive(t, a.Whole)
	require.GreaterOrEqual(t, b.Awake, a.Awake)
	require.Zero(t, slept(a, b))
}

func TestDigits(t *testing.T) {
	for want, v := range map[string]float64{"0": 0, "1.23": 1.234, "0.0123": 0.012345, "123": 123.4, "12346": 12345.6, "-1.50": -1.5} {
		require.Equal(t, want, digits(v))
	}
	require.Equal(t, "2.50 J (2.00 to 3.00)", Quantity{2.5, 2, 3, Joule}.String())
	require.Equal(t, "+Inf", digits(math.Inf(1)))
}
