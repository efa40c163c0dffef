package folder

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
)

// explainLimit turns the misleading errors of inotify(7) into what they mean
// there; "no space left on device" is not about the disk.
func explainLimit(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the limit fs.inotify.max_user_watches is reached (%w); raise it with `sudo sysctl fs.inotify.max_user_watches=%d`", err, raised("max_user_watches", 524288))
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return fmt.Errorf("the limit fs.inotify.max_user_instances or that of open files is reached (%w); raise it with `sudo sysctl fs.inotify.max_user_instances=%d`", err, raised("max_user_instances", 512))
	}
	return err
}

// raised is a value for the limit that is more than it has now.
func raised(limit string, usual int) int {
	raw, err := os.ReadFile("/proc/sys/fs/inotify/" + limit)
	if err != nil {
		return usual
	}
	now, err := strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return usual
	}
	return max(usual, 2*now)
}
