package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/power"
)

func TestBenchEnergySaysWhatItFound(t *testing.T) {
	joules := func(v, half float64) *power.Quantity {
		return &power.Quantity{Value: v, Low: v - half, High: v + half, Unit: power.Joule}
	}
	idle := &power.Quantity{Value: 5, Low: 4.9, High: 5.1, Unit: power.Watt}
	measured := func(device string, v float64) deviceEnergy {
		return deviceEnergy{Device: device, Texts: 100, TextMS: 20, JoulesPerText: joules(v, 0.1), JoulesPerThousandTokens: joules(100*v, 10), IdleWatts: idle}
	}
	withNPU := measured("NPU", 0.8)
	withNPU.NPUShare = &power.Quantity{Value: 0.31, Unit: power.Share}
	for name, test := range map[string]struct {
		report energyReport
		want   []string
	}{
		"no meter": {energyReport{Unknown: "this machine is virtual", Devices: []deviceEnergy{
			{Device: "CPU", Unknown: "there is no meter"}, {Device: "NPU", Unknown: "there is no NPU"},
		}}, []string{
			"meter: unknown: this machine is virtual\n", "CPU alone     unknown: there is no meter\n", "NPU with CPU  unknown: there is no NPU\n",
			"What the NPU saves is unknown.\n",
		}},
		"saved": {energyReport{Meter: "RAPL package-0", Devices: []deviceEnergy{measured("CPU", 2), withNPU}, Saved: joules(1.2, 0.14)}, []string{
			"meter: RAPL package-0\n", "CPU alone     2.00 J (1.90 to 2.10) a text, 200 J (190 to 210) a thousand tokens; 100 texts of 20.0 ms; idle 5.00 W",
			"NPU at work 31 % of the time\n", "The NPU saves 1.20 J (1.06 to 1.34) a text.\n",
		}},
		"costs more":    {energyReport{Meter: "m", Saved: joules(-1, 0.5)}, []string{"The NPU costs more: 1.00 J (0.500 to 1.50) a text.\n"}},
		"no difference": {energyReport{Meter: "m", Saved: joules(0.1, 0.5)}, []string{"No difference can be told: 0.100 J (-0.400 to 0.600) a text.\n"}},
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			require.NoError(t, test.report.print(&b, false))
			for _, want := range test.want {
				require.Contains(t, b.String(), want)
			}
			b.Reset()
			require.NoError(t, test.report.print(&b, true))
			var again energyReport
			require.NoError(t, json.Unmarshal(b.Bytes(), &again))
			require.Equal(t, test.report, again)
		})
	}
}

func TestBenchEnergyNamesTheMeter(t *testing.T) {
	_, err := energyBench{machine: power.Sysfs(t.TempDir())}.meter()
	require.ErrorContains(t, err, "shows no energy counters")
	require.ErrorContains(t, err, "this machine has no battery")
	require.Nil(t, energyBench{machine: power.Sysfs(t.TempDir())}.npu())
}
