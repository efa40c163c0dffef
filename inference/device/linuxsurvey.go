package device

import (
	"path"
	"strings"
)

// npuModule is the kernel's driver for Intel NPUs.
const npuModule = "intel_vpu"

func surveyLinux(v view, m *Machine) {
	systemLinux(v, m)
	m.Processor = processorLinux(v)
	m.Memory = memoryLinux(v)
	m.Devices = append(m.Devices, m.Processor.asDevice(m.Memory))
	checkRuntime(v.Runtime, m)

	pci := pciDevices(v)
	libraries := findLibraries(v)
	for _, d := range pci {
		if d.isGPU() && d.isIntel() {
			gpuLinux(v, d, libraries, m)
		}
	}
	if !v.is("dev/dxg") { // by which WSL 2 passes GPUs through, and which does not say whose
		noGPU(pci, m)
	}
	for _, d := range pci {
		if d.isNPU() {
			npuLinux(v, d, libraries, m)
		}
	}
	if _, found := m.Find(NPU); !found {
		noNPULinux(v, pci, m)
	}
}

// npuLinux looks at an NPU from the bus upwards. What is missing below hides
// what is missing above, so the node's finding ends with the first; libraries
// are looked at in any case, because a user installs all at once.
func npuLinux(v view, p pciDevice, lib libraries, m *Machine) {
	d := Device{Kind: NPU, Name: "Intel NPU", PCI: p.id, Slot: p.slot}
	d.Driver = Driver{Module: p.driver, UserMode: lib.version(npuDriver), Loader: lib.version(loader)}
	if p.driver != "" {
		d.Driver.Kernel = m.System.Kernel
	}
	d.Generation, d.Chip, d.Tiles, _ = generationOf(p.id)
	if name := d.Generation.Name(); name != "" {
		d.Name = "Intel " + name
	}
	if p.isNewerNPU() {
		d.Chip = newerNPUs[p.id]
		m.find(newerNPU(d))
	}
	d.Driver.Firmware = firmware(v, d.Generation)
	nodeOfNPU(v, p, &d, m)
	m.Devices = append(m.Devices, d)
	npuSoftware(d, lib, m)
}

// nodeOfNPU finds the device's node and says what keeps it from being used.
func nodeOfNPU(v view, p pciDevice, d *Device, m *Machine) {
	if p.driver == "" {
		m.find(noModule(v, *d, m.System.Kernel))
		return
	}
	name := nodeName(v, "sys/class/accel", "accel", p.slot)
	if name == "" {
		m.find(noNode(*d))
		return
	}
	node := "dev/accel/" + name
	if !v.is(node) {
		m.find(notPassed(*d, "/"+node, m.System))
		return
	}
	if d.Node = v.node(node); !d.Node.Open {
		m.find(noPermission(*d, v.User, m.System))
	}
}

// nodeName finds the node that a class of devices has for the device in a PCI slot.
func nodeName(v view, class, prefix, slot string) string {
	for _, name := range v.list(class, startsWith(prefix)) {
		if fields(v.text(path.Join(class, name, "device/uevent")), "=")["PCI_SLOT_NAME"] == slot {
			return name
		}
	}
	return ""
}

// firmware names the firmware's file that the kernel would load, "" if there is
// none or the generation is unknown.
func firmware(v view, g Generation) string {
	families := map[Generation]string{NPU3720: "vpu_37xx", NPU4000: "vpu_40xx", NPU5010: "vpu_50xx", NPU5020: "vpu_50xx"}
	family := families[g]
	if family == "" {
		return ""
	}
	for _, dir := range []string{"lib/firmware/updates/intel/vpu", "lib/firmware/intel/vpu", "usr/lib/firmware/intel/vpu"} {
		if found := v.list(dir, startsWith(family)); len(found) > 0 {
			return found[len(found)-1] // the highest version of its interface
		}
	}
	return ""
}

func gpuLinux(v view, p pciDevice, lib libraries, m *Machine) {
	d := Device{Kind: GPU, Name: "Intel GPU", PCI: p.id, Slot: p.slot}
	d.Driver = Driver{Module: p.driver, UserMode: lib.version(gpuDriver), Loader: lib.version(openCL)}
	if p.driver != "" {
		d.Driver.Kernel = m.System.Kernel
	}
	name := nodeName(v, "sys/class/drm", "renderD", p.slot)
	node := "dev/dri/" + name
	switch {
	case p.driver == "" || name == "":
		m.find(gpuWithoutModule(d))
	case !v.is(node):
		m.find(notPassed(d, "/"+node, m.System))
	default:
		if d.Node = v.node(node); !d.Node.Open {
			m.find(noPermission(d, v.User, m.System))
		}
	}
	m.Devices = append(m.Devices, d)
	if !lib.has(gpuDriver) {
		m.find(gpuWithoutDriver(d))
	}
}

// noNPULinux says why there is no NPU at all.
func noNPULinux(v view, pci []pciDevice, m *Machine) {
	if m.System.In(WSL) {
		host := v.list("usr/lib/wsl/drivers", startsWith("npu.inf_"))
		m.find(inWSL(len(host) > 0, m.System.In(Container)))
		return
	}
	for _, d := range pci {
		if d.isForeignNPU() {
			m.find(foreignNPU(foreignNPUs[d.id]))
			return
		}
	}
	m.find(absentNPU(m.System, m.Processor, len(pci) > 0))
}

// noGPU says so where there is no Intel GPU. It is of no consequence, since the
// processor does the work.
func noGPU(pci []pciDevice, m *Machine) {
	if _, found := m.Find(GPU); found {
		return
	}
	var others []string
	for _, d := range pci {
		if name := d.maker(); d.isGPU() && name != "" {
			others = append(others, name)
		}
	}
	m.find(absentGPU(strings.Join(others, ", ")))
}
