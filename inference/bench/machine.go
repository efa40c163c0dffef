package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

// machine is what the figures were measured on. Fields that the system does
// not tell are empty; /proc is Linux's.
type machine struct {
	Processor   string   `json:"processor"`
	Cores       int      `json:"cores"`
	Flags       []string `json:"flags"`          // those that decide which kernels are used
	Held        string   `json:"held,omitempty"` // to instructions of other processors
	Load        float64  `json:"load"`           // of the last minute, at the start
	Threads     int      `json:"threads"`
	OpenVINO    string   `json:"openvino"`
	CTranslate2 string   `json:"ctranslate2"`
	PeerType    string   `json:"ctranslate2_compute_type"`
	PeerISA     string   `json:"ctranslate2_isa"`
}

// kernelFlags are the instruction sets that int8 kernels are written for.
var kernelFlags = []string{
	"avx2", "avx_vnni", "avx512f", "avx512_vnni", "amx_int8", "amx_bf16", // x86, in /proc/cpuinfo's spelling
	"asimddp", "i8mm", "sve", // arm64
}

func newReport(threads int, held string) report {
	m := machine{Processor: "unknown", Cores: runtime.NumCPU(), Threads: threads, Held: held}
	info, _ := os.ReadFile("/proc/cpuinfo") // not there: nothing is said
	for text := range strings.Lines(string(info)) {
		key, value, _ := strings.Cut(text, ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "model name":
			m.Processor = value
		case "flags", "Features":
			has := strings.Fields(value)
			m.Flags = slices.DeleteFunc(slices.Clone(kernelFlags), func(f string) bool { return !slices.Contains(has, f) })
		}
	}
	load, _ := os.ReadFile("/proc/loadavg")
	_, _ = fmt.Sscan(string(load), &m.Load)
	return report{Machine: m}
}

func (m machine) print(out io.Writer) {
	fmt.Fprintf(out, "%s, %d cores (%s), %d threads used\n", m.Processor, m.Cores, strings.Join(m.Flags, " "), m.Threads)
	fmt.Fprintf(out, "OpenVINO %s; CTranslate2 %s %s %s\n", m.OpenVINO, m.CTranslate2, m.PeerType, m.PeerISA)
	if m.Held != "" {
		fmt.Fprintf(out, "both held to %s\n", m.Held)
	}
	if perCore := m.Load / float64(m.Cores); perCore > 0.5 {
		fmt.Fprintf(out, "WARNING: the load was %.2f per core at the start: read the ratios, not the times\n", perCore)
	}
}
