package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
)

// figure is one measured thing with its spread.
type figure struct {
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Min    float64   `json:"min"`
	Median float64   `json:"median"`
	Max    float64   `json:"max"`
	Goal   *goal     `json:"goal,omitempty"` // of the median
	Values []float64 `json:"values"`         // of the rounds, in their order
}

// goal is a promise.
type goal struct {
	Limit float64 `json:"limit"`
	Least bool    `json:"least"` // Limit is the least, not the most
}

func most(limit float64) *goal  { return &goal{Limit: limit} }
func least(limit float64) *goal { return &goal{Limit: limit, Least: true} }

func (g *goal) met(v float64) bool {
	if g.Least {
		return v >= g.Limit
	}
	return v <= g.Limit
}

// part is what was measured together, and how busy the machine was meanwhile.
type part struct {
	Title   string    `json:"title"`
	Load    []float64 `json:"load"` // processes that ran or waited, average of a minute: before and after
	Figures []figure  `json:"figures"`
	Line    string    `json:"line,omitempty"` // the same in short, to be quoted
}

type report struct {
	Parts   []*part `json:"parts"`
	printed int
}

// begin starts a part; the caller adds to it and calls end.
func (r *report) begin(title string) *part {
	p := &part{Title: title, Load: []float64{load()}}
	r.Parts = append(r.Parts, p)
	return p
}

func (p *part) end() { p.Load = append(p.Load, load()) }

func (p *part) add(name, unit string, g *goal, values ...float64) {
	sorted := slices.Sorted(slices.Values(values))
	p.Figures = append(p.Figures, figure{
		Name: name, Unit: unit, Goal: g, Values: values,
		Min: sorted[0], Median: median(sorted), Max: sorted[len(sorted)-1],
	})
}

// latencies adds a series of which the slow ones count.
func (p *part) latencies(name string, values []float64) {
	p.add(name, "ms", nil, values...)
	sorted := slices.Sorted(slices.Values(values))
	p.add(name+", 95 of 100 within", "ms", nil, sorted[len(sorted)*95/100])
}

// last is the median of a figure that was added.
func (p *part) last(name string) float64 {
	for _, f := range slices.Backward(p.Figures) {
		if f.Name == name {
			return f.Median
		}
	}
	return 0
}

func load() (minute float64) {
	text, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(text), &minute) // not there: 0
	return minute
}

// print writes the parts that have been added since the last call.
func (r *report) print(out io.Writer) {
	for _, p := range r.Parts[r.printed:] {
		fmt.Fprintf(out, "\n%s (load%s on %d processors)\n", p.Title, list(p.Load), runtime.NumCPU())
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintln(w, "\tmin\tmedian\tmax\tgoal\t\t")
		for _, f := range p.Figures {
			fmt.Fprintln(w, p.row(f))
		}
		w.Flush()
		if p.Line != "" {
			fmt.Fprintln(out, p.Line)
		}
	}
	r.printed = len(r.Parts)
}

func (p *part) row(f figure) string {
	// The writer aligns to the right: names are filled up to stay left.
	name := f.label()
	for _, other := range p.Figures {
		name += strings.Repeat(" ", max(0, len(other.label())-len(name)))
	}
	lowest, highest := number(f.Min), number(f.Max)
	if len(f.Values) == 1 {
		lowest, highest = "", ""
	}
	return strings.Join([]string{name, lowest, number(f.Median), highest, f.verdict(), ""}, "\t")
}

func (f figure) label() string {
	if f.Unit == "" {
		return f.Name
	}
	return f.Name + ", " + f.Unit
}

func (f figure) verdict() string {
	if f.Goal == nil {
		return "\t"
	}
	sign, word := "<=", "missed"
	if f.Goal.Least {
		sign = ">="
	}
	if f.Goal.met(f.Median) {
		word = "met"
	}
	return sign + " " + number(f.Goal.Limit) + "\t" + word
}

// number shows three significant digits, and whole numbers from 100 on.
func number(v float64) string {
	switch size := max(v, -v); {
	case size >= 100:
		return fmt.Sprintf("%.0f", v)
	case size >= 10:
		return fmt.Sprintf("%.1f", v)
	case size >= 0.1 || size == 0:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.3g", v)
	}
}

func list(values []float64) string {
	text := ""
	for _, v := range values {
		text += " " + number(v)
	}
	return text
}

// median of sorted values; of an even number of them the mean of the two in
// the middle.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// medianWithin is the 95 % confidence interval of the median: the order
// statistics that the binomial distribution gives, by its normal approximation.
func medianWithin(values []float64) (low, high float64) {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	away := int(math.Ceil(1.96 * math.Sqrt(float64(n)) / 2))
	return sorted[max(0, (n-1)/2-away)], sorted[min(n-1, n/2+away)]
}

func medianOf(values []float64) float64 { return median(slices.Sorted(slices.Values(values))) }
