package power

import (
	"context"
	"math"
)

// Trial is what the same work cost in several rounds. What is nil is unknown.
type Trial struct {
	JoulesPerText           *Quantity
	JoulesPerThousandTokens *Quantity
	Unknown                 string // why there are no joules
	Idle                    *Quantity
	NPUShare                *Quantity
	Texts, Tokens           int
	Seconds                 float64 // of work
}

// Measure lets the machine rest and work in turn, so that what it draws anyway is
// measured as often as the work and close to it. rest and work take as long as
// they like; work says what it did. An error of theirs ends it. npu may be nil.
func Measure(ctx context.Context, energy, npu *Gauge, rounds int, rest func(context.Context) error, work func(context.Context) (Work, error)) (Trial, error) {
	var t Trial
	var idle, busy []Difference
	var share Difference
	for range rounds {
		d, wrong, err := spanOf(energy, func() error { return rest(ctx) })
		if err != nil {
			return t, err
		}
		if wrong != nil {
			return Trial{Unknown: wrong.Error()}, nil
		}
		idle = append(idle, d)
		var done Work
		var npuSpan *Span
		if npu != nil {
			npuSpan = npu.Begin()
		}
		d, wrong, err = spanOf(energy, func() (err error) { done, err = work(ctx); return err })
		if err != nil {
			return t, err
		}
		if wrong != nil {
			return Trial{Unknown: wrong.Error()}, nil
		}
		if npuSpan != nil {
			if s, err := npuSpan.End(); err == nil {
				share = share.plus(s)
			} else {
				npu = nil // what is known of some rounds only is not known
			}
		}
		busy = append(busy, d)
		t.Texts += done.Texts
		t.Tokens += done.Tokens
		t.Seconds += d.Took.Seconds()
	}
	t.conclude(idle, busy)
	if npu != nil && share.Took > 0 {
		t.NPUShare = share.share()
	}
	return t, nil
}

// spanOf measures f; wrong is why that did not succeed.
func spanOf(g *Gauge, f func() error) (d Difference, wrong, err error) {
	s := g.Begin()
	if err := f(); err != nil {
		return d, nil, err
	}
	d, wrong = s.End()
	return d, wrong, nil
}

func (t *Trial) conclude(idle, busy []Difference) {
	base, err := NewBaseline(idle)
	if err != nil {
		t.Unknown = err.Error()
		return
	}
	half := student(float64(base.Spans-1)) * base.Spread / math.Sqrt(float64(base.Spans))
	t.Idle = &Quantity{Value: base.Watts, Low: max(base.Watts-half, 0), High: base.Watts + half, Unit: Watt}
	net, err := base.Net(busy)
	switch {
	case err != nil:
		t.Unknown = err.Error()
		return
	case t.Texts == 0:
		t.Unknown = "no text was translated"
		return
	}
	t.JoulesPerText = net.per(float64(t.Texts))
	if t.Tokens > 0 {
		t.JoulesPerThousandTokens = net.per(float64(t.Tokens) / 1000)
	}
}

// Minus is the difference of two quantities that were measured apart.
func (q Quantity) Minus(r Quantity) Quantity {
	d, half := q.Value-r.Value, math.Hypot((q.High-q.Low)/2, (r.High-r.Low)/2)
	return Quantity{Value: d, Low: d - half, High: d + half, Unit: q.Unit}
}

// share is a time as a share of the span it was in.
func (d Difference) share() *Quantity {
	t := d.Took.Seconds()
	share, bound := d.Value/t, d.Bound/t
	return &Quantity{Value: min(share, 1), Low: max(share-bound, 0), High: min(share+bound, 1), Unit: Share}
}
