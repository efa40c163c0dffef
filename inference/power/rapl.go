package power

import (
	"path/filepath"
	"strings"
	"time"
)

// Facts of RAPL (Intel SDM 3B, 16.10; Documentation/power/powercap): a counter
// is renewed about every millisecond, in steps of 61 µJ or less coarse ones up
// to 1 mJ, by processor.
const (
	raplUpdate     = time.Millisecond
	raplResolution = 1e-3
)

// Bounds of what a package can draw, where its limits do not say so. Limits of
// 4095 W stand for none.
const (
	packageLeast = 50   // W, of the bound
	packageMost  = 1000 // W
	overLimit    = 4    // short peaks go above a package's limits
)

// raplZone is one counter of Linux' powercap.
type raplZone struct {
	energy *countFile
	facts  Facts
}

// RAPL finds the energy counters of the processor: its packages, the platform,
// the memory. Packages are listed once, although the same counter may be shown
// by two drivers.
func (s Sysfs) RAPL() []Counter {
	var found []Counter
	const class = "class/powercap"
	for _, name := range s.entries(class, "intel-rapl:") {
		folder := s.path(class, name)
		scope, known := raplScope(word(filepath.Join(folder, "name")))
		if !known {
			continue
		}
		found = append(found, raplZone{&countFile{path: filepath.Join(folder, "energy_uj")}, raplFacts(folder, scope)})
	}
	return found
}

func raplScope(name string) (Scope, bool) {
	switch {
	case strings.HasPrefix(name, "package-"):
		return ScopePackage, true
	case name == "psys":
		return ScopePlatform, true
	case name == "dram":
		return ScopeMemory, true
	}
	return "", false // core and uncore are parts of the package
}

func raplFacts(folder string, scope Scope) Facts {
	f := Facts{
		Source: "RAPL " + word(filepath.Join(folder, "name")) + " (" + folder + ")",
		Scope:  scope, Unit: Joule, Step: 1e-6,
		Error: Error{Resolution: raplResolution, Update: raplUpdate},
		Most:  raplMost(folder),
	}
	f.Range, _ = count(filepath.Join(folder, "max_energy_range_uj")) // without it one that goes round is unknown
	return f
}

// raplMost bounds the watts of a zone by the limits that are set for it.
func raplMost(folder string) float64 {
	highest := 0.0
	for _, name := range []string{
		"constraint_0_max_power_uw", "constraint_0_power_limit_uw", "constraint_1_max_power_uw",
		"constraint_1_power_limit_uw", "constraint_2_max_power_uw", "constraint_2_power_limit_uw",
	} {
		if limit, err := count(filepath.Join(folder, name)); err == nil {
			highest = max(highest, float64(limit)*1e-6)
		}
	}
	if highest == 0 {
		return packageMost
	}
	return min(max(overLimit*highest, packageLeast), packageMost)
}

func (z raplZone) Facts() Facts { return z.facts }

func (z raplZone) Count() (uint64, error) {
	n, err := z.energy.count()
	if err != nil && denied(z.energy.path) {
		return 0, raplRights
	}
	return n, err
}

// raplRights says how rights are given. The kernel keeps the counters from users
// since 5.10, because they betray what a processor computes (CVE-2020-8694).
const raplRights Unknown = "the energy counters of this processor may be read by root only (Linux since 5.10, CVE-2020-8694). " +
	"An administrator lets the members of a group read them with: " +
	`printf '%s\n' 'ACTION=="add|change", SUBSYSTEM=="powercap", KERNEL=="intel-rapl:*", RUN+="/bin/chgrp power %S%p/energy_uj", RUN+="/bin/chmod 0440 %S%p/energy_uj"' | ` +
	"sudo tee /etc/udev/rules.d/70-dragoman-energy.rules; " +
	"sudo groupadd -f power; sudo usermod -aG power $USER; sudo udevadm trigger -c change -s powercap; " +
	"then log in again"

// NoRAPL says why a machine shows no such counters.
func (s Sysfs) NoRAPL() error {
	switch {
	case len(s.entries("class/powercap", "")) == 0 && len(s.entries("class/dmi/id", "")) == 0,
		s.virtual():
		return unknown("this machine is virtual or a container and shows no energy counters: only its host can measure")
	case len(s.entries("class/powercap", "")) == 0:
		return unknown("the kernel shows no energy counters (%s): `sudo modprobe intel_rapl_msr` adds them where the processor has some", s.path("class/powercap"))
	}
	return unknown("none of the counters in %s is of a processor's package or of the platform", s.path("class/powercap"))
}

// virtual says whether a hypervisor is below: it hides the counters.
func (s Sysfs) virtual() bool {
	vendor := word(s.path("class/dmi/id/sys_vendor")) + " " + word(s.path("class/dmi/id/product_name"))
	for _, v := range []string{"QEMU", "KVM", "VMware", "VirtualBox", "Xen", "Virtual Machine", "Amazon EC2", "Google Compute", "Bochs", "Parallels"} {
		if strings.Contains(vendor, v) {
			return true
		}
	}
	return word(s.path("hypervisor/type")) != ""
}
