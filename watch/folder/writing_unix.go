//go:build unix

package folder

import (
	"os"
	"syscall"
)

func askWriters(path string) (open, known bool) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false, false
	}
	defer f.Close()
	return openForWriting(f)
}
