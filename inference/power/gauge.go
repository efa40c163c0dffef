package power

// Gauge reads several counters of one scope as one: the packages of a machine.
type Gauge struct {
	counters []Counter
	clock    func() Instant
}

// NewGauge sums counters by this machine's clocks.
func NewGauge(counters []Counter) *Gauge { return &Gauge{counters, now} }

// Span is the time since a first reading.
type Span struct {
	gauge   *Gauge
	tallies []tally
}

// Begin reads all counters.
func (g *Gauge) Begin() *Span {
	s := &Span{g, make([]tally, len(g.counters))}
	at := g.clock()
	for i, c := range g.counters {
		s.tallies[i].last = read(c, at)
	}
	return s
}

// Look reads them once more. A span that goes on for long needs that, so that no
// counter goes round twice between two readings.
func (s *Span) Look() {
	at := s.gauge.clock()
	for i, c := range s.gauge.counters {
		s.tallies[i].add(c.Facts(), read(c, at))
	}
}

// End reads them and says what was used since Begin, or why that is not known
// (Unknown).
func (s *Span) End() (Difference, error) {
	s.Look()
	var sum Difference
	if len(s.tallies) == 0 {
		return sum, unknown("there is no meter")
	}
	for i, c := range s.gauge.counters {
		d, err := s.tallies[i].difference(c.Facts())
		if err != nil {
			return Difference{}, err
		}
		sum.Value += d.Value
		sum.Bound += d.Bound
		sum.Took = max(sum.Took, d.Took)
	}
	return sum, nil
}

// next is a span that begins with the last reading of this one.
func (s *Span) next() *Span {
	n := &Span{s.gauge, make([]tally, len(s.tallies))}
	for i, t := range s.tallies {
		n.tallies[i].last = t.last
	}
	return n
}

// due says whether a counter may go round twice if it is not read before as much
// time again has passed as since the last reading.
func (s *Span) due() bool {
	at := s.gauge.clock()
	for i, c := range s.gauge.counters {
		f := c.Facts()
		if f.Range > 0 && 2*(at.Awake-s.tallies[i].last.at.Awake).Seconds()*f.Most >= float64(f.Range)*f.Step {
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

func (d Difference) plus(e Difference) Difference {
	return Difference{Value: d.Value + e.Value, Bound: d.Bound + e.Bound, Took: d.Took + e.Took}
}
