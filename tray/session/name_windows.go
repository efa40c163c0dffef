package session

import (
	"strconv"

	"golang.org/x/sys/windows"
)

// HasDisplay tells whether this process is in a desktop session.
func HasDisplay() bool { return true }

// Name names the desktop session: a person may be logged in twice.
func Name() string {
	var id uint32
	if windows.ProcessIdToSessionId(windows.GetCurrentProcessId(), &id) != nil {
		return "none"
	}
	return strconv.FormatUint(uint64(id), 10)
}
