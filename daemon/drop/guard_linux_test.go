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

// Where outputs lead is looked at before each, and before a lock is taken, but not
// for a lock that is held.
func TestOneLookBeforeAnOutput(t *testing.T) {
	dir := t.TempDir()
	p, err := newPlan(1, settings(dir, "es"))
	require.NoError(t, err)
	d := newDropFolder(Options{}.complete(), p)
	d.within = placeWithin(d.root, d.base)
	looks := 0
	d.others = func() []plan {
		looks++
		d.status() // which must not wait for it
		return nil
	}
	looked := func(want int) {
		t.Helper()
		require.NoError(t, d.lock())
		require.Equal(t, want, looks)
	}
	looked(1)
	looked(1)
	_, err = d.refuseOutput(d.base + "/a.es.txt")
	require.NoError(t, err)
	looked(2)
	require.NoError(t, os.RemoveAll(d.base))
	looked(3)
	require.NoError(t, d.locks["es"].Release())
}

// The kernel does not tell of this (poll on mountinfo), so that what is known of
// mounts is good for one look only.
func TestMountsBelowAFolderThatIsRenamed(t *testing.T) {
	b := newBench(t, quick)
	require.NoError(t, os.MkdirAll(b.path("in/sub"), 0o755))
	bind(t, b.path("in/sub"), b.path("up/again"))
	require.True(t, newLocator().leadsInto(b.path("up/again"), b.path("in")))
	require.NoError(t, os.Rename(b.path("up"), b.path("over")))
	defer func() { require.NoError(t, os.Rename(b.path("over"), b.path("up"))) }() // to be unmounted there
	require.True(t, newLocator().leadsInto(b.path("over/again"), b.path("in")))
	require.NoError(t, os.Rename(b.path("in"), b.path("on")))
	require.True(t, newLocator().leadsInto(b.path("over/again"), b.path("on")))
}

func TestMountsWithBlanks(t *testing.T) {
	require.Equal(t, "/a b\\\tc\n", unescape(`/a\040b\134\011c\012`))
}
