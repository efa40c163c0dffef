package main

import (
	"context"
	"fmt"
	"strings"

	"dragoman/inference/device"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/locate"
)

// survey looks at this machine and, where a runtime could be loaded, asks that
// too.
func survey(ctx context.Context, core *openvino.Core, found locate.Candidate) (device.Machine, error) {
	if core == nil {
		return device.Survey(ctx, device.Host(device.Runtime{})), nil
	}
	m := device.Survey(ctx, device.Host(device.RuntimeOf(found)))
	listed, err := core.Devices()
	if err != nil {
		return m, err
	}
	return m.WithRuntime(listed, core.Property), nil
}

// examineDevices says which devices serve and what keeps the others from it. No
// device but the processor is needed, so that nothing here is fatal with it.
func examineDevices(ctx context.Context, core *openvino.Core, found locate.Candidate) []finding {
	m, err := survey(ctx, core, found)
	if err != nil {
		return []finding{{fatal, "devices", err.Error(), "run `dragoman runtime install`"}}
	}
	var findings []finding
	for _, d := range m.Devices {
		if m.Serves(d) {
			findings = append(findings, finding{good, "device", deviceLine(m, d), ""})
		}
	}
	if core != nil && len(findings) == 0 {
		findings = append(findings, finding{fatal, "devices", "the runtime finds no device that can be used, not even the processor", "run `dragoman runtime install`"})
	}
	for _, f := range m.Findings {
		if f.Problem == device.NoRuntime || f.Problem == device.NoHardware && f.Device == device.GPU {
			continue // said elsewhere; of no consequence
		}
		detail := fmt.Sprintf("%s: %s", f.Device, f.Text)
		if f.Device == device.NPU && f.Blocks {
			detail += "; the encoder runs on the processor"
		}
		findings = append(findings, finding{note, "device", detail, f.Cure})
	}
	return findings
}

// deviceLine is a device in one line.
func deviceLine(m device.Machine, d device.Device) string {
	return strings.Join(append([]string{fmt.Sprintf("%s: %s", d.Kind, d.Name)}, deviceFacts(m, d)...), ", ")
}

// deviceFacts are what is known of a device besides its name.
func deviceFacts(m device.Machine, d device.Device) (facts []string) {
	add := func(format string, args ...any) { facts = append(facts, fmt.Sprintf(format, args...)) }
	if d.Kind == device.CPU {
		p := m.Processor
		switch {
		case p.Performance > 0:
			add("%d fast and %d efficient cores", p.Performance, p.Efficient)
		case p.Cores > 0:
			add("cores: %d", p.Cores)
		}
		if p.Threads > 0 {
			add("threads: %d", p.Threads)
		}
		if len(p.Features) > 0 {
			add("%s", strings.Join(p.Features, " "))
		}
	}
	if d.Chip != "" {
		add("%s", d.Chip)
	}
	if d.Generation != "" {
		add("generation %s", d.Generation)
	}
	if d.Tiles > 0 {
		add("tiles: %d", d.Tiles)
	}
	if d.Memory > 0 {
		add("%.1f GB of memory", float64(d.Memory)/1e9)
	}
	for _, part := range []struct{ what, value string }{
		{"PCI", d.PCI}, {"driver", d.Driver.UserMode}, {"reported by the driver as", d.Driver.Reported}, {"compiler", d.Driver.Compiler},
		{"kernel driver " + d.Driver.Module, d.Driver.Kernel}, {loaderOf(d.Kind), d.Driver.Loader}, {"firmware", d.Driver.Firmware},
	} {
		if part.value != "" {
			add("%s %s", strings.TrimSpace(part.what), part.value)
		}
	}
	if d.Node.Path != "" {
		add("%s of group %s", d.Node.Path, d.Node.Group)
	}
	return facts
}

// loaderOf names what the plugins reach their drivers through.
func loaderOf(k device.Kind) string {
	if k == device.GPU {
		return "OpenCL loader"
	}
	return "level-zero loader"
}
