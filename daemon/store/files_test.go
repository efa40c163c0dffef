package store

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// place is an absolute path of this system.
func place(elements ...string) string {
	path, err := filepath.Abs(filepath.Join(append([]string{"/"}, elements...)...))
	if err != nil {
		panic(err)
	}
	return path
}

func manyFiles(folder int64, n int) []File {
	files := make([]File, n)
	for i := range files {
		files[i] = File{
			Folder: folder, Path: fmt.Sprintf("reports/2024/department-%02d/file-%05d.txt", i%20, i), Lang: "es",
			Size: int64(i), MTime: int64(i) << 30, SHA256: fmt.Sprintf("%064x", i), Recipe: "en m2m100-418M int8",
			Output: place("home/user/Translate/translated/reports/2024", fmt.Sprintf("department-%02d/file-%05d.es.txt", i%20, i)),
		}
	}
	return files
}

func newFolder(t testing.TB, s *Store, path string) int64 {
	t.Helper()
	id, err := s.PutFolder(t.Context(), Folder{Path: path, Settings: []byte("{}")})
	require.NoError(t, err)
	return id
}

func TestAcceptAndFinish(t *testing.T) {
	s := openNew(t)
	folder := newFolder(t, s, "/in")
	now := time.Date(2024, 5, 1, 12, 0, 0, 1, time.UTC)
	s.now = func() time.Time { return now }
	files := []File{{Folder: folder, Path: "sub/\xff.txt", Lang: "es", Size: 3, MTime: 4, SHA256: "aa", Output: place("out/\xff.es.txt"), Recipe: "r"}}
	require.NoError(t, s.Accept(t.Context(), files))
	want := files[0]
	require.Positive(t, want.ID)
	require.Equal(t, now, want.Accepted)
	require.Equal(t, Pending, want.State)
	get := func() File {
		f, err := s.File(t.Context(), folder, "sub/\xff.txt", "es")
		require.NoError(t, err)
		byID, err := s.FileByID(t.Context(), f.ID)
		require.NoError(t, err)
		require.Equal(t, f, byID)
		return f
	}
	require.Equal(t, want, get())

	done := want
	done.State, done.Size, done.SHA256, done.Attempts = Done, 5, "bb", 1
	require.NoError(t, s.Finish(t.Context(), done))
	done.Finished = now
	require.Equal(t, done, get())

	// The file changed: same row, same output, whatever is asked for.
	again := []File{{Folder: folder, Path: "sub/\xff.txt", Lang: "es", Size: 9, Output: place("out/other.txt"), Recipe: "r2"}}
	require.NoError(t, s.Accept(t.Context(), again))
	require.Equal(t, want.ID, again[0].ID)
	require.Equal(t, want.Output, again[0].Output)
	require.Equal(t, again[0], get())
	require.Equal(t, Pending, get().State)
	require.Zero(t, get().Finished)

	// By its key, with an error.
	require.NoError(t, s.Finish(t.Context(), File{Folder: folder, Path: "sub/\xff.txt", Lang: "es", State: Failed, Error: "no", Finished: now.Add(1)}))
	require.Equal(t, "no", get().Error)
	require.Equal(t, now.Add(1), get().Finished)
	require.Equal(t, want.Output, get().Output)

	require.ErrorIs(t, s.Finish(t.Context(), File{ID: 99}), ErrNotFound)
	require.ErrorIs(t, s.Finish(t.Context(), File{Folder: folder, Path: "x", Lang: "es"}), ErrNotFound)
	_, err := s.File(t.Context(), folder, "sub/\xff.txt", "de")
	require.ErrorIs(t, err, ErrNotFound)
	require.ErrorIs(t, s.Accept(t.Context(), []File{{Folder: 99, Path: "a", Lang: "es"}}), ErrNotFound, "no such folder")
}

