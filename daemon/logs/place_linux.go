package logs

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// isJournal compares the file with what systemd says that it connected
// (systemd.exec(5), JOURNAL_STREAM): the variable is inherited, the file may
// have been redirected.
func isJournal(f *os.File) bool {
	info, err := f.Stat()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && os.Getenv("JOURNAL_STREAM") == fmt.Sprintf("%d:%d", stat.Dev, stat.Ino)
}

func isTerminal(f *os.File) bool {
	_, err := unix.IoctlGetTermios(int(f.Fd()), unix.TCGETS)
	return err == nil
}
