package win32

import (
	"path/filepath"
	"unsafe"

	"golang.org/x/sys/windows"

	"dragoman/watch/clip/selection"
)

// ownerOf finds out which program a window belongs to.
func ownerOf(w windows.HWND) selection.Owner {
	o := selection.Owner{ID: uint64(w)}
	var pid uint32
	if w == 0 {
		return o
	}
	if _, err := windows.GetWindowThreadProcessId(w, &pid); err != nil || pid == 0 {
		return o
	}
	o.PID = int(pid)
	if o.Process = image(pid); o.Process == "" {
		o.Process = listed(pid)
	}
	return o
}

// image returns the base name of a process's program, "" where Windows does not
// let us ask.
func image(pid uint32) string {
	process, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, pid)
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(process) }()
	name := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(name))
	if windows.QueryFullProcessImageName(process, 0, &name[0], &size) != nil {
		return ""
	}
	return filepath.Base(windows.UTF16ToString(name[:size]))
}

// listed returns the same from the list of all processes, which also has those
// of an administrator.
func listed(pid uint32) string {
	list, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(list) }()
	var entry windows.ProcessEntry32
	entry.Size = uint32(unsafe.Sizeof(entry))
	for err = windows.Process32First(list, &entry); err == nil; err = windows.Process32Next(list, &entry) {
		if entry.ProcessID == pid {
			return windows.UTF16ToString(entry.ExeFile[:])
		}
	}
	return ""
}
