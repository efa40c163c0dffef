//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestFilesThatAreLostUnderWayAreWrittenAnew(t *testing.T) {
	for name, test := range map[string]struct {
		lose func(t *testing.T, path string)
		want string // in the message
	}{
		"removed":   {func(t *testing.T, path string) { require.NoError(t, os.Remove(path)) }, "was removed"},
		"the log":   {func(t *testing.T, path string) { require.NoError(t, os.Remove(path+"-wal")) }, "was removed"},
		"the index": {func(t *testing.T, path string) { require.NoError(t, os.Remove(path+"-shm")) }, "was removed"},
		"with its folder": {func(t *testing.T, path string) {
			require.NoError(t, os.RemoveAll(filepath.Dir(path)))
		}, "was removed"},
		"renamed with its folder": {func(t *testing.T, path string) {
			require.NoError(t, os.Rename(filepath.Dir(path), filepath.Dir(path)+" elsewhere"))
		}, "was removed"},
		"replaced by a copy": {func(t *testing.T, path string) {
			content, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(path+".backup", content, 0o600))
			require.NoError(t, os.Rename(path+".backup", path))
		}, otherInfix},
		"replaced by garbage": {func(t *testing.T, path string) {
			require.NoError(t, os.Remove(path))
			require.NoError(t, os.WriteFile(path, []byte("garbage"), 0o600))
		}, otherInfix},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "state", "state.db")
			folder := filled(t, path)
			s := openAt(t, path)
			revision := s.NextRevision()
			before := []File{{Folder: folder, Path: "before.txt", Lang: "es", Output: "/in/before.es.txt"}}
			require.NoError(t, s.Accept(t.Context(), before))
			test.lose(t, path)
			// Nobody has noticed yet.
			after := []File{{Folder: folder, Path: "after.txt", Lang: "es", Output: "/in/after.es.txt"}}
			require.NoError(t, s.Accept(t.Context(), after))
			_, err := s.Counts(t.Context())
			require.NoError(t, err)

			m := mend(t, s, noFolders)
			require.Contains(t, m.Message, test.want)
			require.Contains(t, m.Message, path)
			require.Contains(t, m.Message, "dragoman service stop")
			require.False(t, m.Begun)
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
			works(t, s, folder)
			require.NoError(t, s.Close())

			s = openAt(t, path)
			require.Empty(t, s.SetAside())
			for _, file := range []string{"before.txt", "after.txt"} {
				_, err := s.File(t.Context(), folder, file, "es")
				require.NoError(t, err, file)
			}
			require.Len(t, search(t, s, HistoryQuery{}), 201)
			require.Greater(t, s.NextRevision(), revision)
			var vacuum, app int
			require.NoError(t, s.readers.QueryRow("PRAGMA auto_vacuum").Scan(&vacuum))
			require.NoError(t, s.readers.QueryRow("PRAGMA application_id").Scan(&app))
			require.Equal(t, 2, vacuum)
			require.Equal(t, application, app)
			others, err := filepath.Glob(path + otherInfix + "*")
			require.NoError(t, err)
			require.Equal(t, test.want == otherInfix, len(others) > 0, "%q", others)
			left, err := filepath.Glob(path + ".cop*")
			require.NoError(t, err)
			require.Empty(t, left)
		})
	}
}

func TestACopyIsPutInPlaceAfterAKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	folder := filled(t, path)
	s := openAt(t, path)
	require.NoError(t, os.Remove(path))
	require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error { return copyOut(c, path) }))
	// Killed here: a log without a file, and half of another copy.
	log, err := os.ReadFile(path + "-wal")
	require.NoError(t, err)
	require.NoError(t, s.Close())
	require.NoError(t, os.WriteFile(path+"-wal", log, 0o600))
	require.NoError(t, os.WriteFile(path+copyingSuffix, []byte("half"), 0o600))

	s = openAt(t, path)
	require.Empty(t, s.SetAside())
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(488), counts[folder].Pending)
	works(t, s, folder)
	require.NoFileExists(t, path+copyingSuffix)
	require.NoFileExists(t, path+copySuffix)
}

func TestWhatCannotBeWrittenAnewGoesOn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "state.db")
	folder := filled(t, path)
	s := openAt(t, path)
	require.NoError(t, os.RemoveAll(filepath.Dir(path)))
	require.NoError(t, os.WriteFile(filepath.Dir(path), nil, 0o600))
	require.Equal(t, nothing, s.files.lost(path), "not a folder: nothing is known")
	require.NoError(t, os.Remove(filepath.Dir(path)))
	require.NoError(t, os.Mkdir(filepath.Dir(path), 0o700))
	require.NoError(t, os.Mkdir(path+copyingSuffix, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(path+copyingSuffix, "file"), nil, 0o600))
	_, err := s.Mend(t.Context(), noFolders)
	require.ErrorContains(t, err, path)
	require.NoError(t, s.Accept(t.Context(), manyFiles(folder, 1)), "as before")
	require.NoError(t, os.RemoveAll(path+copyingSuffix))
	require.Contains(t, mend(t, s, noFolders).Message, "nothing is lost")
	works(t, s, folder)
}
