package trust

import (
	"fmt"
	"time"
)

// Speed compares a device with the processor at decoding.
type Speed struct {
	Token, ProcessorToken time.Duration // for one token, medians
	// Joules for a thousand tokens, 0 where they are not known.
	Joules, ProcessorJoules float64
	NoJoules                string // why they are not known
	Better                  bool   // the device
	Asked                   bool   // it serves because it was asked for
	When                    time.Time
}

// A device must be clearly better: a change of device costs memory, and figures
// of a short measurement scatter. Where it spares much energy it may be a
// little slower.
const (
	clearly  = 0.9
	thrifty  = 0.7
	slowness = 1.25
)

// Judge says whether the device is to decode.
func (s Speed) Judge() bool {
	ratio := float64(s.Token) / float64(s.ProcessorToken)
	if s.Joules > 0 && s.ProcessorJoules > 0 {
		switch cost := s.Joules / s.ProcessorJoules; {
		case cost <= thrifty:
			return ratio <= slowness
		case cost > 1/thrifty: // a little faster is not worth that
			return ratio <= thrifty
		}
	}
	return ratio <= clearly
}

// String has the figures.
func (s Speed) String() string {
	milliseconds := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
	text := fmt.Sprintf("a token takes it %.2f ms, the processor %.2f ms", milliseconds(s.Token), milliseconds(s.ProcessorToken))
	if s.Joules > 0 && s.ProcessorJoules > 0 {
		text += fmt.Sprintf("; a thousand tokens %.1f J, the processor %.1f J", s.Joules, s.ProcessorJoules)
	} else if s.NoJoules != "" {
		text += "; energy unknown: " + s.NoJoules
	}
	return text + "; measured " + s.When.Format(time.DateOnly)
}
