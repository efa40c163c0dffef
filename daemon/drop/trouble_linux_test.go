package drop

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dragoman/daemon/api"
)

// smallDisk mounts a file system of so many KiB at dir.
func smallDisk(t *testing.T, dir string, kib int) {
	t.Helper()
	require.NoError(t, os.MkdirAll(dir, 0o755))
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%dk", kib)); err != nil {
		t.Skip("this user may not mount:", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(dir, unix.MNT_DETACH)) })
}

// troubled drops 20 files of 20 KB, waits for one message, and for everything
// after the mending.
func troubled(t *testing.T, b *bench, s api.FolderSettings, message string, mend func()) {
	t.Helper()
	want := map[string]string{}
	for i := range 20 {
		text := fmt.Sprintf("%d %s", i, strings.Repeat("x", 20_000))
		b.write(fmt.Sprintf("in/%d.txt", i), text)
		want[fmt.Sprintf("%d.es.txt", i)] = reversed(text, "es")
	}
	inputs := files(t, b.path("in"))
	b.start()
	id := b.add(s)
	b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
	b.wait("all to be accepted", func() bool { st := b.status(id); return st.Waiting+int(st.Done) == 20 })
	require.Contains(t, b.status(id).Message, message)
	require.Len(t, b.told(), 1, "%v", b.told())
	mend()
	b.settled(id, 20)
	require.Equal(t, want, files(t, b.path("out")))
	require.Equal(t, inputs, files(t, b.path("in")))
	require.Empty(t, temporaries(t, b.path("out")))
	b.toldOf(2)
	require.Contains(t, b.told()[1], "no longer: ")
	require.LessOrEqual(t, b.translator.total(), 20+2*4, "what cannot be written is not translated again and again")
}

func toFolder(b *bench) api.FolderSettings {
	s := settings(b.path("in"), "es")
	s.Place, s.Output = api.PlaceFolder, b.path("out")
	return s
}

func TestDiskFull(t *testing.T) {
	b := newBench(t, quick)
	smallDisk(t, b.path("out"), 200)
	troubled(t, b, toFolder(b), "free some space", func() {
		require.NoError(t, unix.Mount("tmpfs", b.path("out"), "tmpfs", unix.MS_REMOUNT, "size=4m"))
	})
}

// F25: the output folder is read-only.
func TestReadOnly(t *testing.T) {
	b := newBench(t, quick)
	smallDisk(t, b.path("out"), 4000)
	require.NoError(t, unix.Mount("tmpfs", b.path("out"), "tmpfs", unix.MS_REMOUNT|unix.MS_RDONLY, "size=4m"))
	troubled(t, b, toFolder(b), "make the folder writable", func() {
		require.NoError(t, unix.Mount("tmpfs", b.path("out"), "tmpfs", unix.MS_REMOUNT, "size=4m"))
	})
}

// Originals go to another disk: copied, compared, removed.
func TestDoneOnAnotherDisk(t *testing.T) {
	b := newBench(t, quick)
	smallDisk(t, b.path("in/done"), 1000)
	b.start()
	b.write("in/s/a.txt", "one two")
	s := settings(b.path("in"), "es")
	s.Original = api.OriginalDone
	id := b.add(s)
	b.settled(id, 1)
	require.Equal(t, map[string]string{"done/s/a.txt": "one two", "translated/s/a.es.txt": "es: two one"}, files(t, b.path("in")))
	require.Empty(t, temporaries(t, b.path("in")))
}

// Another user's process (root may do everything) loses the right to write and
// gets it back; the same for originals that cannot be moved away.
func TestPermissionLost(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can be another user")
	}
	const nobody = 65534
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755))
	s := settings(filepath.Join(dir, "in"), "es")
	s.Place, s.Output, s.Original = api.PlaceFolder, filepath.Join(dir, "out"), api.OriginalDone
	for _, folder := range []string{"in", "out", "state"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, folder), 0o755))
		require.NoError(t, os.Chown(filepath.Join(dir, folder), nobody, nobody))
	}
	write := func(name string) {
		require.NoError(t, os.WriteFile(filepath.Join(s.Path, name), []byte("one two"), 0o644))
	}
	program := filepath.Join(dir, "program")
	binary, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(program, binary, 0o755))

	orders, err := json.Marshal(child{State: filepath.Join(dir, "state", "state.db"), Settings: s})
	require.NoError(t, err)
	cmd := exec.Command(program)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	p := runChild(t, cmd, string(orders))
	defer p.kill()
	notices := 0

	write("a.txt")
	notices += p.waitFor("0 1")
	require.NoError(t, os.Chmod(s.Output, 0o555))
	for i := range 10 {
		write(fmt.Sprintf("%d.txt", i))
	}
	notices += p.waitFor("notice error: drop folder " + s.Path + ": write in " + s.Output + ": permission denied; make the folder writable or choose another one")
	require.NoError(t, os.Chmod(s.Output, 0o755))
	notices += p.waitFor("0 11")
	// F23 as far as Unix has it: a file that cannot be opened for a time.
	write("closed.txt")
	require.NoError(t, os.Chmod(filepath.Join(s.Path, "closed.txt"), 0))
	write("open.txt")
	notices += p.waitFor("0 12")
	require.NoError(t, os.Chmod(filepath.Join(s.Path, "closed.txt"), 0o644))
	notices += p.waitFor("0 13")
	// The system does not tell this process whether root still has the files open,
	// so that they are moved away a little later.
	require.Eventually(t, func() bool { return len(files(t, filepath.Join(s.Path, "done"))) == 13 }, time.Minute, 10*time.Millisecond)
	require.NoError(t, os.Chmod(s.Path, 0o555))
	require.NoError(t, os.WriteFile(filepath.Join(s.Path, "b.txt"), []byte("stays"), 0o644))
	notices += p.waitFor("notice warning: drop folder " + s.Path + ": originals stay where they are")
	require.FileExists(t, filepath.Join(s.Output, "b.es.txt"))
	require.FileExists(t, filepath.Join(s.Path, "b.txt"))
	require.Len(t, files(t, filepath.Join(s.Path, "done")), 13)
	require.Equal(t, 3, notices, "one each, and one that it is over")
}

// waitFor waits for a line that begins like this, and returns how many notices
// came up to it.
func (p *childProcess) waitFor(begin string) (notices int) {
	p.t.Helper()
	limit := time.After(time.Minute) // only for a test that fails
	for {
		select {
		case line, ok := <-p.lines:
			require.True(p.t, ok, "the process has ended by itself")
			p.last = line
			if strings.HasPrefix(line, "notice ") {
				notices++
			}
			if strings.HasPrefix(line, begin) {
				return notices
			}
		case <-limit:
			p.t.Fatalf("no line begins with %q; the last was %q", begin, p.last)
		}
	}
}
