package daemon

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/telemetry"
	"dragoman/inference/ladder"
)

// metricsPath is where programs that watch others look. It is no part of the
// versioned interface: Prometheus and OpenTelemetry say what it answers.
const metricsPath = "/metrics"

// serveMetrics answers in Prometheus' text, or in OTLP's JSON where that is
// asked for, while telemetry.metrics is on.
func (d *Daemon) serveMetrics(w http.ResponseWriter, r *http.Request) {
	if !d.settings().Telemetry.Metrics {
		writeProblem(w, mistake{api.CodeNotFound, "metrics are not served: turn them on with `dragoman config set telemetry.metrics true`"})
		return
	}
	var body bytes.Buffer
	kind := telemetry.PrometheusType
	var err error
	if strings.Contains(r.Header.Get("Accept"), api.TypeJSON) {
		kind = api.TypeJSON
		var data []byte
		data, err = d.telemetry.OpenTelemetry(d.opts.Version)
		body.Write(data)
	} else {
		err = d.telemetry.WritePrometheus(&body)
	}
	if err != nil {
		slog.Error("Metrics cannot be written", "err", err)
		writeProblem(w, err)
		return
	}
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime)) // all our connections have deadlines
	w.Header().Set("Content-Type", kind)
	w.Header().Set("X-Content-Type-Options", "nosniff")
	_, _ = w.Write(body.Bytes()) // a client that went away needs no answer
}

// fallOf is why a device that is there does not serve. One that is not there, or
// is being prepared, has not fallen.
func fallOf(m api.Model) string {
	if m.FallbackKind == api.FallbackAbsent || m.FallbackKind == string(ladder.Waiting) {
		return ""
	}
	return m.Fallback
}
