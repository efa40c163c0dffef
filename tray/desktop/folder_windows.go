package desktop

import (
	"context"
	"fmt"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	ole32            = windows.NewLazySystemDLL("ole32.dll")
	coCreateInstance = ole32.NewProc("CoCreateInstance")

	// Those of the dialog that Windows has had since Vista (shobjidl_core.h).
	classFileOpenDialog = windows.GUID{Data1: 0xdc1c5a9c, Data2: 0xe88a, Data3: 0x4dde, Data4: [8]byte{0xa5, 0xa1, 0x60, 0xf8, 0x2a, 0x20, 0xae, 0xf7}}
	ifaceFileOpenDialog = windows.GUID{Data1: 0xd57c7288, Data2: 0xd4ad, Data3: 0x4768, Data4: [8]byte{0xbe, 0x02, 0x9d, 0x96, 0x95, 0x32, 0xd9, 0x60}}
)

// Places of methods in the tables of IUnknown, IModalWindow, IFileDialog and
// IShellItem.
const (
	methodRelease        = 2
	methodShow           = 3
	methodGetDisplayName = 5 // of IShellItem
	methodSetOptions     = 9
	methodGetOptions     = 10
	methodSetTitle       = 17
	methodGetResult      = 20
)

const (
	inProcess    = 1          // CLSCTX_INPROC_SERVER
	pickFolders  = 0x20       // FOS_PICKFOLDERS
	fileSystem   = 0x40       // FOS_FORCEFILESYSTEM
	pathName     = 0x80058000 // SIGDN_FILESYSPATH
	resultCancel = 0x800704c7 // HRESULT of ERROR_CANCELLED
)

// object is any COM object: a pointer to a table of methods.
type object struct{ methods *[32]uintptr }

// call returns an error if the method's result says that it failed.
//
//go:uintptrescapes
func (o *object) call(method int, args ...uintptr) error {
	r, _, _ := syscall.SyscallN(o.methods[method], append([]uintptr{uintptr(unsafe.Pointer(o))}, args...)...)
	return result(r)
}

func result(r uintptr) error {
	if int32(r) < 0 {
		return syscall.Errno(uint32(r))
	}
	return nil
}

// CanChooseFolder tells that ChooseFolder has something to ask.
func CanChooseFolder(context.Context) bool { return true }

// ChooseFolder has the person choose a folder, which may take any time. It
// returns "" if none was chosen. When ctx ends, it does not wait any longer; the
// dialog stays until it is closed.
func ChooseFolder(ctx context.Context, title string) (string, error) {
	type answer struct {
		path string
		err  error
	}
	chosen := make(chan answer, 1)
	go func() {
		// The dialog belongs to the thread.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		path, err := choose(title)
		chosen <- answer{path, err}
	}()
	select {
	case a := <-chosen:
		if a.err != nil {
			return "", fmt.Errorf("choose a folder: %w: use `dragoman folders add`", a.err)
		}
		return a.path, nil
	case <-ctx.Done():
		return "", fmt.Errorf("choose a folder: %w", ctx.Err())
	}
}

func choose(title string) (string, error) {
	name, err := windows.UTF16PtrFromString(title)
	if err != nil {
		return "", err
	}
	if err := windows.CoInitializeEx(0, windows.COINIT_APARTMENTTHREADED|windows.COINIT_DISABLE_OLE1DDE); err != nil && err != syscall.Errno(windows.S_FALSE) {
		return "", err
	}
	defer windows.CoUninitialize()
	var dialog *object
	r, _, _ := coCreateInstance.Call(uintptr(unsafe.Pointer(&classFileOpenDialog)), 0, inProcess,
		uintptr(unsafe.Pointer(&ifaceFileOpenDialog)), uintptr(unsafe.Pointer(&dialog)))
	if err := result(r); err != nil {
		return "", err
	}
	defer func() { _ = dialog.call(methodRelease) }()
	var options uint32
	if err := dialog.call(methodGetOptions, uintptr(unsafe.Pointer(&options))); err != nil {
		return "", err
	}
	if err := dialog.call(methodSetOptions, uintptr(options|pickFolders|fileSystem)); err != nil {
		return "", err
	}
	if err := dialog.call(methodSetTitle, uintptr(unsafe.Pointer(name))); err != nil {
		return "", err
	}
	switch err := dialog.call(methodShow, 0); {
	case err == syscall.Errno(resultCancel):
		return "", nil
	case err != nil:
		return "", err
	}
	var item *object
	if err := dialog.call(methodGetResult, uintptr(unsafe.Pointer(&item))); err != nil {
		return "", err
	}
	defer func() { _ = item.call(methodRelease) }()
	var path *uint16
	if err := item.call(methodGetDisplayName, pathName, uintptr(unsafe.Pointer(&path))); err != nil {
		return "", err
	}
	defer windows.CoTaskMemFree(unsafe.Pointer(path))
	return windows.UTF16PtrToString(path), nil
}
