package ovruntime

import (
	"syscall"
	"testing"
	"unsafe"

	"dragoman/inference/openvino/locate"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

// buildOf loads the C library of c and returns its build number.
func buildOf(t *testing.T, c locate.Candidate) string {
	t.Helper()
	library, err := windows.LoadLibraryEx(c.Library, 0, windows.LOAD_WITH_ALTERED_SEARCH_PATH)
	require.NoError(t, err)
	get, err := windows.GetProcAddress(library, "ov_get_openvino_version")
	require.NoError(t, err)
	// ov_version_t, in the C API's ov_core.h.
	var version struct{ build, description *byte }
	status, _, _ := syscall.SyscallN(get, uintptr(unsafe.Pointer(&version)))
	require.Zero(t, int32(status))
	return windows.BytePtrToString(version.build)
}
