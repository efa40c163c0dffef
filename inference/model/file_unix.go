//go:build unix

package model

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// fileID includes the change time: it moves even when a tool sets the
// modification time back.
func fileID(f *os.File) (string, error) {
	var st unix.Stat_t
	if err := unix.Fstat(int(f.Fd()), &st); err != nil {
		return "", err
	}
	return fmt.Sprintf("%d:%d:%d", st.Dev, st.Ino, unix.TimespecToNsec(st.Ctim)), nil
}
