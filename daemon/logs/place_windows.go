package logs

import (
	"os"

	"golang.org/x/sys/windows"
)

func isJournal(*os.File) bool { return false }

func isTerminal(f *os.File) bool {
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
