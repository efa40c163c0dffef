package device

import (
	"strconv"
	"strings"
)

// WithProperties completes what the system's files tell by what the runtime
// tells. get asks the runtime for a property of this device by its name; one
// that it refuses is left alone. Names: openvino, ov_property.h.
func (d Device) WithProperties(get func(name string) (string, error)) Device {
	ask := func(name string) string {
		s, err := get(name)
		if err != nil {
			return ""
		}
		return strings.TrimSpace(s)
	}
	if name := ask("FULL_DEVICE_NAME"); name != "" {
		d.Name = name
	}
	if d.Kind != NPU {
		return d
	}
	if arch := ask("DEVICE_ARCHITECTURE"); arch != "" {
		d.Generation = Generation(arch)
	}
	if v := ask("NPU_DRIVER_VERSION"); v != "" {
		d.Driver.Reported = v
	}
	if v := compilerVersion(ask("NPU_COMPILER_VERSION")); v != "" {
		d.Driver.Compiler = v
	}
	if n, err := strconv.Atoi(ask("NPU_MAX_TILES")); err == nil && n > 0 {
		d.Tiles = n
	}
	if n, err := strconv.ParseInt(ask("NPU_DEVICE_TOTAL_MEM_SIZE"), 10, 64); err == nil && n > 0 {
		d.Memory = n
	}
	return d
}

// compilerVersion reads NPU_COMPILER_VERSION: major in the upper sixteen bits,
// minor in the lower ones.
func compilerVersion(s string) string {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || n == 0 {
		return ""
	}
	return strconv.FormatUint(n>>16, 10) + "." + strconv.FormatUint(n&0xffff, 10)
}
