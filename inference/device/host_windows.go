package device

import (
	"os"
	"runtime"
	"strconv"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

// Host is this machine, with the runtime that would be used.
func Host(r Runtime) Roots {
	roots := Roots{OS: runtime.GOOS, Arch: runtime.GOARCH, Getenv: os.Getenv, Runtime: r}
	if dir, err := windows.GetSystemWindowsDirectory(); err == nil {
		roots.Files = os.DirFS(dir)
		roots.Version = func(name string) string { return fileVersion(dir, name) }
	}
	roots.Windows = Windows{Value: registryValue, Devices: pciOfWindows(), Counted: counted()}
	return roots
}

// registryValue reads text or a number, whichever it is.
func registryValue(key, name string) string {
	k, err := registry.OpenKey(registry.LOCAL_MACHINE, key, registry.QUERY_VALUE)
	if err != nil {
		return ""
	}
	defer k.Close()
	if s, _, err := k.GetStringValue(name); err == nil {
		return s
	}
	if n, _, err := k.GetIntegerValue(name); err == nil {
		return strconv.FormatUint(n, 10)
	}
	return ""
}
