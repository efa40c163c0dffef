package device

import (
	"os"
	"os/user"
	"runtime"
	"strconv"
	"syscall"
)

// Host is this machine, with the runtime that would be used.
func Host(r Runtime) Roots {
	roots := Roots{OS: runtime.GOOS, Arch: runtime.GOARCH, Files: os.DirFS("/"), Node: node, Getenv: os.Getenv, Runtime: r}
	if u, err := user.Current(); err == nil {
		roots.User = u.Username
	}
	return roots
}

// node opens a device to find out whether that is allowed, which asks the
// kernel about groups, access lists and the rules of a container at once.
// Opening an NPU or a GPU wakes it, and does nothing else.
func node(name string) Node {
	name = "/" + name
	var n Node
	if info, err := os.Stat(name); err == nil {
		if stat, ok := info.Sys().(*syscall.Stat_t); ok {
			gid := strconv.FormatUint(uint64(stat.Gid), 10)
			n.Group = gid
			if g, err := user.LookupGroupId(gid); err == nil {
				n.Group = g.Name
			}
		}
	}
	if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
		f.Close()
		n.Open = true
	}
	return n
}
