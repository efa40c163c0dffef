package power

// Gauge reads several counters of one scope as one: the packages of a machine.
type Gauge struct {
	counters []Counter
	clock    func() Instant
}

// NewGauge sums counters by this machine's clocks.
func NewGauge(counters []Counter) *Gauge { return &Gauge{counters, now} }

// Span is the time between two readings.
type Span struct {
	gauge *Gauge
	begin []sample
}

// Begin reads all counters.
func (g *Gauge) Begin() *Span { return &Span{g, g.read()} }

// End reads them again and says what was used between, or why that is not known
// (Unknown). It may be called more than once.
func (s *Span) End() (Difference, error) {
	return s.gauge.between(s.begin, s.gauge.read())
}

func (g *Gauge) read() []sample {
	all := make([]sample, len(g.counters))
	for i, c := range g.counters {
		all[i] = read(c, g.clock)
	}
	return all
}

func (g *Gauge) between(a, b []sample) (Difference, error) {
	var sum Difference
	if len(g.counters) == 0 {
		return sum, unknown("there is no meter")
	}
	for i, c := range g.counters {
		d, err := c.Facts().between(a[i], b[i])
		if err != nil {
			return Difference{}, err
		}
		sum.Value += d.Value
		sum.Bound += d.Bound
		sum.Took = max(sum.Took, d.Took)
	}
	return sum, nil
}

// mayWrap says whether a counter could go round twice if the span went on for
// as long again.
func (g *Gauge) mayWrap(begin []sample) bool {
	at := g.clock()
	for i, c := range g.counters {
		f := c.Facts()
		if f.Range > 0 && 2*(at.Awake-begin[i].at.Awake).Seconds()*f.Most >= float64(f.Range)*f.Step {
			return true
		}
	}
	return false
}

// Source names the counters.
func (g *Gauge) Source() string {
	source := ""
	for i, c := range g.counters {
		if i > 0 {
			source += " + "
		}
		source += c.Facts().Source
	}
	return source
}

// Scope is that of the counters, which have the same.
func (g *Gauge) Scope() Scope {
	if len(g.counters) == 0 {
		return ""
	}
	return g.counters[0].Facts().Scope
}
