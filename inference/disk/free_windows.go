package disk

import (
	"os"

	"golang.org/x/sys/windows"
)

// Free returns the bytes that are left for this user on the disk of dir, which
// must exist.
func Free(dir string) (free uint64, err error) {
	path, err := windows.UTF16PtrFromString(dir)
	if err == nil {
		err = windows.GetDiskFreeSpaceEx(path, &free, nil, nil)
	}
	if err != nil {
		return 0, &os.PathError{Op: "GetDiskFreeSpaceEx", Path: dir, Err: err}
	}
	return free, nil
}
