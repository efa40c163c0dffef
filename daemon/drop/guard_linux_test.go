package drop

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"dragoman/daemon/api"
)

// bind shows a folder at a second place.
func bind(t *testing.T, target, place string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(place, 0o755))
	if err := unix.Mount(target, place, "", unix.MS_BIND, ""); err != nil {
		t.Skip("this user may not mount:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(place, unix.MNT_DETACH) })
}

// A second mount of a folder is that folder, whole or in part.
func TestFoldersThatOverlapByMounts(t *testing.T) {
	b := newBench(t, quick)
	require.NoError(t, os.MkdirAll(b.path("in/sub/deep"), 0o755))
	bind(t, b.path("in/sub"), b.path("sub again"))
	bind(t, b.path("in"), b.path("in again"))
	m := New(Options{Ledger: noLedger{}})
	require.NoError(t, m.Add(1, settings(b.path("in"), "es")))
	for _, path := range []string{"in again", "in again/sub", "in again/new", "sub again", "sub again/deep/new"} {
		_, err := m.Check(0, settings(b.path(path), "fr"))
		require.ErrorIs(t, err, api.ErrConflict, path)
		s := settings(b.path("other"), "fr")
		s.Place, s.Output = api.PlaceFolder, b.path(path)
		_, err = m.Check(0, s)
		require.ErrorIs(t, err, api.ErrConflict, path)
	}
	_, err := m.Check(0, settings(b.path("other"), "fr"))
	require.NoError(t, err)
}

// The same made later.
func TestFoldersThatFeedEachOtherByMountsMadeLater(t *testing.T) {
	b := newBench(t, quick).start()
	require.NoError(t, os.MkdirAll(b.path("c/sub"), 0o755))
	require.NoError(t, os.MkdirAll(b.path("a/translated"), 0o755))
	require.NoError(t, os.MkdirAll(b.path("other"), 0o755))
	bind(t, b.path("c/sub"), b.path("a/translated"))
	a, other := b.add(settings(b.path("a"), "es")), b.add(settings(b.path("other"), "fr"))
	require.ErrorIs(t, b.m.Add(99, settings(b.path("c"), "fr")), api.ErrConflict)
	require.NoError(t, unix.Unmount(b.path("a/translated"), 0))
	c := b.add(settings(b.path("c"), "fr"))
	require.NoError(t, unix.Mount(b.path("c/sub"), b.path("a/translated"), "", unix.MS_BIND, ""))
	b.write("a/one.txt", "one two")
	b.wait("the failure", func() bool { return b.status(a).State == api.FolderFailed })
	require.Contains(t, b.status(a).Message, "remove the link or mount")
	b.lookedThrough(other, a, c)
	require.Empty(t, files(t, b.path("c")))
}

func TestMountsWithBlanks(t *testing.T) {
	require.Equal(t, "/a b\\\tc\n", unescape(`/a\040b\134\011c\012`))
}
