package cores

import (
	"io/fs"
	"path"
	"strconv"
	"strings"
)

// ratings of Intel's two kinds of cores where Linux tells them apart without numbers.
const (
	bigRating   = 1024
	smallRating = 512
)

// inTree reads what Linux tells in /sys (Documentation/ABI/stable/sysfs-devices-system-cpu
// and Documentation/admin-guide/cputopology.rst of the kernel): the CPUs that share a
// core, and how fast they are. allowed is asked about each CPU.
func inTree(sys fs.FS, allowed func(cpu int) bool) (all []core) {
	const folder = "devices/system/cpu"
	entries, err := fs.ReadDir(sys, folder)
	if err != nil {
		return nil
	}
	small := list(sys, "devices/cpu_atom/cpus")
	seen := map[string]bool{}
	for _, e := range entries {
		number, ok := strings.CutPrefix(e.Name(), "cpu")
		cpu, err := strconv.Atoi(number)
		if !ok || err != nil || !allowed(cpu) {
			continue
		}
		at := path.Join(folder, e.Name())
		siblings := text(sys, path.Join(at, "topology/core_cpus_list"))
		if siblings == "" { // kernels before 5.3
			siblings = text(sys, path.Join(at, "topology/thread_siblings_list"))
		}
		if siblings == "" || seen[siblings] { // a CPU that is off has none
			continue
		}
		seen[siblings] = true
		speed := bigRating
		if rated, err := strconv.Atoi(text(sys, path.Join(at, "cpu_capacity"))); err == nil { // ARM
			speed = rated
		} else if small[cpu] {
			speed = smallRating
		}
		all = append(all, core{speed})
	}
	return all
}

func text(sys fs.FS, name string) string {
	data, err := fs.ReadFile(sys, name)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(data))
}

// list is a list of CPUs as Linux writes it: 0-3,8.
func list(sys fs.FS, name string) map[int]bool {
	all := map[int]bool{}
	for part := range strings.SplitSeq(text(sys, name), ",") {
		from, to, isRange := strings.Cut(part, "-")
		first, err := strconv.Atoi(from)
		last := first
		if isRange && err == nil {
			last, err = strconv.Atoi(to)
		}
		const most = 1 << 16 // CPUs
		if err != nil || first < 0 || last >= most {
			continue
		}
		for cpu := first; cpu <= last; cpu++ {
			all[cpu] = true
		}
	}
	return all
}
