package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestStatsText(t *testing.T) {
	require.Contains(t, statsText(nil), "an older one")
	text := statsText(&api.Telemetry{
		Since: time.Date(2026, 11, 28, 9, 0, 0, 0, time.Local),
		Distributions: []api.Distribution{
			{Name: "queue_wait", Unit: "seconds", Lane: "batch", Help: "Time waited.", Count: 5, Mean: 0.0123, P50: 0.01, P95: 1.5, Max: 2},
			{Name: "padding", Unit: "ratio", Help: "Share.", Count: 1, Mean: 0.25, P50: 0.25, P95: 0.25, Max: 0.25},
			{Name: "tokens", Unit: "per_second", Help: "Speed.", Count: 1, Mean: 120},
		},
		Counts: []api.Count{{Name: "falls", Reason: "no\x1b[2Jdriver", Help: "Times.", Value: 2}},
	})
	for _, want := range []string{
		"since 2026-11-28 09:00:00\n",
		"queue wait (batch)  5      12.30 ms  10.00 ms  1.50 s       2.00 s  Time waited.\n",
		"padding             1      25 %      25 %      25 %         25 %    Share.\n",
		"120/s", "  2  Times.\n",
	} {
		require.Contains(t, text, want)
	}
	require.NotContains(t, text, "\x1b")
}
