//go:build unix

package disk

import (
	"os"

	"golang.org/x/sys/unix"
)

// Free returns the bytes that are left for this user on the disk of dir, which
// must exist.
func Free(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, &os.PathError{Op: "statfs", Path: dir, Err: err}
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}
