package power

import "fmt"

// Summary is what the last texts cost. A figure that is nil is unknown; it is
// never 0.
type Summary struct {
	JoulesPerText           *Quantity
	JoulesPerThousandTokens *Quantity // that the model made
	// NPUShare is the share of the time of the texts in which the NPU had work.
	NPUShare   *Quantity
	Unknown    string // why there are no joules
	Kind       Kind   // of Unknown, for programs
	NPUUnknown string // why there is no share
	Source     string // of the joules
	Scope      Scope  // of the joules
	Texts      int    // that were measured
}

// Kind is what kind of reason there is for unknown joules.
type Kind string

// The kinds.
const (
	NoMeter      Kind = "no_meter"
	NoPermission Kind = "no_permission" // to read the meter that is there
	NotMeasured  Kind = "not_measured"  // not yet, or not to be told from other draw
)

// Summary works out what is known now.
func (a *Accumulator) Summary() Summary {
	a.mu.Lock()
	defer a.mu.Unlock()
	var s Summary
	s.energy(a)
	if s.Unknown != "" {
		s.Kind = NotMeasured
		if !a.energy.there() {
			s.Kind = kindOf(a.energy.none)
		}
	}
	s.npu(a)
	return s
}

func kindOf(none error) Kind {
	if none == error(raplRights) {
		return NoPermission
	}
	return NoMeter
}

func (s *Summary) energy(a *Accumulator) {
	if !a.energy.there() {
		s.Unknown = a.energy.none.Error()
		return
	}
	s.Source, s.Scope = a.energy.gauge.Source(), a.energy.gauge.Scope()
	var work []Difference
	tokens := 0
	for _, span := range a.spans {
		if span.noEnergy == nil {
			work = append(work, span.energy)
			s.Texts += span.texts
			tokens += span.tokens
		}
	}
	if len(work) == 0 {
		s.Unknown = a.none()
		return
	}
	base, err := NewBaseline(a.idle)
	if err != nil {
		s.Unknown = err.Error()
		return
	}
	net, err := base.Net(work)
	if err != nil {
		s.Unknown = err.Error()
		return
	}
	s.JoulesPerText = net.per(float64(s.Texts))
	if tokens > 0 {
		s.JoulesPerThousandTokens = net.per(float64(tokens) / 1000)
	}
}

func (a *Accumulator) none() string {
	if a.wrong != nil {
		return fmt.Sprintf("no text could be measured yet: %v", a.wrong)
	}
	return "no text was translated yet"
}

func (s *Summary) npu(a *Accumulator) {
	if !a.npu.there() {
		s.NPUUnknown = a.npu.none.Error()
		return
	}
	var sum Difference
	var err error
	for _, span := range a.spans {
		if span.noNPU == nil {
			sum = sum.plus(span.npu)
		} else {
			err = span.noNPU
		}
	}
	if sum.Took == 0 {
		s.NPUUnknown = "no text was translated yet"
		if err != nil {
			s.NPUUnknown = err.Error()
		}
		return
	}
	s.NPUShare = sum.share()
}
