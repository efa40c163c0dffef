package device

import "context"

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
	// Inside is what the system itself runs in: "", "WSL2", "container", "virtual machine".
	Inside string `json:"inside,omitempty"`
	// By names the container's or virtual machine's maker, "docker", where known.
	By string `json:"by,omitempty"`
}

// Processor is the CPU.
type Processor struct {
	Model       string   `json:"model,omitempty"`
	Threads     int      `json:"threads,omitempty"`
	Cores       int      `json:"cores,omitempty"`
	Performance int      `json:"performance_cores,omitempty"` // 0 where cores are alike
	Efficient   int      `json:"efficient_cores,omitempty"`   // 0 where cores are alike
	Features    []string `json:"features,omitempty"`          // of AVX2, AVX-VNNI, AVX512, AVX512-VNNI, AVX512-BF16, AMX-INT8, AMX-BF16
}

// Has says whether the processor has a feature, by the names in Features.
func (p Processor) Has(feature string) bool {
	for _, f := range p.Features {
		if f == feature {
			return true
		}
	}
	return false
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

// Why returns what keeps a kind of device from serving, worst first. It is
// empty where nothing was found that does.
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
	m := Machine{System: System{OS: r.OS, Arch: r.Arch}, Runtime: r.Runtime}
	look := surveyLinux
	if r.OS == "windows" {
		look = surveyWindows
	}
	look(ctx, r, &m)
	return m
}
