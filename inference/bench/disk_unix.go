//go:build unix

package main

import "golang.org/x/sys/unix"

// freeBytes is the space that is left for this user on the disk of dir.
func freeBytes(dir string) (uint64, error) {
	var st unix.Statfs_t
	if err := unix.Statfs(dir, &st); err != nil {
		return 0, err
	}
	return uint64(st.Bavail) * uint64(st.Bsize), nil
}
