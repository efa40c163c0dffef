package cores

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// tree is a /sys with so many CPUs, whose siblings and ratings are given.
func tree(cpus int, siblings func(cpu int) string, more map[string]string) fstest.MapFS {
	sys := fstest.MapFS{
		"devices/system/cpu/cpufreq/boost":   {Data: []byte("1\n")},
		"devices/system/cpu/cpuidle/current": {Data: []byte("none\n")},
		"devices/system/cpu/possible":        {Data: fmt.Appendf(nil, "0-%d\n", cpus-1)},
	}
	for cpu := range cpus {
		if s := siblings(cpu); s != "" {
			sys[fmt.Sprintf("devices/system/cpu/cpu%d/topology/core_cpus_list", cpu)] = &fstest.MapFile{Data: []byte(s + "\n")}
		} else {
			sys[fmt.Sprintf("devices/system/cpu/cpu%d/online", cpu)] = &fstest.MapFile{Data: []byte("0\n")}
		}
	}
	for name, content := range more {
		sys[name] = &fstest.MapFile{Data: []byte(content + "\n")}
	}
	return sys
}

func alone(cpu int) string { return fmt.Sprint(cpu) }

func pairs(cpu int) string { return fmt.Sprintf("%d-%d", cpu&^1, cpu|1) }

func TestLinux(t *testing.T) {
	all := func(int) bool { return true }
	// A Core i7-1265U: two P cores of two threads, eight E cores.
	mobile := func(cpu int) string {
		if cpu < 4 {
			return pairs(cpu)
		}
		return alone(cpu)
	}
	old := tree(0, nil, map[string]string{
		"devices/system/cpu/cpu0/topology/thread_siblings_list": "0,2", "devices/system/cpu/cpu1/topology/thread_siblings_list": "1,3",
		"devices/system/cpu/cpu2/topology/thread_siblings_list": "0,2", "devices/system/cpu/cpu3/topology/thread_siblings_list": "1,3",
	})
	arm := map[string]string{}
	for cpu := range 8 {
		arm[fmt.Sprintf("devices/system/cpu/cpu%d/cpu_capacity", cpu)] = []string{"446", "1024"}[cpu/4]
	}
	even := maps(arm, map[string]string{"devices/system/cpu/cpu7/cpu_capacity": "980"})
	for name, c := range map[string]struct {
		sys     fstest.MapFS
		allowed func(int) bool
		want    int
	}{
		"two cores":                           {tree(2, alone, nil), all, 2}, // the machine that this was written on
		"four cores of two threads":           {tree(8, pairs, nil), all, 4},
		"the same, two cores allowed":         {tree(8, pairs, nil), func(cpu int) bool { return cpu > 3 }, 2},
		"the same, every second thread":       {tree(8, pairs, nil), func(cpu int) bool { return cpu%2 == 1 }, 4},
		"cores that are off":                  {tree(8, func(cpu int) string { return []string{"", alone(cpu)}[cpu%2] }, nil), all, 4},
		"a kernel before 5.3":                 {old, all, 2},
		"two fast cores and eight slow":       {tree(12, mobile, map[string]string{"devices/cpu_core/cpus": "0-3", "devices/cpu_atom/cpus": "4-11"}), all, 10},
		"two fast cores and four slow":        {tree(8, mobile, map[string]string{"devices/cpu_core/cpus": "0-3", "devices/cpu_atom/cpus": "4-7"}), all, 2},
		"slow cores alone are allowed":        {tree(8, mobile, map[string]string{"devices/cpu_atom/cpus": "4,5,6-7"}), func(cpu int) bool { return cpu >= 4 }, 4},
		"ARM with ratings":                    {tree(8, alone, arm), all, 4},
		"one of the fast rated a little less": {tree(8, alone, even), all, 4},
		"nonsense in the list":                {tree(2, alone, map[string]string{"devices/cpu_atom/cpus": "x-,0-99999999,-1,,"}), all, 2},
	} {
		require.Equal(t, c.want, worth(inTree(c.sys, c.allowed)), name)
	}
	require.Empty(t, inTree(fstest.MapFS{}, all))
	require.Equal(t, runtime.NumCPU(), worth(nil))
}

func maps(all ...map[string]string) map[string]string {
	sum := map[string]string{}
	for _, m := range all {
		for name, value := range m {
			sum[name] = value
		}
	}
	return sum
}

// record is one of GetLogicalProcessorInformationEx.
func record(class byte, masks ...uint64) []byte {
	r := make([]byte, groupMasks+groupSize*len(masks))
	binary.LittleEndian.PutUint32(r[recordSize:], uint32(len(r)))
	r[recordClass] = class
	binary.LittleEndian.PutUint16(r[groupCount:], uint16(len(masks)))
	for i, mask := range masks {
		binary.LittleEndian.PutUint64(r[groupMasks+i*groupSize:], mask)
	}
	return r
}

func TestWindows(t *testing.T) {
	even := slices.Concat(record(0, 3), record(0, 0xc), record(0, 0x30), record(0, 0xc0))
	require.Equal(t, 4, worth(inRecords(even, 0)))
	require.Equal(t, 4, worth(inRecords(even, 0xff)))
	require.Equal(t, 2, worth(inRecords(even, 0xf0)))
	mixed := slices.Concat(record(1, 3), record(1, 0xc), record(0, 0x10), record(0, 0x20))
	require.Equal(t, 2, worth(inRecords(mixed, 0)))
	require.Equal(t, 2, worth(inRecords(mixed, 0x30)), "slow cores alone")
	other := record(0, 1)
	binary.LittleEndian.PutUint32(other, 3) // of the package
	require.Equal(t, 4, worth(inRecords(slices.Concat(other, even), 0)))
	for cut := range len(even) {
		require.Len(t, inRecords(even[:cut], 0), cut/len(record(0, 3)))
	}
	endless := record(0, 3)
	binary.LittleEndian.PutUint32(endless[recordSize:], 0)
	require.Empty(t, inRecords(endless, 0))
}

func TestThisMachine(t *testing.T) {
	require.Positive(t, Count())
	require.LessOrEqual(t, Count(), runtime.NumCPU())
}
