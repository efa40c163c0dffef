package drop

import (
	"errors"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// keep has a folder that a manager is to load.
func (b *bench) keep(path string) int64 {
	b.t.Helper()
	id, err := b.store.PutFolder(b.t.Context(), store.Folder{Path: path, Settings: []byte("{}")})
	require.NoError(b.t, err)
	return id
}

// A folder that cannot be taken on is listed with the reason, keeps the others
// from nothing, and works as soon as it can.
func TestFolderThatCannotBeLoaded(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in", "a file is in the folder's place")
	b.write("other/a.txt", "one two")
	s := settings(b.path("in"), "es")
	id := b.keep(s.Path)
	b.m.Load(id, s, nil)
	require.Equal(t, api.FolderFailed, b.status(id).State)
	require.Contains(t, b.status(id).Message, "in is a file: name the folder it is in; change it by `dragoman folders set 1` or remove it by `dragoman folders remove 1`")
	require.Equal(t, s, b.m.Folders()[0].Settings)
	require.Len(t, b.standing(), 1)
	other := b.add(settings(b.path("other"), "es"))
	b.settled(other, 1)

	require.ErrorContains(t, b.m.Rescan(t.Context(), id), "is a file")
	require.ErrorContains(t, b.m.Retry(t.Context(), id, "a.txt"), "is a file")
	require.NoError(t, b.m.Pause(id))
	require.NoError(t, b.m.Resume(id))
	require.Equal(t, api.FolderFailed, b.status(id).State)

	require.NoError(t, os.Remove(b.path("in")))
	b.write("in/b.txt", "three four")
	b.settled(id, 1)
	b.silent("the mending")
	// More is told where it was looked for between the two steps above.
	require.Contains(t, b.told()[1], "info: no longer: drop folder 1 ")
}

// Of two folders that are in one another the older one works, and the other one
// as soon as that is removed, or by a rescan.
func TestFolderThatIsNowInsideAnother(t *testing.T) {
	never := quick
	never.Poll, never.Rescan = time.Hour, time.Hour
	b := newBench(t, never).start()
	b.write("in/sub/a.txt", "one two")
	first, second := settings(b.path("in"), "es"), settings(b.path("in/sub"), "fr")
	b.m.Load(b.keep(first.Path), first, nil)
	id := b.keep(second.Path)
	b.m.Load(id, second, nil)
	b.settled(1, 1)
	require.Equal(t, api.FolderFailed, b.status(id).State)
	require.Contains(t, b.status(id).Message, "contain one another")
	require.NoError(t, b.m.Remove(1))
	b.settled(id, 1)

	require.NoError(t, b.m.Remove(id))
	b.write("file", "in the way")
	third := settings(b.path("file"), "es")
	id = b.keep(third.Path)
	b.m.Load(id, third, nil)
	require.NoError(t, os.Remove(b.path("file")))
	b.write("file/b.txt", "three four")
	require.NoError(t, b.m.Rescan(t.Context(), id))
	b.settled(id, 1)
}

// Settings that cannot be read leave a folder that can be set anew and removed.
func TestFolderWhoseSettingsCannotBeRead(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	id, gone := b.keep(b.path("in")), b.keep(b.path("gone"))
	bad := errors.New("its settings cannot be read")
	b.m.Load(id, api.FolderSettings{Path: b.path("in")}, bad)
	b.m.Load(gone, api.FolderSettings{Path: b.path("gone")}, bad)
	require.Contains(t, b.status(id).Message, bad.Error())
	require.ErrorIs(t, b.m.Pause(id), api.ErrConflict)
	require.ErrorIs(t, b.m.Rescan(t.Context(), id), api.ErrConflict)
	_, err := b.m.Check(0, settings(b.path("in"), "es"))
	require.ErrorContains(t, err, "is drop folder 1 already")
	require.NoError(t, b.m.Remove(gone))
	require.NoError(t, b.m.Update(id, settings(b.path("in"), "es")))
	b.settled(id, 1)
	b.silent("both")
}
