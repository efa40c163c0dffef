package folder

import (
	"errors"
	"fmt"
	"syscall"
)

// explainLimit turns the misleading errors of inotify(7) into what they mean
// there; "no space left on device" is not about the disk.
func explainLimit(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return fmt.Errorf("the limit fs.inotify.max_user_watches is reached (%w); raise it with `sudo sysctl fs.inotify.max_user_watches=524288`", err)
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return fmt.Errorf("the limit fs.inotify.max_user_instances or that of open files is reached (%w); raise it with `sudo sysctl fs.inotify.max_user_instances=512`", err)
	}
	return err
}
