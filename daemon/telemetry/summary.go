package telemetry

import (
	"time"

	"dragoman/daemon/api"
)

// Summary is all that is kept, in short. What never happened is left out.
func (r *Recorder) Summary() *api.Telemetry {
	r.mu.Lock()
	defer r.mu.Unlock()
	t := &api.Telemetry{Since: r.since.Round(time.Second), Distributions: []api.Distribution{}, Counts: []api.Count{}}
	for _, d := range r.distributions {
		if d.count == 0 {
			continue
		}
		t.Distributions = append(t.Distributions, api.Distribution{
			Name: d.name, Unit: string(d.unit), Lane: d.label, Help: d.help, Count: int64(d.count),
			Mean: d.sum / float64(d.count), P50: d.quantile(0.5), P95: d.quantile(0.95), Max: d.top,
		})
	}
	for _, c := range r.counters {
		for _, value := range c.sorted() {
			if n := c.values[value]; n > 0 {
				t.Counts = append(t.Counts, api.Count{Name: c.name, Reason: value, Help: c.help, Value: n})
			}
		}
	}
	return t
}
