package device

import (
	"slices"
	"strings"
)

// WithRuntime joins what the system's files tell with what the runtime tells:
// the devices that it lists ("CPU", "GPU.0", "NPU") and their properties. A
// device that it lists and the files did not show is added; findings that it
// refutes are dropped; one that it should list and does not gets a finding.
// The result's devices know whether they are Listed.
func (m Machine) WithRuntime(listed []string, property func(device, name string) (string, error)) Machine {
	m.Devices, m.Findings = slices.Clone(m.Devices), slices.Clone(m.Findings)
	seen := map[Kind]int{}
	for _, name := range listed {
		base, _, _ := strings.Cut(name, ".")
		kind := Kind(base)
		i := m.nth(kind, seen[kind])
		seen[kind]++
		if i < 0 {
			m.Devices = append(m.Devices, Device{Kind: kind, Name: name})
			i = len(m.Devices) - 1
		}
		d := m.Devices[i].WithProperties(func(p string) (string, error) { return property(name, p) })
		d.Listed = name
		m.Devices[i] = d
	}
	m.Findings = slices.DeleteFunc(m.Findings, func(f Finding) bool {
		return seen[f.Device] > 0 && f.Blocks && !slices.Contains([]Problem{DriverTooOld, DriverBad, Windows10, NoCompiler}, f.Problem)
	})
	for _, k := range []Kind{CPU, GPU, NPU} {
		if _, there := m.Find(k); there && seen[k] == 0 && len(m.Why(k)) == 0 {
			m.find(Unlisted(k))
		}
	}
	return m
}

// nth is the index of the n-th device of a kind, -1 where there is none. The
// runtime and the PCI bus have the same order, the processor's own GPU first.
func (m Machine) nth(k Kind, n int) int {
	for i, d := range m.Devices {
		if d.Kind != k {
			continue
		}
		if n == 0 {
			return i
		}
		n--
	}
	return -1
}

// Serves says whether a device can be used: the runtime lists it, and nothing
// was found that keeps it from serving.
func (m Machine) Serves(d Device) bool { return d.Listed != "" && len(m.Why(d.Kind)) == 0 }
