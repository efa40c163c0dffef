package device

import "fmt"

// release names where Intel's driver for Linux comes from.
const release = "the releases of intel/linux-npu-driver on GitHub"

// noModule tells apart a kernel that has no driver for this NPU, one whose
// driver does not know it, and one that has it but did not load it, by what the
// kernel's own tables say.
func noModule(v view, d Device, kernel string) Finding {
	f := Finding{Device: NPU, Problem: NoModule, Blocks: true}
	alias := fmt.Sprintf("pci:v0000%sd0000%s", upper(d.PCI[:4]), upper(d.PCI[5:]))
	knows, has, readable := false, v.is("sys/module/"+npuModule), false
	for _, name := range []string{"modules.alias", "modules.builtin.modinfo"} {
		name = "lib/modules/" + kernel + "/" + name
		readable = readable || v.is(name)
		knows = knows || v.line(name, alias) != ""
		has = has || v.line(name, npuModule) != ""
	}
	switch {
	case knows && v.is("sys/module/"+npuModule):
		f.Text = fmt.Sprintf("the NPU (%s) is there and the kernel module %s is loaded, but did not take it", d.PCI, npuModule)
		f.Cure = "see why: sudo dmesg | grep " + npuModule
	case knows:
		f.Text = fmt.Sprintf("the NPU (%s) is there, but the kernel module %s is not loaded", d.PCI, npuModule)
		f.Cure = "sudo modprobe " + npuModule + "; where that fails or does not last, look for it in /etc/modprobe.d (blacklist)"
	case has:
		f.Text = fmt.Sprintf("the NPU (%s) is there, but the module %s of this kernel (%s) is older and does not know it", d.PCI, npuModule, kernel)
		f.Cure = "install a newer kernel of your distribution and restart"
	case !readable: // in a container, or a service that systemd keeps from /lib/modules
		f.Text = fmt.Sprintf("the NPU (%s) is there, but no module of the kernel (%s) took it", d.PCI, kernel)
		f.Cure = "sudo modprobe " + npuModule + "; where that finds no such module, install a newer kernel and restart"
	default:
		f.Text = fmt.Sprintf("the NPU (%s) is there, but this kernel (%s) has no module %s for it", d.PCI, kernel, npuModule)
		f.Cure = "install your distribution's kernel with all modules (Ubuntu: sudo apt install linux-modules-extra-$(uname -r)), or a newer one, and restart"
	}
	return f
}

func noNode(d Device) Finding {
	f := Finding{Device: NPU, Problem: NoNode, Blocks: true,
		Text: fmt.Sprintf("the kernel module %s is loaded, but made no device of the NPU (%s)", npuModule, d.PCI),
		Cure: "see why: sudo dmesg | grep " + npuModule}
	if d.Driver.Firmware == "" {
		f.Text += ", and its firmware is missing in /lib/firmware/intel/vpu"
		f.Cure = "install the firmware (package intel-fw-npu of " + release + ", or linux-firmware), then: sudo modprobe -r intel_vpu && sudo modprobe intel_vpu"
	}
	return f
}

// notPassed is for a node that the kernel made and this process does not see.
func notPassed(d Device, node string, s System) Finding {
	if !s.In(Container) {
		return Finding{Device: d.Kind, Problem: NoNode, Blocks: true,
			Text: fmt.Sprintf("the kernel has the %s, but its node %s is missing", d.Kind, node),
			Cure: "sudo udevadm trigger --action=add --subsystem-match=" + map[Kind]string{NPU: "accel", GPU: "drm"}[d.Kind]}
	}
	return Finding{Device: d.Kind, Problem: NotPassed, Blocks: true,
		Text: fmt.Sprintf("the machine has the %s, but this container (%s) was not given its node %s", d.Kind, s.By, node),
		Cure: givenToContainer(node)}
}

// givenToContainer is how docker and podman hand a device over.
func givenToContainer(node string) string {
	return fmt.Sprintf("start the container with --device=%s --group-add=$(stat -c %%g %s)", node, node)
}

func noPermission(d Device, user string, s System) Finding {
	if user == "" {
		user = "$USER"
	}
	f := Finding{Device: d.Kind, Problem: NoPermission, Blocks: true,
		Text: fmt.Sprintf("the %s is there, but %s may not be opened by %s", d.Kind, d.Node.Path, user)}
	switch {
	case s.In(Container):
		f.Cure = givenToContainer(d.Node.Path)
	case d.Node.Group == "" || d.Node.Group == "root":
		// systemd gives the node to the group since pull request 27785; before that it is root's.
		f.Text += ": it belongs to root alone"
		f.Cure = fmt.Sprintf("sudo chown root:render %s && sudo chmod g+rw %s && sudo usermod -aG render %s, then log in again", d.Node.Path, d.Node.Path, user)
	default:
		f.Text += fmt.Sprintf(": only members of the group %s may", d.Node.Group)
		f.Cure = fmt.Sprintf("sudo usermod -aG %s %s, then log in again; a service that runs by then needs `dragoman service restart`", d.Node.Group, user)
	}
	return f
}

func gpuWithoutModule(d Device) Finding {
	return Finding{Device: GPU, Problem: NoModule, Blocks: true,
		Text: fmt.Sprintf("the GPU (%s) is there, but the kernel made no device of it", d.PCI),
		Cure: "see why: sudo dmesg | grep -e i915 -e xe; a GPU that is newer than the kernel needs a newer kernel"}
}

func gpuWithoutDriver(d Device) Finding {
	return Finding{Device: GPU, Problem: NoUserDriver, Blocks: true,
		Text: fmt.Sprintf("the GPU (%s) is there, but Intel's OpenCL driver for it is missing", d.PCI),
		Cure: "install the package intel-opencl-icd (Fedora: intel-compute-runtime)"}
}

func upper(hex string) string {
	b := []byte(hex)
	for i, c := range b {
		if c >= 'a' && c <= 'f' {
			b[i] = c - 'a' + 'A'
		}
	}
	return string(b)
}
