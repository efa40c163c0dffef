package main

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"dragoman/daemon/api"
)

// statsText is how the service did since its start.
func statsText(t *api.Telemetry) string {
	if t == nil {
		return "this service is an older one and keeps no such figures: `dragoman service install` replaces it\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "since %s\n\n", t.Since.Local().Format(time.DateTime))
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "\ttimes\tmean\tmedian\t95 % within\tmost\t")
	for _, d := range t.Distributions {
		value := func(v float64) string { return statValue(v, d.Unit) }
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\n", statName(d.Name, d.Lane), d.Count, value(d.Mean), value(d.P50), value(d.P95), value(d.Max), d.Help)
	}
	w.Flush()
	b.WriteString("\n")
	for _, c := range t.Counts {
		fmt.Fprintf(w, "%s\t%d\t%s\n", statName(c.Name, c.Reason), c.Value, c.Help)
	}
	w.Flush()
	return b.String()
}

func statName(name, label string) string {
	name = strings.ReplaceAll(name, "_", " ")
	if label != "" {
		name += " (" + printable(label) + ")"
	}
	return name
}

// statValue writes a value with its unit.
func statValue(v float64, unit string) string {
	switch {
	case unit == "seconds" && v < 1:
		return fmt.Sprintf("%.2f ms", 1000*v)
	case unit == "seconds":
		return fmt.Sprintf("%.2f s", v)
	case unit == "ratio":
		return fmt.Sprintf("%.0f %%", 100*v)
	case unit == "per_second":
		return fmt.Sprintf("%.0f/s", v)
	}
	return fmt.Sprint(v)
}
