package telemetry

import (
	"slices"
	"time"

	common "go.opentelemetry.io/proto/otlp/common/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/protobuf/encoding/protojson"
)

// OpenTelemetry returns all that is kept as OTLP's JSON (MetricsData of
// opentelemetry-proto), which a collector reads from a file or takes at
// /v1/metrics.
func (r *Recorder) OpenTelemetry(version string) ([]byte, error) {
	return protojson.Marshal(&metrics.MetricsData{ResourceMetrics: []*metrics.ResourceMetrics{{
		Resource:     &resource.Resource{Attributes: attributes("service.name", "dragoman", "service.version", version)},
		ScopeMetrics: []*metrics.ScopeMetrics{{Scope: &common.InstrumentationScope{Name: "dragoman"}, Metrics: r.metrics(time.Now())}},
	}}})
}

// units are OpenTelemetry's (UCUM).
var units = map[Unit]string{Seconds: "s", Ratio: "1", PerSecond: "{token}/s"}

func (r *Recorder) metrics(now time.Time) []*metrics.Metric {
	r.mu.Lock()
	defer r.mu.Unlock()
	begin, at := uint64(r.since.UnixNano()), uint64(now.UnixNano())
	var all []*metrics.Metric
	for _, d := range r.distributions {
		point := &metrics.HistogramDataPoint{
			StartTimeUnixNano: begin, TimeUnixNano: at, Count: d.count, Sum: new(d.sum),
			BucketCounts: slices.Clone(d.counts), ExplicitBounds: d.bounds, Attributes: attributes("lane", d.label),
		}
		if d.count > 0 {
			point.Min, point.Max = new(d.low), new(d.top)
		}
		name := "dragoman." + d.name
		if n := len(all); n > 0 && all[n-1].Name == name {
			h := all[n-1].GetHistogram()
			h.DataPoints = append(h.DataPoints, point)
			continue
		}
		all = append(all, &metrics.Metric{Name: name, Description: d.help, Unit: units[d.unit], Data: &metrics.Metric_Histogram{Histogram: &metrics.Histogram{
			AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, DataPoints: []*metrics.HistogramDataPoint{point},
		}}})
	}
	for _, c := range r.counters {
		sum := &metrics.Sum{AggregationTemporality: metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, IsMonotonic: true}
		for _, value := range c.sorted() {
			sum.DataPoints = append(sum.DataPoints, &metrics.NumberDataPoint{
				StartTimeUnixNano: begin, TimeUnixNano: at, Attributes: attributes(c.label, value),
				Value: &metrics.NumberDataPoint_AsInt{AsInt: c.values[value]},
			})
		}
		if len(sum.DataPoints) > 0 {
			all = append(all, &metrics.Metric{Name: "dragoman." + c.name, Description: c.help, Unit: "1", Data: &metrics.Metric_Sum{Sum: sum}})
		}
	}
	return all
}

// attributes are pairs of names and values; what has no value is left out.
func attributes(pairs ...string) []*common.KeyValue {
	var all []*common.KeyValue
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" {
			all = append(all, &common.KeyValue{Key: pairs[i], Value: &common.AnyValue{Value: &common.AnyValue_StringValue{StringValue: pairs[i+1]}}})
		}
	}
	return all
}
