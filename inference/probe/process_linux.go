package probe

import (
	"fmt"
	"os"
	"os/exec"
)

func hide(*exec.Cmd) {}

// resident is the memory of a process in bytes: proc_pid_statm(5), second field.
func resident(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0, err
	}
	var size, pages int64
	if _, err := fmt.Sscan(string(text), &size, &pages); err != nil {
		return 0, err
	}
	return pages * int64(os.Getpagesize()), nil
}
