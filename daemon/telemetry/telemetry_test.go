package telemetry

import (
	"bytes"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protojson"

	"dragoman/daemon/api"
	"dragoman/inference"
)

func filled() *Recorder {
	r := New()
	for i := range 100 {
		r.Text(inference.Stats{
			Sentences: 2, Remembered: 1, TokensIn: 20, TokensOut: 10, Tokenise: time.Millisecond, Encode: 5 * time.Millisecond,
			FirstToken: time.Duration(i+1) * time.Millisecond, TokenMedian: 2 * time.Millisecond, Total: 100 * time.Millisecond,
			BucketTokens: 32, PaddingTokens: 8, Cut: 1, Guarded: 3, Kept: 1,
		}, time.Duration(i)*time.Millisecond, i%4 == 0)
	}
	r.Text(inference.Stats{Remembered: 4, Total: time.Microsecond}, 0, true)
	r.Failed()
	r.Graph(true, 20*time.Millisecond)
	r.Graph(true, 30*time.Millisecond)
	r.Graph(false, 9*time.Second)
	r.Started(time.Second)
	for _, reason := range []string{"the driver is missing", "the driver is missing", "", "the driver is missing", "it hangs"} {
		r.Fell(reason)
	}
	return r
}

func find(t *testing.T, s *api.Telemetry, name, lane string) api.Distribution {
	t.Helper()
	for _, d := range s.Distributions {
		if d.Name == name && d.Lane == lane {
			return d
		}
	}
	require.Fail(t, "no "+name)
	return api.Distribution{}
}

func TestSummary(t *testing.T) {
	s := filled().Summary()
	ttft := find(t, s, "first_token", "")
	require.EqualValues(t, 100, ttft.Count, "a text that the memory answered has none")
	require.InDelta(t, 0.0505, ttft.Mean, 1e-9)
	require.InEpsilon(t, 0.050, ttft.P50, 0.2)
	require.InEpsilon(t, 0.095, ttft.P95, 0.2)
	require.InDelta(t, 0.1, ttft.Max, 1e-9)
	require.EqualValues(t, 26, find(t, s, "queue_wait", "interactive").Count)
	require.EqualValues(t, 75, find(t, s, "queue_wait", "batch").Count)
	require.InDelta(t, 0.25, find(t, s, "padding", "").P50, 0.05)
	require.InDelta(t, 100, find(t, s, "tokens", "").P50, 20)
	require.InDelta(t, 9, find(t, s, "graph_compile", "").P95, 1e-9, "one value is its own quantile")

	counts := map[string]int64{}
	for _, c := range s.Counts {
		counts[c.Name+" "+c.Reason] = c.Value
		require.NotEmpty(t, c.Help)
	}
	require.Equal(t, map[string]int64{
		"texts ": 101, "texts_failed ": 1, "sentences ": 200, "sentences_remembered ": 104, "tokens_in ": 2000, "tokens_out ": 1000,
		"sentences_cut ": 100, "tokens_guarded ": 300, "sentences_kept ": 100, "graphs_compiled ": 1, "graphs_imported ": 2,
		"falls the driver is missing": 2, "falls it hangs": 1,
	}, counts)
	empty := New().Summary()
	require.Empty(t, empty.Distributions)
	require.Empty(t, empty.Counts)
}

