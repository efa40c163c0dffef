package document

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

func TestHomeTrash(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	root := filepath.Join(dir, "in 100%")
	for range 2 {
		stamp := original(t, root, "Grüße & co.txt", "one")
		require.NoError(t, MoveToBin(filepath.Join(root, "Grüße & co.txt"), stamp))
		require.NoFileExists(t, filepath.Join(root, "Grüße & co.txt"))
	}
	bin := filepath.Join(dir, "data", "Trash")
	for _, name := range []string{"Grüße & co.txt", "Grüße & co.2.txt"} {
		content, err := os.ReadFile(filepath.Join(bin, "files", name))
		require.NoError(t, err)
		require.Equal(t, "one", string(content))
		info, err := os.ReadFile(filepath.Join(bin, "info", name+".trashinfo"))
		require.NoError(t, err)
		lines := strings.Split(string(info), "\n")
		require.Equal(t, "[Trash Info]", lines[0])
		require.Equal(t, "Path="+strings.ReplaceAll(dir, "%", "%25")+"/in%20100%25/Gr%C3%BC%C3%9Fe%20&%20co.txt", lines[1])
		require.Regexp(t, `^DeletionDate=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`, lines[2])
	}
	info, err := os.Stat(bin)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
}

// On another disk than home: the folder of the administrator if it is a safe
// one, else the user's own.
func TestTrashOfAnotherDisk(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	top := filepath.Join(dir, "stick")
	require.NoError(t, os.Mkdir(top, 0o755))
	if err := unix.Mount("tmpfs", top, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("this user may not mount:", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(top, unix.MNT_DETACH)) })
	bin := func(name string) string {
		stamp := original(t, top, "s/"+name, name)
		require.NoError(t, MoveToBin(filepath.Join(top, "s", name), stamp))
		found, err := filepath.Glob(filepath.Join(top, ".Trash*", "*", name))
		require.NoError(t, err)
		deeper, err := filepath.Glob(filepath.Join(top, ".Trash", "*", "*", name))
		require.NoError(t, err)
		found = append(found, deeper...)
		require.Len(t, found, 1)
		info, err := os.ReadFile(filepath.Join(filepath.Dir(filepath.Dir(found[0])), "info", name+".trashinfo"))
		require.NoError(t, err)
		require.Contains(t, string(info), "Path=s/"+name+"\n", "relative to the disk")
		rel, err := filepath.Rel(top, filepath.Dir(filepath.Dir(found[0])))
		require.NoError(t, err)
		return rel
	}
	mine := fmt.Sprint(".Trash-", os.Getuid())
	require.Equal(t, mine, bin("a.txt"))
	require.NoError(t, os.Mkdir(filepath.Join(top, ".Trash"), 0o777))
	require.Equal(t, mine, bin("b.txt"), "not sticky: others could reach into it")
	require.NoError(t, os.Chmod(filepath.Join(top, ".Trash"), os.ModeSticky|0o777))
	require.Equal(t, fmt.Sprint(".Trash/", os.Getuid()), bin("c.txt"))
	require.NoDirExists(t, filepath.Join(dir, "data", "Trash", "files"))

	require.NoError(t, os.RemoveAll(filepath.Join(top, ".Trash")))
	require.NoError(t, os.RemoveAll(filepath.Join(top, mine)))
	require.NoError(t, os.WriteFile(filepath.Join(top, mine), nil, 0o644))
	stamp := original(t, top, "d.txt", "x")
	require.ErrorIs(t, MoveToBin(filepath.Join(top, "d.txt"), stamp), ErrNoBin)
	require.FileExists(t, filepath.Join(top, "d.txt"), "never removed for good")
}

// What a process left in the bin that was killed on the way there.
func TestLeftoversInTheBin(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_DATA_HOME", filepath.Join(dir, "data"))
	files, infos := filepath.Join(dir, "data", "Trash", "files"), filepath.Join(dir, "data", "Trash", "info")
	root := filepath.Join(dir, "in")
	stamp := original(t, root, "a.txt", "one")
	for _, folder := range []string{files, infos} {
		require.NoError(t, os.MkdirAll(folder, 0o700))
	}
	const nobody = 1 << 30 // no process has such a number
	left := fmt.Sprintf(".dragoman-%d-0123456789abcdef.tmp", nobody)
	require.NoError(t, os.WriteFile(filepath.Join(files, left), []byte("on"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(infos, "a.txt.trashinfo"),
		[]byte("[Trash Info]\nPath="+root+"/a.txt\nDeletionDate=2024-01-01T00:00:00\n"), 0o600))
	other := "[Trash Info]\nPath=/elsewhere/b.txt\nDeletionDate=2024-01-01T00:00:00\n"
	require.NoError(t, os.WriteFile(filepath.Join(infos, "b.txt.trashinfo"), []byte(other), 0o600))

	require.NoError(t, MoveToBin(filepath.Join(root, "a.txt"), stamp))
	require.NoError(t, MoveToBin(filepath.Join(root, "b.txt"), original(t, root, "b.txt", "two")))
	names := func(folder string) (names []string) {
		entries, err := os.ReadDir(folder)
		require.NoError(t, err)
		for _, entry := range entries {
			names = append(names, entry.Name())
		}
		return names
	}
	require.Equal(t, []string{"a.txt", "b.2.txt"}, names(files))
	require.Equal(t, []string{"a.txt.trashinfo", "b.2.txt.trashinfo", "b.txt.trashinfo"}, names(infos), "what others left is theirs")
}
