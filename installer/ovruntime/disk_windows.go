package ovruntime

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/windows"
)

// rename tries again for two seconds: a virus scanner that is looking at new
// libraries keeps them open, and Windows then refuses to rename their folder.
func rename(from, to string) error {
	for deadline := time.Now().Add(2 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		err := os.Rename(from, to)
		busy := errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_SHARING_VIOLATION)
		if err == nil || !busy || time.Now().After(deadline) {
			return err
		}
	}
}

// syncDir has nothing to do: NTFS keeps names in its journal, and a folder
// cannot be synced.
func syncDir(string) error { return nil }
