package device

import (
	"fmt"
	"strings"
)

const whatHasNPU = "Intel's are in Core Ultra processors and their successors, from Meteor Lake (end of 2023) on"

// absentNPU is for a machine whose bus lists no NPU. seen says that the bus
// could be looked at.
func absentNPU(s System, p Processor, seen bool) Finding {
	f := Finding{Device: NPU, Problem: NoHardware, Blocks: true}
	model := p.Model
	if model == "" {
		model = "the processor"
	}
	switch {
	case s.Arch == "arm64":
		f.Text = "this is an ARM machine: OpenVINO has an NPU plugin for Intel's NPUs only"
	case p.Chip != "" && s.In(VirtualMachine):
		f.Problem = NotPassed
		f.Text = fmt.Sprintf("the processor (%s, %s) has an NPU, but this virtual machine (%s) was not given it", p.Model, p.Chip, s.By)
		f.Cure = "run dragoman on the host"
		if s.OS == "linux" {
			f.Cure += ", or give the virtual machine its PCI device (00:0b.0 there) by VFIO"
		}
	case p.Chip != "" && !seen:
		f.Problem = NotPassed
		f.Text = fmt.Sprintf("the processor (%s, %s) has an NPU, but no PCI device can be seen from here", p.Model, p.Chip)
		if s.In(Container) {
			f.Cure = givenToContainer("/dev/accel/accel0") + " and with /sys"
		}
	case !seen:
		f.Text = fmt.Sprintf("no PCI device can be seen from here, and this processor (%s) has no NPU; %s", model, whatHasNPU)
	case p.Chip != "":
		f.Problem = SwitchedOff
		f.Text = fmt.Sprintf("the processor (%s, %s) has an NPU, but it is not on the PCI bus", p.Model, p.Chip)
		f.Cure = "switch it on in the setup of the machine's firmware (BIOS), where it is called NPU, VPU or Intel AI Boost"
	case s.In(VirtualMachine) && strings.Contains(p.Model, "Intel"):
		f.Text = fmt.Sprintf("there is no NPU: none on the PCI bus of this virtual machine (%s), and its processor calls itself %s; %s", s.By, model, whatHasNPU)
		f.Cure = "if the host has one, run dragoman there"
	default:
		f.Text = fmt.Sprintf("there is no NPU: none on the PCI bus, and this processor (%s) has none; %s", model, whatHasNPU)
	}
	return f
}

func absentGPU(others string) Finding {
	f := Finding{Device: GPU, Problem: NoHardware, Blocks: true, Text: "there is no Intel GPU"}
	if others != "" {
		f.Text += ": the one that is there (" + others + ") cannot be used by OpenVINO"
	}
	return f
}

func foreignNPU(name string) Finding {
	if name == "" {
		name = "of another maker"
	}
	return Finding{Device: NPU, Problem: ForeignNPU, Blocks: true,
		Text: fmt.Sprintf("the NPU here (%s) is not Intel's: OpenVINO cannot use it", name)}
}

func newerNPU(d Device) Finding {
	name := d.PCI
	if d.Chip != "" {
		name = d.Chip + ", " + d.PCI
	}
	return Finding{Device: NPU, Problem: NewerNPU,
		Text: fmt.Sprintf("this NPU (%s) is newer than this dragoman: it is used only if the runtime knows it, and with the formats that every NPU takes", name),
		Cure: "update dragoman, then `dragoman runtime install`"}
}

// inWSL is for WSL 2, which shows Linux no NPU (microsoft/WSL issues 40445,
// 40842; intel/linux-npu-driver issue 56). Programs of Windows can be started
// from there, and reach the service of Windows.
func inWSL(hostHasDriver, inContainer bool) Finding {
	f := Finding{Device: NPU, Problem: InWSL, Blocks: true,
		Text: "WSL 2 does not pass an NPU through to Linux",
		Cure: "if Windows has one, install dragoman there, and use its service from WSL: `dragoman.exe translate --to LANGUAGE`"}
	if hostHasDriver {
		f.Text += "; Windows itself has an NPU with Intel's driver"
		f.Cure = "install dragoman in Windows (`dragoman service install` there), and use its service from WSL: `dragoman.exe translate --to LANGUAGE`"
	}
	if inContainer {
		f.Text += ", nor to its containers"
		f.Cure += ", outside of this container"
	}
	return f
}
