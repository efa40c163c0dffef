package power

import (
	"encoding/binary"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnergyMetersThatCannotBeRead(t *testing.T) {
	answer := func(all map[uint32][]byte) *emiDevice {
		return &emiDevice{path: "emi", control: func(code uint32, out []byte) (int, error) { return copy(out, all[code]), nil }}
	}
	version := func(n byte) []byte { return []byte{n, 0} }
	size := func(n uint32) []byte { return binary.LittleEndian.AppendUint32(nil, n) }
	good := (&recordedEMI{version: 2, names: []string{"RAPL_Package0_PKG"}}).metadata()
	for name, test := range map[string]struct {
		device *emiDevice
		want   string
	}{
		"silent":            {answer(nil), "answers with 0 bytes instead of 2"},
		"a later version":   {answer(map[uint32][]byte{emiGetVersion: version(3), emiGetMetadataSize: size(4), emiGetMetadata: size(0)}), "version 3"},
		"no room":           {answer(map[uint32][]byte{emiGetVersion: version(2), emiGetMetadataSize: size(1 << 30)}), "1073741824 bytes"},
		"cut":               {answer(map[uint32][]byte{emiGetVersion: version(2), emiGetMetadataSize: size(uint32(len(good) - 4)), emiGetMetadata: good}), "cannot be read"},
		"far too short":     {answer(map[uint32][]byte{emiGetVersion: version(2), emiGetMetadataSize: size(8), emiGetMetadata: good}), "cannot be read"},
		"version 1 cut":     {answer(map[uint32][]byte{emiGetVersion: version(1), emiGetMetadataSize: size(8), emiGetMetadata: good}), "cannot be read"},
		"version 1 no name": {answer(map[uint32][]byte{emiGetVersion: version(1), emiGetMetadataSize: size(72), emiGetMetadata: append(make([]byte, 70), 9, 9)}), "cannot be read"},
		"gone":              {&emiDevice{path: "emi", control: func(uint32, []byte) (int, error) { return 0, errors.New("gone") }}, "does not answer: gone"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.device.counters()
			require.ErrorContains(t, err, test.want)
		})
	}
}

func TestChannelsAreCountedOnce(t *testing.T) {
	d := &recordedEMI{version: 2, names: []string{
		"RAPL_Package0_PKG", "RAPL_Package0_PP0", "RAPL_Package0_PP1", "RAPL_Package0_DRAM", "Current Socket Power", "VDDCR_SOC Power", "Apu Power",
	}}
	counters, err := (&emiDevice{path: "emi", control: d.control}).counters()
	require.NoError(t, err)
	scopes := []Scope{}
	for _, c := range counters {
		scopes = append(scopes, c.Facts().Scope)
	}
	require.Equal(t, []Scope{ScopePackage, ScopeMemory, ScopePackage}, scopes)
	d.energy = 42
	n, err := counters[2].Count()
	require.NoError(t, err)
	require.EqualValues(t, 42, n)
}

func TestBatteriesOfWindows(t *testing.T) {
	b := &recordedBattery{state: batteryDischarging, capacity: 40_000, rate: -7500}
	w := winBattery{"battery", b.control}
	require.NoError(t, w.absolute())
	r, err := w.watts()
	require.NoError(t, err)
	require.InDelta(t, 7.5, r.Value, 1e-9)
	n, err := w.Count()
	require.NoError(t, err)
	require.EqualValues(t, 40_000, n)

	b.rate = batteryUnknownRate
	_, err = w.watts()
	require.ErrorContains(t, err, "does not know what leaves it")
	b.rate = 100
	_, err = w.watts()
	require.ErrorContains(t, err, "does not know")
	b.capacity = batteryUnknownCapacity
	_, err = w.Count()
	require.ErrorContains(t, err, "does not know what it holds")
	b.state = 1
	_, err = w.Count()
	require.ErrorContains(t, err, "only while that runs on it")
	_, err = w.watts()
	require.ErrorContains(t, err, "only while that runs on it")
	b.relative = true
	require.ErrorContains(t, w.absolute(), "a unit of its own")
	b.gone = true
	require.ErrorContains(t, w.absolute(), "does not answer")
}

func TestTheNPUAmongTheEngines(t *testing.T) {
	const gpu, npu = "0x00000000_0x0000A1B2", "0x00000000_0x0000C3D4"
	name := func(pid, luid, kind string) string {
		return "pid_" + pid + "_luid_" + luid + "_phys_0_eng_0_engtype_" + kind
	}
	all := []instance{
		{name("4", gpu, "3D"), 1000}, {name("4", gpu, "Compute"), 500}, {name("9", gpu, "Neural"), 7},
		{name("4", npu, "Neural"), 30}, {name("9", npu, "Neural"), 12}, {"_Total", 5}, {"", 1},
	}
	sum, err := npuTime(all)
	require.NoError(t, err)
	require.EqualValues(t, 42, sum, "of all processes, and not the graphics adapter's")
	_, err = npuTime(all[:3])
	require.ErrorContains(t, err, "no NPU among its engines")
	_, err = npuTime(nil)
	require.ErrorContains(t, err, "no NPU")
}

func TestPassiveLimit(t *testing.T) {
	require.Nil(t, passive(nil))
	require.Zero(t, passive([]instance{{`\_TZ.TZ0`, 100}, {"broken", 4000}}).Value)
	require.InDelta(t, 0.3, passive([]instance{{"a", 100}, {"b", 70}}).Value, 1e-9)
}
