package telemetry

import (
	"io"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
)

// Prometheus' names begin with this.
const prefix = "dragoman_"

// WritePrometheus writes all that is kept in Prometheus' text format 0.0.4.
func (r *Recorder) WritePrometheus(w io.Writer) error {
	for _, family := range r.families() {
		if _, err := expfmt.MetricFamilyToText(w, family); err != nil {
			return err
		}
	}
	return nil
}

// PrometheusType is the media type of what WritePrometheus writes.
var PrometheusType = string(expfmt.NewFormat(expfmt.TypeTextPlain))

func (r *Recorder) families() []*dto.MetricFamily {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []*dto.MetricFamily
	for _, d := range r.distributions {
		name := prefix + d.name + "_" + string(d.unit)
		m := &dto.Metric{Label: labels("lane", d.label), Histogram: d.prometheus()}
		if n := len(all); n > 0 && *all[n-1].Name == name {
			all[n-1].Metric = append(all[n-1].Metric, m)
			continue
		}
		all = append(all, &dto.MetricFamily{Name: &name, Help: &d.help, Type: dto.MetricType_HISTOGRAM.Enum(), Metric: []*dto.Metric{m}})
	}
	for _, c := range r.counters {
		name := prefix + c.name + "_total"
		family := &dto.MetricFamily{Name: &name, Help: &c.help, Type: dto.MetricType_COUNTER.Enum()}
		for _, value := range c.sorted() {
			n := float64(c.values[value])
			family.Metric = append(family.Metric, &dto.Metric{Label: labels(c.label, value), Counter: &dto.Counter{Value: &n}})
		}
		if len(family.Metric) > 0 {
			all = append(all, family)
		}
	}
	return all
}

func labels(name, value string) []*dto.LabelPair {
	if value == "" {
		return nil
	}
	return []*dto.LabelPair{{Name: &name, Value: &value}}
}

func (h *histogram) prometheus() *dto.Histogram {
	out := &dto.Histogram{SampleCount: new(h.count), SampleSum: new(h.sum)} // copies: it is written without the lock
	var below uint64
	for i, bound := range h.bounds {
		below += h.counts[i]
		n := below
		out.Bucket = append(out.Bucket, &dto.Bucket{UpperBound: &bound, CumulativeCount: &n})
	}
	return out
}
