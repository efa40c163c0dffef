package power

import (
	"math"
	"time"

	"dragoman/internal/english"
)

// fewestIdle is how often the idle draw must have been measured: a spread of
// fewer says nothing.
const fewestIdle = 3

// Baseline is what the machine draws without our work: the mean of several
// measured spans, and how far they lie apart.
type Baseline struct {
	Watts  float64
	Spread float64 // standard deviation of the spans' watts
	Spans  int
}

// NewBaseline takes spans without work.
func NewBaseline(idle []Difference) (Baseline, error) {
	if len(idle) < fewestIdle {
		return Baseline{}, unknown("what the machine draws without work was measured %d times so far, and %d are needed", len(idle), fewestIdle)
	}
	b := Baseline{Spans: len(idle)}
	for _, d := range idle {
		b.Watts += d.Value / d.Took.Seconds() / float64(len(idle))
	}
	for _, d := range idle {
		b.Spread += math.Pow(d.Value/d.Took.Seconds()-b.Watts, 2) / float64(len(idle)-1)
	}
	b.Spread = math.Sqrt(b.Spread)
	return b, nil
}

// Net is the energy of spans of work beyond the baseline, with the interval of
// 95 %, or why that is not known.
//
// Uncertainties are combined as JCGM 100:2008 does: a meter's bound counts as a
// rectangular distribution (4.3.7), the idle draw during the work as further
// values of what was measured without (so that both the mean's uncertainty and
// the spread count), and the factor is Student's for the effective degrees of
// freedom (G.4).
func (b Baseline) Net(work []Difference) (Quantity, error) {
	var gross, seconds, squares, meter float64
	for _, d := range work {
		t := d.Took.Seconds()
		gross += d.Value
		seconds += t
		squares += t * t
		meter += d.Bound * d.Bound / 3
	}
	if seconds == 0 {
		return Quantity{}, unknown("no work has been measured yet")
	}
	idle := b.Spread * b.Spread * (seconds*seconds/float64(b.Spans) + squares)
	u := math.Sqrt(meter + idle)
	freedom := math.Inf(1)
	if idle > 0 {
		freedom = float64(b.Spans-1) * math.Pow((meter+idle)/idle, 2)
	}
	net, half := gross-b.Watts*seconds, student(freedom)*u
	if net <= half {
		return Quantity{}, unknown("the work of %s cannot be told from what the machine draws anyway: %s J more, uncertain by %s J",
			english.Duration(time.Duration(seconds*float64(time.Second))), digits(net), digits(half))
	}
	return Quantity{Value: net, Low: net - half, High: net + half, Unit: Joule}, nil
}

// per divides a quantity among n.
func (q Quantity) per(n float64) *Quantity {
	return &Quantity{Value: q.Value / n, Low: q.Low / n, High: q.High / n, Unit: q.Unit}
}

// students are the two-sided 95 % quantiles of Student's t for 1 to 10 degrees of
// freedom.
var students = []float64{12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228}

// student is the factor of the interval of 95 %. Degrees of freedom are rounded
// down, as JCGM 100:2008 G.4.1 says; above 10 the expansion of Abramowitz and
// Stegun, 26.7.5, is exact to the third digit behind the point.
func student(freedom float64) float64 {
	const z = 1.959964
	if math.IsInf(freedom, 1) {
		return z
	}
	v := math.Floor(freedom)
	if int(v) <= len(students) {
		return students[max(int(v), 1)-1]
	}
	return z + (math.Pow(z, 3)+z)/(4*v) + (5*math.Pow(z, 5)+16*math.Pow(z, 3)+3*z)/(96*v*v) +
		(3*math.Pow(z, 7)+19*math.Pow(z, 5)+17*math.Pow(z, 3)-15*z)/(384*v*v*v)
}
