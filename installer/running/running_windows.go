package running

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// patience bounds the wait for processes that were ended.
const patience = 10 * time.Second

// End ends all processes whose program lies in folder or below it, but for this
// one and the one that started it (an uninstaller), and returns how many those were. A kill is no loss: the service does what
// it had promised at its next start. Processes of other users are left where this
// one may not end them.
func End(folder string) (ended int, err error) {
	folder, err = filepath.Abs(folder)
	if err != nil {
		return 0, fmt.Errorf("end the programs in %s: %w", folder, err)
	}
	ids, err := processes()
	if err != nil {
		return 0, fmt.Errorf("list the processes: %w", err)
	}
	for _, id := range ids {
		if int(id) == os.Getpid() || int(id) == os.Getppid() {
			continue
		}
		done, e := end(id, folder)
		if done {
			ended++
		}
		err = errors.Join(err, e)
	}
	return ended, err
}

func processes() ([]uint32, error) {
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil, err
	}
	defer windows.CloseHandle(snapshot)
	var ids []uint32
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		ids = append(ids, entry.ProcessID)
	}
	if !errors.Is(err, windows.ERROR_NO_MORE_FILES) {
		return nil, err
	}
	return ids, nil
}

// end ends one process if its program lies in folder.
func end(id uint32, folder string) (bool, error) {
	look, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, id)
	if err != nil {
		return false, nil // it has ended, or is none that we may look at
	}
	program, err := image(look)
	_ = windows.CloseHandle(look)
	if err != nil || !within(folder, program) {
		return false, nil
	}
	process, err := windows.OpenProcess(windows.PROCESS_TERMINATE|windows.SYNCHRONIZE, false, id)
	if err != nil {
		return false, fmt.Errorf("end process %d (%s): %w", id, program, err)
	}
	defer windows.CloseHandle(process)
	if err := windows.TerminateProcess(process, 1); err != nil {
		return false, fmt.Errorf("end process %d (%s): %w", id, program, err)
	}
	if event, err := windows.WaitForSingleObject(process, uint32(patience.Milliseconds())); err != nil || event != windows.WAIT_OBJECT_0 {
		return false, fmt.Errorf("process %d (%s) does not end", id, program)
	}
	return true, nil
}

// image is the path of a process's program.
func image(process windows.Handle) (string, error) {
	buffer := make([]uint16, windows.MAX_LONG_PATH)
	size := uint32(len(buffer))
	if err := windows.QueryFullProcessImageName(process, 0, &buffer[0], &size); err != nil {
		return "", err
	}
	return windows.UTF16ToString(buffer[:size]), nil
}

// within compares as Windows does, without case.
func within(folder, path string) bool {
	rel, err := filepath.Rel(strings.ToLower(folder), strings.ToLower(path))
	return err == nil && filepath.IsLocal(rel)
}
