package cores

import (
	"os"

	"golang.org/x/sys/unix"
)

func found() []core {
	var mine unix.CPUSet
	allowed := func(int) bool { return true }
	if err := unix.SchedGetaffinity(0, &mine); err == nil {
		allowed = mine.IsSet
	}
	return inTree(os.DirFS("/sys"), allowed)
}
