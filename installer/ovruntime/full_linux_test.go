package ovruntime

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// fullEnv names a wheel: the test runs itself again, in a mount namespace of its
// own, to have a disk that gets full.
const fullEnv = "OVRUNTIME_TEST_FULL_DISK"

// What the inner run says to the outer one.
const (
	noDisk  = "no small disk can be mounted here:"
	wasFull = "the disk was full"
)

func TestAFullDiskLeavesNothing(t *testing.T) {
	if wheel := os.Getenv(fullEnv); wheel != "" {
		onAFullDisk(t, wheel)
		return
	}
	files := fakeWheelFiles("2026.4.1", "2641")
	for i := range files {
		if filepath.Base(files[i].name) == "libtbb.so.12" {
			files[i].content = append(files[i].content, make([]byte, 4<<20)...)
		}
	}
	wheel := makeZip(t, "openvino-2026.4.1-large.whl", files)
	command := exec.Command(os.Args[0], "-test.run=^TestAFullDiskLeavesNothing$", "-test.v")
	command.Env = append(os.Environ(), fullEnv+"="+wheel)
	command.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	output, err := command.CombinedOutput()
	if errors.Is(err, unix.EPERM) || errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EINVAL) {
		t.Skipf("this kernel allows no user namespaces: %v", err)
	}
	require.NoError(t, err, string(output))
	if strings.Contains(string(output), noDisk) {
		t.Skip(string(output))
	}
	require.Contains(t, string(output), wasFull)
}

func onAFullDisk(t *testing.T, wheel string) {
	data := t.TempDir()
	if err := unix.Mount("none", data, "tmpfs", 0, "size=2m"); err != nil {
		fmt.Println(noDisk, err)
		return
	}
	defer func() { require.NoError(t, unix.Unmount(data, 0)) }()
	before := install(t, fromFile(data, makeWheel(t, "2026.3.0", "2630")))

	_, err := Install(t.Context(), fromFile(data, wheel))
	require.ErrorIs(t, err, unix.ENOSPC)
	require.ErrorContains(t, err, "libtbb.so.12")
	require.ElementsMatch(t, []string{".lock", "current", filepath.Base(before.Dir)}, entries(t, filepath.Join(data, "runtime")))
	require.Equal(t, before.Dir, locateIn(t, data, "linux").Dir)
	require.NoError(t, Verify(before.Dir))
	fmt.Println(wasFull)
}
