package openvino_test

import (
	"runtime"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dragoman/inference/openvino/ovtest"
)

// A thread whose stack for signals was the library's is ended by the first signal
// after the core is freed.
func TestCoresLeaveTheSignalStackAlone(t *testing.T) {
	rt := ovtest.Core(t).Runtime()
	xml, weights := affine(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	stack := func() (s [3]uintptr) {
		_, _, failed := unix.RawSyscall(unix.SYS_SIGALTSTACK, 0, uintptr(unsafe.Pointer(&s)), 0)
		require.Zero(t, failed)
		return s
	}
	want, live := stack(), rt.Live()
	for range 3 {
		core, err := rt.NewCore()
		require.NoError(t, err)
		require.Equal(t, want, stack())
		_, err = core.Devices()
		require.NoError(t, err)
		m, err := core.ReadModel(xml, weights)
		require.NoError(t, err)
		c, err := core.Compile(m, "CPU", nil)
		require.NoError(t, err)
		m.Close()
		require.Len(t, run(t, core, c, make([]float32, 3), 1, 3), 2)
		c.Close()
		require.Equal(t, want, stack())
		core.Close()
		core.Close() // twice is no error
		require.Equal(t, want, stack())
		require.Equal(t, live, rt.Live())
	}
}
