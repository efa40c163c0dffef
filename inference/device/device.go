package device

import (
	"cmp"
	"fmt"
	"strings"
)

// Kind is what a device is, by the name that OpenVINO gives it.
type Kind string

const (
	CPU Kind = "CPU"
	GPU Kind = "GPU"
	NPU Kind = "NPU"
)

// Device is something that a part of the model can run on. A field that could
// not be found out has its zero value: never a guess.
type Device struct {
	Kind       Kind       `json:"kind"`
	Listed     string     `json:"listed,omitempty"` // the runtime's name for it, "GPU.0"; "" where it does not list it
	Name       string     `json:"name"`
	PCI        string     `json:"pci,omitempty"`        // vendor:device in hexadecimal, "8086:643e"
	Slot       string     `json:"slot,omitempty"`       // "0000:00:0b.0"; on Windows the instance id
	Generation Generation `json:"generation,omitempty"` // of an NPU
	Chip       string     `json:"chip,omitempty"`       // the processors that have it, "Lunar Lake"
	Tiles      int        `json:"tiles,omitempty"`      // of an NPU: what a graph may use at once
	Memory     int64      `json:"memory,omitempty"`     // bytes that it can use
	Driver     Driver     `json:"driver,omitzero"`
	Node       Node       `json:"node,omitzero"`
}

// Driver is the software below the runtime. Versions are as its makers write them.
type Driver struct {
	Module   string `json:"module,omitempty"`    // kernel module or Windows service, "intel_vpu"
	Kernel   string `json:"kernel,omitempty"`    // version of the module or, without one, of the kernel; on Windows the driver's version
	UserMode string `json:"user_mode,omitempty"` // version of the user-mode driver's files
	Reported string `json:"reported,omitempty"`  // the number that the driver tells the runtime
	Loader   string `json:"loader,omitempty"`    // version of the level-zero loader
	Compiler string `json:"compiler,omitempty"`  // version of the NPU's compiler, "8.4"; only the runtime tells
	Firmware string `json:"firmware,omitempty"`
}

// Version is the driver's version for people: what it reports itself, else its
// files'.
func (d Driver) Version() string { return cmp.Or(d.Reported, d.UserMode, d.Kernel) }

// Key tells drivers apart. The number that a driver reports need not change with
// each of its releases, so that its files' version belongs to it.
func (d Driver) Key() string {
	if d.Reported == "" || d.UserMode == "" || d.Reported == d.UserMode {
		return d.Version()
	}
	return d.Reported + "/" + d.UserMode
}

// Node is the file by which programs reach a device on Linux.
type Node struct {
	Path  string `json:"path,omitempty"`
	Group string `json:"group,omitempty"` // whose members may use it
	Open  bool   `json:"open,omitempty"`  // this process may use it
}

// Key names what a compiled graph depends on, apart from the graph: device,
// generation, tiles, driver and compiler. Two devices with the same key take
// each other's graphs. A part that is unknown is "?", so that learning it later
// makes another key: complete a device by WithProperties before.
func (d Device) Key() string {
	arch := string(d.Generation)
	switch d.Kind {
	case GPU:
		arch = d.PCI
	case CPU:
		arch = d.Name
	}
	parts := []string{string(d.Kind), orUnknown(arch)}
	if d.Kind == NPU {
		tiles := ""
		if d.Tiles > 0 {
			tiles = fmt.Sprint(d.Tiles)
		}
		parts = append(parts, "tiles="+orUnknown(tiles))
	}
	if d.Kind != CPU { // the runtime is its own driver there
		parts = append(parts, "driver="+orUnknown(d.Driver.Key()))
	}
	if d.Kind == NPU {
		parts = append(parts, "compiler="+orUnknown(d.Driver.Compiler))
	}
	return strings.Join(parts, " ")
}

func orUnknown(s string) string {
	if s == "" {
		return "?"
	}
	return s
}
