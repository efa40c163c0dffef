package device

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dragoman/inference/openvino/locate"
)

// driverRule is what is known about releases of the NPU's driver. Versions are
// those of its files: libze_intel_npu.so.1.32.1 on Linux, 32.0.100.4509 on
// Windows.
type driverRule struct {
	os          string
	generations []Generation   // nil: every one
	from        locate.Version // the runtime's oldest release that this is about; zero: every one
	below       string         // releases of the driver below this one …
	exactly     []string       // … or these, with everything that they begin
	problem     Problem
	why         string
	needs       string // the release that helps
	source      string
}

// driverRules are tried in order, the first that fits counts.
var driverRules = []driverRule{
	{
		os: "linux", generations: []Generation{NPU5010}, below: "1.28", problem: DriverTooOld,
		why: "it does not know Panther Lake", needs: "1.28", source: "intel/linux-npu-driver, docs/overview.md, changelog",
	},
	{
		os: "linux", generations: []Generation{NPU5020}, below: "1.32", problem: DriverTooOld,
		why: "it does not know Wildcat Lake", needs: "1.32", source: "intel/linux-npu-driver, release notes 1.32 and 1.33, verified configurations",
	},
	{
		os: "linux", from: locate.Version{Year: 2026, Release: 4}, below: "1.33", problem: DriverTooOld,
		why: "it refuses what this runtime asks for (Unsupported configuration key: NPU_MAX_TILES)", needs: "1.39", source: "Fedora, openvino.spec, seen with 1.32; release notes of 1.39.1: verified with OpenVINO 2026.4.1",
	},
	{
		os: "windows", generations: []Generation{NPU5010, NPU5020}, from: locate.Version{Year: 2026, Release: 4},
		exactly: []string{"32.0.100.4300", "32.0.100.4509", "32.0.100.4512"}, problem: DriverBad,
		why: "with this runtime (OpenVINO's known issue CVS-233822)", needs: "32.0.100.5540", source: "openvino, release notes 2026.4; pull request 38182",
	},
	{
		os: "windows", generations: []Generation{NPU3720}, from: locate.Version{Year: 2026, Release: 1}, below: "32.0.100.2565", problem: DriverTooOld,
		why: "the compiler of this runtime needs a newer one on this NPU", needs: "32.0.100.2565", source: "openvino, plugins/intel_npu, README: PLUGIN on 3720 wants v2565",
	},
}

// checkDriver compares the driver with the runtime and the device.
func checkDriver(system string, d Device, m *Machine) {
	version := d.Driver.UserMode
	if !strings.Contains(version, ".") {
		return // not known
	}
	for _, r := range driverRules {
		if r.os != system || !r.fits(d.Generation, m.Runtime.Version, version) {
			continue
		}
		cure := "install release " + r.needs + " or newer from " + release
		if system == "windows" {
			cure = "update the driver to " + r.needs + " or newer: Windows Update, or Intel's download \"Intel NPU Driver - Windows\""
		}
		verdict := "is too old"
		if r.problem == DriverBad {
			verdict = "is known to fail"
		}
		m.find(Finding{Device: NPU, Problem: r.problem, Blocks: true,
			Text: fmt.Sprintf("the NPU's driver %s %s: %s", version, verdict, r.why), Cure: cure})
		return
	}
}

func (r driverRule) fits(g Generation, runtime locate.Version, driver string) bool {
	if r.generations != nil && !slices.Contains(r.generations, g) {
		return false
	}
	if !r.from.IsZero() && (runtime.IsZero() || runtime.Less(r.from)) {
		return false
	}
	for _, v := range r.exactly {
		if driver == v || strings.HasPrefix(driver, v+".") {
			return true
		}
	}
	return r.below != "" && compare(driver, r.below) < 0
}

// compare orders version numbers part by part.
func compare(a, b string) int {
	as, bs := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(as), len(bs)) {
		part := func(s []string) int {
			if i >= len(s) {
				return 0
			}
			n, _ := strconv.Atoi(s[i])
			return n
		}
		if d := part(as) - part(bs); d != 0 {
			return d
		}
	}
	return 0
}