func TestTakenOutputs(t *testing.T) {
	s := openNew(t)
	folder, other := newFolder(t, s, "/in"), newFolder(t, s, "/other")
	file := func(folder int64, path, output string) File {
		return File{Folder: folder, Path: path, Lang: "es", Output: output}
	}
	require.NoError(t, s.Accept(t.Context(), []File{file(folder, "a", place("out/É.txt")), file(folder, "dir", place("out/dir/b.txt"))}))
	for name, output := range map[string]string{
		"same":               place("out/É.txt"),
		"other case":         place("OUT/é.TXT"),
		"other normal form":  place("out/E\u0301.txt"),
		"in an output":       place("out/É.txt/x/y"),
		"a folder of others": place("out/DIR"),
	} {
		for _, of := range []int64{folder, other} {
			files := []File{file(of, "free", place("out/free.txt")), file(of, "c", output)}
			before := slices.Clone(files)
			err := s.Accept(t.Context(), files)
			require.ErrorIs(t, err, ErrTaken, name)
			taken, ok := errors.AsType[*TakenError](err)
			require.True(t, ok)
			require.Equal(t, []int{1}, taken.Files)
			require.Equal(t, before, files, "as it was")
			_, err = s.File(t.Context(), of, "free", "es")
			require.ErrorIs(t, err, ErrNotFound, "all or none")
		}
	}
	// Within one call too.
	err := s.Accept(t.Context(), []File{file(folder, "x", place("out/x")), file(folder, "X", place("out/X")), file(folder, "y", place("out/x/y"))})
	taken, ok := errors.AsType[*TakenError](err)
	require.True(t, ok)
	require.Equal(t, []int{1, 2}, taken.Files)

	// A name is free again when its input is forgotten.
	require.NoError(t, s.Forget(t.Context(), folder, "a"))
	require.NoError(t, s.Accept(t.Context(), []File{file(other, "c", place("out/é.txt"))}))
}

func TestClaimRemembersFormerOutputs(t *testing.T) {
	s := openNew(t)
	folder := newFolder(t, s, "/in")
	files := []File{{Folder: folder, Path: "a", Lang: "es", Output: place("a.es")}, {Folder: folder, Path: "b", Lang: "es", Output: place("b.es")}}
	require.NoError(t, s.Accept(t.Context(), files))
	require.ErrorIs(t, s.Claim(t.Context(), files[0].ID, place("B.es")), ErrTaken)
	require.ErrorIs(t, s.Claim(t.Context(), 99, place("c")), ErrNotFound)
	require.NoError(t, s.Claim(t.Context(), files[0].ID, place("new/a.es")))
	f, err := s.FileByID(t.Context(), files[0].ID)
	require.NoError(t, err)
	require.Equal(t, place("new/a.es"), f.Output)
	require.NoError(t, s.Claim(t.Context(), f.ID, place("a.es")), "and back")
	outputs := func() (all []string) {
		require.NoError(t, s.Outputs(t.Context(), folder, func(o string) bool { all = append(all, o); return true }))
		slices.Sort(all)
		return all
	}
	require.Equal(t, []string{place("a.es"), place("b.es"), place("new/a.es")}, outputs())
	calls := 0
	require.NoError(t, s.Outputs(t.Context(), folder, func(string) bool { calls++; return false }))
	require.Equal(t, 1, calls)
	for path, want := range map[string]bool{place("a.es"): true, place("NEW/A.es"): true, place("new"): false, place("c"): false} {
		is, _, err := s.IsOutput(t.Context(), path, "")
		require.NoError(t, err)
		require.Equal(t, want, is, path)
	}
	require.NoError(t, s.Forget(t.Context(), folder, "a"))
	require.Equal(t, []string{place("b.es")}, outputs())
	require.NoError(t, s.Forget(t.Context(), folder, "a"), "again")
}

