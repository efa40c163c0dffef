package daemon_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/ipc"
)

// TestMetricsAreServedWhenSwitchedOn reads them over the real socket.
func TestMetricsAreServedWhenSwitchedOn(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return ipc.Dial(ctx, ipc.Default(paths.RuntimeDir))
	}}}
	get := func(accept string) (int, string, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://dragoman/metrics", nil)
		require.NoError(t, err)
		r.Header.Set("Accept", accept)
		answer, err := client.Do(r)
		require.NoError(t, err)
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, answer.Header.Get("Content-Type"), string(body)
	}
	const secret = "The cat sleeps on the grey stone."
	_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{secret}, From: "en", To: "es"})
	require.NoError(t, err)

	status, _, body := get("*/*")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, body, "dragoman config set telemetry.metrics true")

	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"telemetry.metrics": new("true")}})
	require.NoError(t, err)
	status, kind, body := get("*/*")
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, kind, "text/plain; version=0.0.4")
	require.Contains(t, body, "dragoman_texts_total 1\n")
	require.Contains(t, body, "dragoman_first_token_seconds_count 1\n")
	require.Contains(t, body, "dragoman_model_start_seconds_count 1\n")
	require.Regexp(t, `dragoman_graphs_(compiled|imported)_total \d`, body, "none where the model is computed without graphs")
	require.NotContains(t, body, "cat sleeps")

	status, kind, body = get("application/json")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, "application/json", kind)
	require.True(t, json.Valid([]byte(body)))
	require.Contains(t, body, `"dragoman.first_token"`)

	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, now.Telemetry.Distributions)
	require.NotEmpty(t, now.Power.Unknown)
}
