package folder

import (
	"os"

	"golang.org/x/sys/windows"
)

// openComplete opens the file while nobody else has it open for writing: who
// does not let others write cannot open what is being written to (CreateFileW,
// dwShareMode). Programs that only read it do no harm. A program that wants to
// write at this very moment is refused, so close it at once.
func openComplete(path string) (windows.Handle, error) {
	name, err := windows.UTF16PtrFromString(path)
	if err == nil {
		var h windows.Handle
		h, err = windows.CreateFile(name, windows.GENERIC_READ, windows.FILE_SHARE_READ|windows.FILE_SHARE_DELETE, nil,
			windows.OPEN_EXISTING, windows.FILE_ATTRIBUTE_NORMAL, 0)
		if err == nil {
			return h, nil
		}
	}
	return windows.InvalidHandle, &os.PathError{Op: "open", Path: path, Err: err}
}

func askWriters(path string) (open, known bool) {
	err := tryOpen(path)
	return inUse(err), err == nil || inUse(err)
}
