package document

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sys/windows"
	"golang.org/x/sys/windows/registry"
)

var (
	shell             = windows.NewLazySystemDLL("shell32.dll")
	shFileOperation   = shell.NewProc("SHFileOperationW")
	shQueryRecycleBin = shell.NewProc("SHQueryRecycleBinW")
)

// fileOperation is SHFILEOPSTRUCTW.
type fileOperation struct {
	window        uintptr
	operation     uint32
	from, to      *uint16
	flags         uint16
	aborted       int32
	nameMappings  uintptr
	progressTitle *uint16
}

// Values of SHFILEOPSTRUCTW (shellapi.h).
const (
	foDelete          = 3
	fofSilent         = 0x0004
	fofNoConfirmation = 0x0010
	fofAllowUndo      = 0x0040
	fofNoErrorUI      = 0x0400
)

// moveToBin lets the shell do it. Where that cannot, it removes the file for
// good without a word: a second link to the file is kept until the bin is seen
// to have one more.
func moveToBin(path string, _ Stamp) error {
	if !hasBin(path) {
		return ErrNoBin
	}
	keeping.Lock()
	defer keeping.Unlock()
	kept, err := keep(path)
	if err != nil {
		return ErrNoBin // a file system without links: nothing could be undone
	}
	before := inBin(path)
	err = shellDelete(path)
	if _, gone := os.Lstat(path); err != nil && gone == nil {
		return errors.Join(err, letGo(kept))
	}
	if inBin(path) <= before {
		err := renameNew(kept, path)
		_ = os.Remove(filepath.Dir(kept))
		return errors.Join(ErrNoBin, err)
	}
	return letGo(kept)
}

// letGo removes a second link, and its folder with the last of them.
func letGo(kept string) error {
	err := os.Remove(kept)
	_ = os.Remove(filepath.Dir(kept)) // fails while others are in it
	return err
}

func shellDelete(path string) error {
	from, err := windows.UTF16FromString(path)
	if err != nil {
		return err
	}
	from = append(from, 0) // a list, ended by an empty name
	op := fileOperation{
		operation: foDelete, from: &from[0],
		flags: fofAllowUndo | fofNoConfirmation | fofNoErrorUI | fofSilent,
	}
	code, _, _ := shFileOperation.Call(uintptr(unsafe.Pointer(&op)))
	runtime.KeepAlive(from)
	if code != 0 || op.aborted != 0 {
		return fmt.Errorf("the shell refused (code %#x); let originals stay or be moved to \"done\"", code)
	}
	return nil
}

// inBin is how many files the bin of the file's disk holds, -1 if unknown.
func inBin(path string) int64 {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(path) + `\`)
	if err != nil {
		return -1
	}
	info := struct { // SHQUERYRBINFO
		size         uint32
		bytes, files int64
	}{}
	info.size = uint32(unsafe.Sizeof(info))
	if code, _, _ := shQueryRecycleBin.Call(uintptr(unsafe.Pointer(root)), uintptr(unsafe.Pointer(&info))); code != 0 {
		return -1
	}
	return info.files
}

// hasBin says whether the file's disk has a bin that is in use.
func hasBin(path string) bool {
	volume := filepath.VolumeName(path)
	if len(volume) != 2 {
		return false // \\server\share
	}
	root, err := windows.UTF16PtrFromString(volume + `\`)
	if err != nil || windows.GetDriveType(root) != windows.DRIVE_FIXED {
		return false
	}
	const explorer = `Software\Microsoft\Windows\CurrentVersion\`
	if isSet(explorer+`Policies\Explorer`, "NoRecycleFiles") {
		return false
	}
	var name [windows.MAX_PATH]uint16
	if windows.GetVolumeNameForVolumeMountPoint(root, &name[0], uint32(len(name))) != nil {
		return true
	}
	id := windows.UTF16ToString(name[:]) // \\?\Volume{...}\
	id = strings.TrimSuffix(strings.TrimPrefix(id, `\\?\Volume`), `\`)
	return !isSet(explorer+`Explorer\BitBucket\Volume\`+id, "NukeOnDelete")
}

// isSet reads a switch of the user's, off where it is not there.
func isSet(key, value string) bool {
	k, err := registry.OpenKey(registry.CURRENT_USER, key, registry.QUERY_VALUE)
	if err != nil {
		return false
	}
	defer k.Close()
	on, _, err := k.GetIntegerValue(value)
	return err == nil && on != 0
}
