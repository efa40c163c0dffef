package device

import "fmt"

// checkRuntime says what the runtime lacks for every device of a kind.
func checkRuntime(r Runtime, m *Machine) {
	if r.Release == "" {
		m.find(Finding{Device: CPU, Problem: NoRuntime, Blocks: true,
			Text: "there is no OpenVINO runtime, so no device can be used", Cure: "dragoman runtime install"})
	}
}

// npuSoftware checks what lies between an NPU and the runtime on Linux.
func npuSoftware(d Device, lib libraries, m *Machine) {
	switch {
	case !lib.has(npuDriver) && !lib.has(loader):
		m.find(Finding{Device: NPU, Problem: NoUserDriver, Blocks: true,
			Text: "the NPU's user-mode driver (libze_intel_npu.so.1) and the level-zero loader (libze_loader.so.1) are missing",
			Cure: "install intel-level-zero-npu and intel-driver-compiler-npu from " + release + ", and the loader: Ubuntu and Debian: sudo apt install libze1; Fedora: sudo dnf install oneapi-level-zero intel-npu-driver intel-npu-compiler; Arch: sudo pacman -S level-zero-loader intel-npu-driver intel-npu-compiler"})
	case !lib.has(npuDriver):
		m.find(Finding{Device: NPU, Problem: NoUserDriver, Blocks: true,
			Text: "the NPU's user-mode driver (libze_intel_npu.so.1) is missing",
			Cure: "install intel-level-zero-npu and intel-driver-compiler-npu from " + release + "; Fedora: sudo dnf install intel-npu-driver intel-npu-compiler; Arch: sudo pacman -S intel-npu-driver intel-npu-compiler"})
	case !lib.has(loader):
		m.find(Finding{Device: NPU, Problem: NoLoader, Blocks: true,
			Text: "the level-zero loader (libze_loader.so.1) is missing, through which the runtime reaches the NPU's driver",
			Cure: "Ubuntu and Debian: sudo apt install libze1; Fedora: sudo dnf install oneapi-level-zero; Arch: sudo pacman -S level-zero-loader"})
	}
	checkDriver("linux", d, m)
	r := m.Runtime
	switch inDriver := lib.has(driverCompiler) || lib.has(newCompiler); {
	case r.Release == "":
	case !r.Parts.NPU:
		m.find(noPlugin(NPU, r))
	case !r.Parts.NPUCompiler && !inDriver:
		m.find(Finding{Device: NPU, Problem: NoCompiler, Blocks: true,
			Text: fmt.Sprintf("this runtime (OpenVINO %s in %s) lacks the NPU's compiler library (libopenvino_intel_npu_compiler.so), as every Python wheel for Linux does, and the driver brings none either", r.Release, r.Folder),
			Cure: "take Intel's archive of OpenVINO for Linux instead, which has it: dragoman runtime install --from FILE; or install the package intel-driver-compiler-npu of the driver"})
	case !r.Parts.NPUCompiler:
		m.find(Finding{Device: NPU, Problem: MixedCompiler,
			Text: fmt.Sprintf("this runtime (OpenVINO %s) has no compiler for the NPU of its own, so that of the driver is used; where the two are of different ages, compiling fails", r.Release),
			Cure: "if it fails, take Intel's archive of OpenVINO: dragoman runtime install --from FILE"})
	}
}

func noPlugin(k Kind, r Runtime) Finding {
	return Finding{Device: k, Problem: NoPlugin, Blocks: true,
		Text: fmt.Sprintf("this runtime (OpenVINO %s in %s) has no plugin for the %s; distributions often leave it out", r.Release, r.Folder, k),
		Cure: "dragoman runtime install"}
}
