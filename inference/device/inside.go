package device

import "strings"

// systemLinux says what runs and in what.
func systemLinux(v view, m *Machine) {
	s := &m.System
	s.Name = fields(v.text("etc/os-release"), "=")["PRETTY_NAME"]
	s.Kernel = v.text("proc/sys/kernel/osrelease")
	switch by := containerLinux(v); {
	case by != "":
		s.Inside, s.By = append(s.Inside, Container), by
	}
	if isWSL(s.Kernel) {
		s.Inside = append(s.Inside, WSL)
	} else if by := machineLinux(v); by != "" {
		s.Inside = append(s.Inside, VirtualMachine)
		if s.By == "" {
			s.By = by
		}
	}
}

// isWSL knows the kernel that Microsoft builds for WSL 2, "5.15.90.1-microsoft-standard-WSL2".
func isWSL(kernel string) bool {
	return strings.Contains(strings.ToLower(kernel), "microsoft")
}

// containerLinux names what made the container that this is, "" where it is
// none. The marks are those that systemd-detect-virt looks at.
func containerLinux(v view) string {
	if name := v.text("run/systemd/container"); name != "" {
		return name
	}
	switch {
	case v.is("run/.containerenv"):
		return "podman"
	case v.env("KUBERNETES_SERVICE_HOST") != "":
		return "kubernetes"
	case v.is(".dockerenv"):
		return "docker"
	case v.env("container") != "":
		return v.env("container")
	}
	return ""
}

// machineLinux names the virtual machine that this is, "" where it is none:
// a processor says so by its flag "hypervisor".
func machineLinux(v view) string {
	cpu, _, _ := strings.Cut(v.text("proc/cpuinfo"), "\n\n")
	f := fields(cpu, ":")
	if !strings.Contains(" "+f["flags"]+" ", " hypervisor ") {
		return ""
	}
	for _, name := range []string{"product_name", "sys_vendor"} {
		if s := v.text("sys/class/dmi/id/" + name); s != "" {
			return s
		}
	}
	return "an unknown one"
}
