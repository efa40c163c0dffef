package folder

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

const (
	foldCase   = true // compare paths as the usual file systems do
	shortNames = true // events may carry an alias of a name (LONGNA~1.TXT)
)

// sendsNoEvents says whether dir lies on a share: servers report changes, but
// not all of them and not all changes.
func sendsNoEvents(dir string) bool {
	volume := filepath.VolumeName(dir)
	if len(volume) > 2 {
		return true // \\server\share
	}
	name, err := windows.UTF16PtrFromString(volume + `\`)
	if err != nil {
		return false
	}
	return windows.GetDriveType(name) == windows.DRIVE_REMOTE
}
