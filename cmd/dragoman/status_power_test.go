package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestStatusSaysWhatTextsCost(t *testing.T) {
	joules := func(v float64) *api.Quantity { return &api.Quantity{Value: v, Low: 0.9 * v, High: 1.1 * v, Unit: "J"} }
	for name, test := range map[string]struct {
		power *api.Power
		want  []string
		never string
	}{
		"an older service": {nil, nil, "energy"},
		"unknown":          {&api.Power{Unknown: "this machine is virtual"}, []string{"energy", "unknown: this machine is virtual\n"}, "NPU"},
		"known": {&api.Power{
			JoulesPerText: joules(2.5), JoulesPerThousandTokens: joules(120), NPUShare: &api.Quantity{Value: 0.25},
			Source: "RAPL package-0", Scope: "package", Texts: 40,
		}, []string{
			"2.50 J (2.25 to 2.75) a text, 120 J (108 to 132) a thousand tokens; the package's, beyond what it draws anyway, of 40 texts, by RAPL package-0\n",
			"at work for 25 % of the time",
		}, "unknown"},
		"slow": {&api.Power{Batch: api.PaceSlow, Why: "files go on slowly: hot"}, []string{"batch work", "files go on slowly: hot\n"}, "NPU"},
	} {
		t.Run(name, func(t *testing.T) {
			text := statusText(api.Snapshot{State: api.StateReady, Power: test.power}, time.Now())
			for _, want := range test.want {
				require.Contains(t, text, want)
			}
			require.NotContains(t, text, test.never)
		})
	}
	waits := api.Snapshot{State: api.StatePaused, Power: &api.Power{Batch: api.PaceWait, Why: "files wait: on battery"}}
	require.Contains(t, statusText(waits, time.Now()), "paused: files wait: on battery\n")
}
