package device

import (
	"context"
	"slices"
)

// Machine is what a survey found.
type Machine struct {
	System    System    `json:"system"`
	Processor Processor `json:"processor"`
	Memory    int64     `json:"memory,omitempty"` // bytes
	Runtime   Runtime   `json:"runtime"`
	// Devices begin with the processor and go on with GPUs and NPUs, also those
	// that something keeps from serving: Findings say what.
	Devices  []Device  `json:"devices"`
	Findings []Finding `json:"findings,omitempty"`
}

// System is what the machine runs.
type System struct {
	OS     string `json:"os"`   // "linux", "windows"
	Arch   string `json:"arch"` // "amd64", "arm64"
	Name   string `json:"name,omitempty"`
	Kernel string `json:"kernel,omitempty"` // release of Linux, build of Windows
	// Inside is what the system itself runs in, innermost first.
	Inside []Layer `json:"inside,omitempty"`
	// By names the maker of the innermost, "docker", "QEMU", where known.
	By string `json:"by,omitempty"`
}

// Layer is something between a system and its hardware.
type Layer string

const (
	WSL            Layer = "WSL2"
	Container      Layer = "container"
	VirtualMachine Layer = "virtual machine"
)

// In says whether the system runs in such a layer.
func (s System) In(l Layer) bool { return slices.Contains(s.Inside, l) }

// Processor is the CPU.
type Processor struct {
	Model       string   `json:"model,omitempty"`
	Chip        string   `json:"chip,omitempty"` // code name, of those with an NPU
	Threads     int      `json:"threads,omitempty"`
	Cores       int      `json:"cores,omitempty"`
	Performance int      `json:"performance_cores,omitempty"` // 0 where cores are alike
	Efficient   int      `json:"efficient_cores,omitempty"`   // 0 where cores are alike
	Features    []string `json:"features,omitempty"`          // see features
}

// Has says whether the processor has a feature, by the names in Features.
func (p Processor) Has(feature string) bool {
	return slices.Contains(p.Features, feature)
}

// Find returns the first device of a kind, usable or not.
func (m Machine) Find(k Kind) (Device, bool) {
	for _, d := range m.Devices {
		if d.Kind == k {
			return d, true
		}
	}
	return Device{}, false
}

// Why returns what keeps a kind of device from serving, from the hardware
// upwards. It is empty where nothing was found that does.
func (m Machine) Why(k Kind) []Finding {
	var blocking []Finding
	for _, f := range m.Findings {
		if f.Device == k && f.Blocks {
			blocking = append(blocking, f)
		}
	}
	return blocking
}

// Survey looks at the machine behind roots. It never fails: what cannot be read
// stays unknown. It reads small files only and needs no rights; a context that
// ends cuts it short, with what was found by then.
func Survey(ctx context.Context, r Roots) Machine {
	return survey(view{ctx: ctx, Roots: r})
}

func survey(v view) Machine {
	m := Machine{System: System{OS: v.OS, Arch: v.Arch}, Runtime: v.Runtime}
	if v.OS == "windows" {
		surveyWindows(v, &m)
	} else {
		surveyLinux(v, &m)
	}
	return m
}

// find adds a finding.
func (m *Machine) find(f Finding) { m.Findings = append(m.Findings, f) }