func TestFilesAndCounts(t *testing.T) {
	s := openNew(t)
	one, two := newFolder(t, s, "/one"), newFolder(t, s, "/two")
	files := manyFiles(one, 10)
	more := manyFiles(two, 3)
	for i := range more {
		more[i].Output += "2"
	}
	// Clocks jump; ids do not.
	files[5].Accepted = time.Unix(1, 0)
	require.NoError(t, s.Accept(t.Context(), files))
	require.NoError(t, s.Accept(t.Context(), more))
	finish := func(i int, state FileState) {
		f := files[i]
		f.State, f.Finished = state, time.Unix(int64(i), 0).UTC()
		require.NoError(t, s.Finish(t.Context(), f))
	}
	finish(0, Done)
	finish(1, Done)
	finish(2, Failed)
	finish(3, Moved)
	finish(1, Done) // again

	ids := func(q FileQuery) (ids []int64) {
		found, err := s.Files(t.Context(), q)
		require.NoError(t, err)
		for _, f := range found {
			ids = append(ids, f.ID)
		}
		return ids
	}
	id := func(list []File, indexes ...int) (ids []int64) {
		for _, i := range indexes {
			ids = append(ids, list[i].ID)
		}
		return ids
	}
	for _, c := range []struct {
		q    FileQuery
		want []int64
	}{
		{FileQuery{}, append(id(more, 2, 1, 0), id(files, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)...)},
		{FileQuery{Limit: 2}, id(more, 2, 1)},
		{FileQuery{Folder: one, Limit: 3}, id(files, 9, 8, 7)},
		{FileQuery{Folder: one, Before: files[7].ID, Limit: 3}, id(files, 6, 5, 4)},
		{FileQuery{State: Pending, Before: more[1].ID, Limit: 2}, append(id(more, 0), id(files, 9)...)},
		{FileQuery{Folder: one, State: Done}, id(files, 1, 0)},
		{FileQuery{Folder: two, State: Done}, nil},
		// By time: the fifth was accepted long ago, the others in one go each.
		{FileQuery{ByTime: true, Limit: 4}, append(id(more, 2, 1, 0), id(files, 9)...)},
		{FileQuery{ByTime: true, Folder: one, State: Pending}, id(files, 9, 8, 7, 6, 4, 5)},
		{FileQuery{ByTime: true, Before: files[6].ID, BeforeTime: files[6].Accepted, State: Pending}, id(files, 4, 5)},
		{FileQuery{ByTime: true, Before: files[5].ID, BeforeTime: files[5].Accepted}, nil},
	} {
		require.Equal(t, c.want, ids(c.q), "%+v", c.q)
	}
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[int64]Counts{
		one: {Pending: 6, Done: 2, Failed: 1, Moved: 1, LastPath: files[1].Path, LastFinished: time.Unix(1, 0).UTC()},
		two: {Pending: 3},
	}, counts)
	require.NoError(t, s.Forget(t.Context(), one, files[1].Path))
	counts, err = s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, Counts{Pending: 6, Done: 1, Failed: 1, Moved: 1}, counts[one])
	for state, name := range map[FileState]string{Pending: "pending", Done: "done", Failed: "failed", Moved: "moved", 0: "unknown"} {
		require.Equal(t, name, state.String())
	}
}

func TestFolders(t *testing.T) {
	s := openNew(t)
	a := newFolder(t, s, "/a\xff")
	b := newFolder(t, s, "/b")
	_, err := s.PutFolder(t.Context(), Folder{Path: "/b"})
	require.ErrorIs(t, err, ErrTaken)
	_, err = s.PutFolder(t.Context(), Folder{ID: a, Path: "/b"})
	require.ErrorIs(t, err, ErrTaken)
	_, err = s.PutFolder(t.Context(), Folder{ID: 99, Path: "/c"})
	require.ErrorIs(t, err, ErrNotFound)
	id, err := s.PutFolder(t.Context(), Folder{ID: a, Path: "/a\xff", Settings: []byte(`{"x":[1]}`)})
	require.NoError(t, err)
	require.Equal(t, a, id)
	list := func() []Folder {
		folders, err := s.Folders(t.Context())
		require.NoError(t, err)
		return folders
	}
	require.Equal(t, []Folder{{ID: a, Path: "/a\xff", Settings: []byte(`{"x":[1]}`)}, {ID: b, Path: "/b", Settings: []byte("{}")}}, list())

	require.NoError(t, s.Accept(t.Context(), []File{{Folder: a, Path: "f", Lang: "es", Output: place("f")}}))
	require.NoError(t, s.DeleteFolder(t.Context(), a, true))
	require.ErrorIs(t, s.DeleteFolder(t.Context(), a, true), ErrNotFound)
	require.Len(t, list(), 1)
	all, err := s.Files(t.Context(), FileQuery{})
	require.NoError(t, err)
	require.Empty(t, all, "work for a deleted folder is not listed")
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Empty(t, counts)
	is, _, err := s.IsOutput(t.Context(), place("f"), "")
	require.NoError(t, err)
	require.True(t, is, "still no input")
	require.Equal(t, a, newFolder(t, s, "/a\xff"), "it is back, with its ledger")
	_, err = s.File(t.Context(), a, "f", "es")
	require.NoError(t, err)

	require.NoError(t, s.DeleteFolder(t.Context(), a, false))
	_, err = s.File(t.Context(), a, "f", "es")
	require.ErrorIs(t, err, ErrNotFound)
	is, _, err = s.IsOutput(t.Context(), place("f"), "")
	require.NoError(t, err)
	require.False(t, is)
	require.Greater(t, newFolder(t, s, "/a\xff"), b, "ids do not come back")
}
