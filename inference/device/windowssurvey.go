package device

import (
	"fmt"
	"path"
	"strconv"
	"strings"
)

// Classes of devices by their GUID. Windows: devguid.h.
const (
	classCompute = "{f01a9d53-3ff6-48d2-9f97-c8a7004be10c}" // ComputeAccelerator, "Neural processors" in the Device Manager
	classGPU     = "{4d36e968-e325-11ce-bfc1-08002be10318}" // Display
)

const (
	currentVersion = `SOFTWARE\Microsoft\Windows NT\CurrentVersion`
	firstProcessor = `HARDWARE\DESCRIPTION\System\CentralProcessor\0`
	biosKey        = `HARDWARE\DESCRIPTION\System\BIOS`
	driverKeys     = `SYSTEM\CurrentControlSet\Control\Class\`
	driverStore    = "System32/DriverStore/FileRepository"
)

// firstWindows11 is the first build of Windows 11; those below are Windows 10.
const firstWindows11 = 22000

func surveyWindows(v view, m *Machine) {
	systemWindows(v, m)
	m.Processor = processorWindows(v)
	m.Memory = v.Windows.Counted.Memory
	m.Devices = append(m.Devices, m.Processor.asDevice(m.Memory))
	checkRuntime(v.Runtime, m)
	foreign, gpus := "", []string(nil)
	for _, p := range v.Windows.Devices {
		pci := pciDevice{slot: p.Instance, id: p.pci(), class: p.baseClass()}
		switch {
		case pci.isNPU():
			npuWindows(v, p, pci, m)
		case pci.isForeignNPU():
			foreign = foreignNPUs[pci.id]
		case pci.isGPU() && pci.isIntel():
			gpuWindows(v, p, pci, m)
		case pci.isGPU() && pci.maker() != "":
			gpus = append(gpus, pci.maker())
		}
	}
	if _, found := m.Find(GPU); !found {
		m.find(absentGPU(strings.Join(gpus, ", ")))
	}
	if _, found := m.Find(NPU); found {
		checkWindows10(v, true, m)
		return
	}
	defer checkWindows10(v, false, m)
	if foreign != "" {
		m.find(foreignNPU(foreign))
	} else {
		m.find(absentNPU(m.System, m.Processor, true))
	}
}

func systemWindows(v view, m *Machine) {
	s := &m.System
	build := v.value(currentVersion, "CurrentBuildNumber")
	s.Kernel = build
	if revision := v.value(currentVersion, "UBR"); revision != "" {
		s.Kernel += "." + revision
	}
	n, err := strconv.Atoi(build)
	s.Name = v.value(currentVersion, "ProductName")
	if err == nil && n >= firstWindows11 && !isServer(v) {
		s.Name = strings.Replace(s.Name, "Windows 10", "Windows 11", 1) // the name was never changed there
	}
	if release := v.value(currentVersion, "DisplayVersion"); release != "" {
		s.Name += " " + release
	}
	for _, maker := range []string{v.value(biosKey, "SystemProductName"), v.value(biosKey, "SystemManufacturer")} {
		for _, mark := range []string{"Virtual Machine", "VMware", "VirtualBox", "QEMU", "KVM", "Parallels", "HVM domU", "Google Compute Engine", "Amazon EC2"} {
			if strings.Contains(maker, mark) && s.By == "" {
				s.Inside, s.By = append(s.Inside, VirtualMachine), maker
			}
		}
	}
}

func isServer(v view) bool { return v.value(currentVersion, "InstallationType") == "Server" }

// checkWindows10 says so where Windows is one that Microsoft stopped supporting
// on 14 October 2025. The processor serves all the same. OpenVINO, system
// requirements: NPU on Windows 11, 22H2 and later.
func checkWindows10(v view, hasNPU bool, m *Machine) {
	build := v.value(currentVersion, "CurrentBuildNumber")
	n, err := strconv.Atoi(build)
	if err != nil || n >= firstWindows11 || isServer(v) {
		return
	}
	f := Finding{Device: CPU, Problem: Windows10,
		Text: "this is Windows 10 (build " + build + "), which Microsoft no longer supports",
		Cure: "update to Windows 11: Settings, Windows Update"}
	if hasNPU {
		f.Device, f.Blocks = NPU, true
		f.Text += "; OpenVINO uses NPUs on Windows 11 only, from 22H2 on"
	}
	m.find(f)
}

// processorWindows reads the first processor's key, "Intel64 Family 6 Model 170
// Stepping 4", and takes over what was counted.
func processorWindows(v view) Processor {
	p := Processor{Model: strings.TrimSpace(v.value(firstProcessor, "ProcessorNameString"))}
	var family, model, stepping int
	_, kind, _ := strings.Cut(v.value(firstProcessor, "Identifier"), " ")
	if n, _ := fmt.Sscanf(kind, "Family %d Model %d Stepping %d", &family, &model, &stepping); n == 3 {
		p.Chip = chipOf(v.value(firstProcessor, "VendorIdentifier"), strconv.Itoa(family), strconv.Itoa(model))
	}
	c := v.Windows.Counted
	p.Threads, p.Features = c.Threads, c.Features
	for _, n := range c.Cores {
		p.Cores += n
	}
	if len(c.Cores) > 1 {
		p.Performance = c.Cores[len(c.Cores)-1]
		p.Efficient = p.Cores - p.Performance
	}
	return p
}

// pci reads vendor and device of `PCI\VEN_8086&DEV_643E&SUBSYS_…`, "8086:643e".
func (p PnP) pci() string {
	s := strings.ToUpper(p.Instance)
	_, vendor, ok1 := strings.Cut(s, "VEN_")
	_, device, ok2 := strings.Cut(s, "&DEV_")
	if !ok1 || !ok2 || len(vendor) < 4 || len(device) < 4 {
		return ""
	}
	return strings.ToLower(vendor[:4] + ":" + device[:4])
}

// baseClass is the class of PCI that the class of Windows stands for.
func (p PnP) baseClass() string {
	switch strings.ToLower(p.Class) {
	case classCompute:
		return classAccelerator
	case classGPU:
		return classDisplay
	}
	return ""
}

// Problem codes of the Plug and Play manager. Windows: cfg.h.
const (
	notConfigured = 1
	disabled      = 22
	noDriverCode  = 28
)

func npuWindows(v view, p PnP, pci pciDevice, m *Machine) {
	d := Device{Kind: NPU, Name: "Intel NPU", PCI: pci.id, Slot: p.Instance}
	d.Generation, d.Chip, d.Tiles, _ = generationOf(pci.id)
	if name := d.Generation.Name(); name != "" {
		d.Name = "Intel " + name
	}
	if pci.isNewerNPU() {
		d.Chip = newerNPUs[pci.id]
		m.find(newerNPU(d))
	}
	d.Driver = driverWindows(v, p)
	d.Driver.UserMode = d.Driver.Kernel // one package has both
	if v.is("System32/ze_loader.dll") {
		if d.Driver.Loader = v.version("System32/ze_loader.dll"); d.Driver.Loader == "" {
			d.Driver.Loader = "unknown"
		}
	}
	m.Devices = append(m.Devices, d)
	switch {
	case p.Driver == "" || p.Fault == noDriverCode || p.Fault == notConfigured:
		m.find(Finding{Device: NPU, Problem: NoUserDriver, Blocks: true,
			Text: fmt.Sprintf("the NPU (%s) is there, but has no driver; the Device Manager may call it \"Multimedia Video Controller\"", d.PCI),
			Cure: "install it: Settings, Windows Update, Advanced options, Optional updates; or Intel's download \"Intel NPU Driver - Windows\""})
		return
	case p.Fault == disabled:
		m.find(Finding{Device: NPU, Problem: SwitchedOff, Blocks: true,
			Text: "the NPU is switched off in the Device Manager",
			Cure: `as an administrator: pnputil /enable-device "` + p.Instance + `"`})
	case p.Fault != 0:
		m.find(Finding{Device: NPU, Problem: DriverFault, Blocks: true,
			Text: fmt.Sprintf("Windows could not start the NPU with driver %s (code %d of the Device Manager)", d.Driver.Kernel, p.Fault),
			Cure: "restart the machine; if that does not help, install the newest driver: Windows Update, or Intel's download \"Intel NPU Driver - Windows\""})
	}
	packages := v.list(driverStore, startsWith("npu.inf_"))
	found := false
	for _, name := range packages {
		found = found || v.is(path.Join(driverStore, name, "npu_level_zero_umd.dll"))
	}
	if !found {
		m.find(Finding{Device: NPU, Problem: NoUserDriver, Blocks: true,
			Text: "the NPU's driver is installed without its level-zero part (npu_level_zero_umd.dll)",
			Cure: "install Intel's whole driver: Intel's download \"Intel NPU Driver - Windows\""})
	}
	if d.Driver.Loader == "" {
		m.find(Finding{Device: NPU, Problem: NoLoader, Blocks: true,
			Text: `the level-zero loader (ze_loader.dll) is missing in System32`,
			Cure: "install Intel's driver for the NPU anew, which brings it: Intel's download \"Intel NPU Driver - Windows\""})
	}
	checkDriver("windows", d, m)
	switch r := m.Runtime; {
	case r.Release == "":
	case !r.Parts.NPU:
		m.find(noPlugin(NPU, r))
	case !r.Parts.NPUCompiler:
		m.find(Finding{Device: NPU, Problem: MixedCompiler,
			Text: fmt.Sprintf("this runtime (OpenVINO %s) has no compiler for the NPU of its own, so that of the driver is used; where the two are of different ages, compiling fails", r.Release),
			Cure: "if it fails: dragoman runtime install"})
	}
}

func gpuWindows(v view, p PnP, pci pciDevice, m *Machine) {
	d := Device{Kind: GPU, Name: p.Name, PCI: pci.id, Slot: p.Instance, Driver: driverWindows(v, p)}
	if d.Name == "" {
		d.Name = "Intel GPU"
	}
	m.Devices = append(m.Devices, d)
	if p.Fault != 0 || p.Driver == "" {
		m.find(Finding{Device: GPU, Problem: DriverFault, Blocks: true,
			Text: fmt.Sprintf("the GPU (%s) is there, but does not run (code %d of the Device Manager)", d.PCI, p.Fault),
			Cure: "install Intel's graphics driver: Windows Update, or Intel's download \"Intel Graphics - Windows\""})
	}
}

// driverWindows reads the version that the driver's key has.
func driverWindows(v view, p PnP) Driver {
	d := Driver{Module: p.Service}
	if p.Driver != "" {
		d.Kernel = v.value(driverKeys+p.Driver, "DriverVersion")
	}
	return d
}
