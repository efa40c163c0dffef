package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"
)

// line is one figure with its spread, or one value.
type line struct {
	Group  string    `json:"group"`
	Name   string    `json:"name"`
	Unit   string    `json:"unit"`
	Min    float64   `json:"min"`
	Median float64   `json:"median"`
	Max    float64   `json:"max"`
	Target float64   `json:"target,omitempty"` // the median should not be above it; 0 is no target
	Least  float64   `json:"least,omitempty"`  // the median should not be below it; 0 is no target
	Values []float64 `json:"values"`           // of the rounds, in their order
}

type report struct {
	Machine machine  `json:"machine"`
	Lines   []line   `json:"lines"`
	Skipped []string `json:"skipped,omitempty"`
}

func (r *report) add(group, name, unit string, target float64, values ...float64) {
	sorted := slices.Sorted(slices.Values(values))
	r.Lines = append(r.Lines, line{
		Group: group, Name: name, Unit: unit, Target: target, Values: values,
		Min: sorted[0], Median: median(sorted), Max: sorted[len(sorted)-1],
	})
}

// atLeast turns the aim of the line that was added last round.
func (r *report) atLeast(least float64) {
	r.Lines[len(r.Lines)-1].Least = least
}

// aimless takes the aims off the lines from one on.
func (r *report) aimless(first int) {
	for i := range r.Lines[first:] {
		r.Lines[first+i].Target, r.Lines[first+i].Least = 0, 0
	}
}

// Names of the lines that bench-check compares and the plot shows.
const (
	timeRatio  = "time, ratio round by round"
	speedRatio = "speed, ratio round by round"
)

// compare adds two series of times whose rounds took turns, and both kinds of
// ratio: of the medians, and of each pair of neighbours, which noise that lasts
// longer than a round does not touch.
func (r *report) compare(group, ours, theirs string, target float64, a, b []float64) {
	r.series(group, ours, theirs, a, b)
	r.add(group, "time, ratio of the medians", "", target, middle(a)/middle(b))
	r.add(group, timeRatio, "", target, pairs(a, b)...)
}

// compareSpeed is compare with ratios of speed, which should be high.
func (r *report) compareSpeed(group, ours, theirs string, least float64, a, b []float64) {
	r.series(group, ours, theirs, a, b)
	r.add(group, "speed, ratio of the medians", "", 0, middle(b)/middle(a))
	r.atLeast(least)
	r.add(group, speedRatio, "", 0, pairs(b, a)...)
	r.atLeast(least)
}

func (r *report) series(group, ours, theirs string, a, b []float64) {
	r.add(group, ours, "ms", 0, a...)
	r.add(group, theirs, "ms", 0, b...)
}

func pairs(a, b []float64) []float64 {
	ratios := make([]float64, len(a))
	for i := range a {
		ratios[i] = a[i] / b[i]
	}
	return ratios
}

func (r *report) skip(what string, why error) {
	r.Skipped = append(r.Skipped, fmt.Sprintf("%s: %v", what, why))
}

func (r *report) print(out io.Writer) {
	r.Machine.print(out)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	group := ""
	for _, l := range r.Lines {
		name := l.label()
		// The writer aligns to the right: names are filled up to stay left.
		name += strings.Repeat(" ", r.widest(l.Group)-utf8.RuneCountInString(name))
		if l.Group != group {
			w.Flush() // columns are as wide as a group needs
			group = l.Group
			fmt.Fprintf(out, "\n%s\n", group)
			fmt.Fprintln(w, "\tmin\tmedian\tmax\ttarget\t\t")
		}
		if len(l.Values) == 1 {
			fmt.Fprintf(w, "%s\t\t%s\t\t%s\t\n", name, number(l.Median), verdict(l))
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t\n", name, number(l.Min), number(l.Median), number(l.Max), verdict(l))
	}
	w.Flush()
	if len(r.Skipped) > 0 {
		fmt.Fprintln(out, "\nskipped")
	}
	for _, s := range r.Skipped {
		fmt.Fprintln(out, " ", s)
	}
}

func (l line) label() string {
	if l.Unit == "" {
		return l.Name
	}
	return l.Name + ", " + l.Unit
}

// widest is the length of a group's longest label.
func (r *report) widest(group string) int {
	width := 0
	for _, l := range r.Lines {
		if l.Group == group {
			width = max(width, utf8.RuneCountInString(l.label()))
		}
	}
	return width
}

func verdict(l line) string {
	aim := ""
	switch {
	case l.Target != 0:
		aim = "≤ " + number(l.Target)
	case l.Least != 0:
		aim = "≥ " + number(l.Least)
	default:
		return "\t"
	}
	if l.met() {
		return aim + "\tmet"
	}
	return aim + "\tmissed"
}

func (l line) met() bool {
	return (l.Target == 0 || l.Median <= l.Target) && l.Median >= l.Least
}

// number shows three significant digits, and whole numbers from 100 on.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.2f", v)
	}
}

// median of sorted values; of an even number of them the mean of the two in
// the middle.
func median(sorted []float64) float64 {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
