package device

import (
	"strings"
)

const intel = "8086"

// Classes of PCI devices. PCI Code and ID Assignment Specification.
const (
	classDisplay     = "03"   // base class
	classAccelerator = "1200" // processing accelerator
)

// pciDevice is what the kernel says of one, as in
// /sys/bus/pci/devices/0000:00:0b.0/uevent.
type pciDevice struct {
	slot   string
	id     string // "8086:643e"
	class  string // "120000"
	driver string // "" without one
}

func pciDevices(v view) []pciDevice {
	var all []pciDevice
	for _, slot := range v.list("sys/bus/pci/devices", startsWith("")) {
		f := fields(v.text("sys/bus/pci/devices/"+slot+"/uevent"), "=")
		if f["PCI_ID"] == "" {
			continue
		}
		class := f["PCI_CLASS"] // without leading zeros
		for len(class) < 6 {
			class = "0" + class
		}
		all = append(all, pciDevice{slot, strings.ToLower(f["PCI_ID"]), class, f["DRIVER"]})
	}
	return all
}

// newerNPUs are Intel NPUs that OpenVINO 2026.4 has no platform for. Kernel:
// drivers/accel/ivpu/ivpu_drv.h.
var newerNPUs = map[string]string{"8086:d71d": "Nova Lake"}

// foreignNPUs are those that OpenVINO cannot use. Kernel:
// drivers/accel/amdxdna/amdxdna_pci_drv.c.
var foreignNPUs = map[string]string{
	"1022:1502": "AMD XDNA (Ryzen AI)", "1022:17f0": "AMD XDNA (Ryzen AI)", "1022:1569": "AMD XDNA (Ryzen AI)",
}

func (d pciDevice) isNPU() bool {
	_, _, _, known := generationOf(d.id)
	return known || d.isNewerNPU()
}

func (d pciDevice) isNewerNPU() bool {
	if _, _, _, known := generationOf(d.id); known {
		return false
	}
	_, newer := newerNPUs[d.id]
	return newer || strings.HasPrefix(d.id, intel+":") && (d.driver == npuModule || strings.HasPrefix(d.class, classAccelerator))
}

func (d pciDevice) isForeignNPU() bool {
	_, listed := foreignNPUs[d.id]
	return listed || d.driver == "amdxdna"
}

func (d pciDevice) isGPU() bool { return strings.HasPrefix(d.class, classDisplay) }

func (d pciDevice) isIntel() bool { return strings.HasPrefix(d.id, intel+":") }

// makers of GPUs, for saying which one is there.
var makers = map[string]string{"10de": "NVIDIA", "1002": "AMD", "1af4": "virtio", "1234": "QEMU", "15ad": "VMware", "1414": "Microsoft", "80ee": "VirtualBox"}

func (d pciDevice) maker() string {
	vendor, _, _ := strings.Cut(d.id, ":")
	return makers[vendor]
}