// TestPrometheusReadsIt reads back what is written with Prometheus' own parser.
func TestPrometheusReadsIt(t *testing.T) {
	var b bytes.Buffer
	require.NoError(t, filled().WritePrometheus(&b))
	require.Contains(t, PrometheusType, "text/plain; version=0.0.4")
	parser := expfmt.NewTextParser(model.UTF8Validation)
	families, err := parser.TextToMetricFamilies(&b)
	require.NoError(t, err)
	ttft := families["dragoman_first_token_seconds"]
	require.Equal(t, dto.MetricType_HISTOGRAM, ttft.GetType())
	h := ttft.Metric[0].GetHistogram()
	require.EqualValues(t, 100, h.GetSampleCount())
	require.InDelta(t, 5.05, h.GetSampleSum(), 1e-9)
	last := h.Bucket[len(h.Bucket)-1]
	require.EqualValues(t, 100, last.GetCumulativeCount())
	require.Len(t, families["dragoman_queue_wait_seconds"].Metric, 2, "one a lane")
	falls := families["dragoman_falls_total"]
	require.Len(t, falls.Metric, 2)
	require.Equal(t, "reason", falls.Metric[0].Label[0].GetName())
	require.InDelta(t, 1000, families["dragoman_tokens_out_total"].Metric[0].GetCounter().GetValue(), 0)

	b.Reset()
	require.NoError(t, New().WritePrometheus(&b))
	parser = expfmt.NewTextParser(model.UTF8Validation)
	families, err = parser.TextToMetricFamilies(&b)
	require.NoError(t, err)
	require.Contains(t, families, "dragoman_texts_total", "what never happened is 0 for a time series")
	require.NotContains(t, families, "dragoman_falls_total")
}

// TestOpenTelemetryReadsIt reads back what is written with OTLP's own types.
func TestOpenTelemetryReadsIt(t *testing.T) {
	data, err := filled().OpenTelemetry("1.2.3")
	require.NoError(t, err)
	var got metrics.MetricsData
	require.NoError(t, protojson.Unmarshal(data, &got))
	require.Len(t, got.ResourceMetrics, 1)
	require.Equal(t, "1.2.3", got.ResourceMetrics[0].Resource.Attributes[1].Value.GetStringValue())
	byName := map[string]*metrics.Metric{}
	for _, m := range got.ResourceMetrics[0].ScopeMetrics[0].Metrics {
		require.NotContains(t, byName, m.Name)
		byName[m.Name] = m
	}
	p := byName["dragoman.first_token"].GetHistogram().DataPoints[0]
	require.EqualValues(t, 100, p.Count)
	require.Len(t, p.BucketCounts, len(p.ExplicitBounds)+1)
	require.InDelta(t, 0.1, p.GetMax(), 1e-9)
	require.Greater(t, p.TimeUnixNano, p.StartTimeUnixNano)
	require.Len(t, byName["dragoman.queue_wait"].GetHistogram().DataPoints, 2)
	require.Equal(t, "s", byName["dragoman.text"].Unit)
	require.EqualValues(t, 101, byName["dragoman.texts"].GetSum().DataPoints[0].GetAsInt())
	require.True(t, byName["dragoman.texts"].GetSum().IsMonotonic)
}

// TestWhatIsKeptIsBounded feeds more kinds and odder values than there are.
func TestWhatIsKeptIsBounded(t *testing.T) {
	r := New()
	for i := range 1000 {
		r.Fell(fmt.Sprint("reason ", i))
	}
	r.Started(-time.Second)
	r.Started(time.Duration(1) << 62)
	s := r.Summary()
	require.Len(t, s.Counts, mostReasons+1)
	require.EqualValues(t, 1000-mostReasons, s.Counts[0].Value)
	require.Equal(t, "other", s.Counts[0].Reason)
	require.EqualValues(t, 1, find(t, s, "model_start", "").Count, "a time below 0 is none")
}

func TestManyMayKeepAtOnce(t *testing.T) {
	r := New()
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			for range 100 {
				r.Text(inference.Stats{Sentences: 1, Total: time.Millisecond}, 0, true)
				r.Summary()
				var b strings.Builder
				_ = r.WritePrometheus(&b)
			}
		})
	}
	g.Wait()
	require.EqualValues(t, 800, r.Summary().Counts[0].Value)
}

func BenchmarkText(b *testing.B) {
	r := New()
	s := inference.Stats{Sentences: 1, TokensOut: 10, Total: time.Millisecond, FirstToken: time.Millisecond, TokenMedian: time.Millisecond}
	for b.Loop() {
		r.Text(s, time.Millisecond, true)
	}
}
