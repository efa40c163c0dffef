package store

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// What a file failed with is known until it is accepted again or all that failed
// is to be tried again; what a user cancelled is neither failed nor the last
// thing done.
func TestWhatAFileFailedWith(t *testing.T) {
	s := openNew(t)
	folder, other := newFolder(t, s, "/in"), newFolder(t, s, "/other")
	files := []File{
		{Folder: folder, Path: "failed", Lang: "es", Output: place("a")},
		{Folder: folder, Path: "cancelled", Lang: "es", Output: place("b")},
		{Folder: other, Path: "failed", Lang: "es", Output: place("c")},
	}
	require.NoError(t, s.Accept(t.Context(), files))
	for i, state := range []FileState{Failed, Cancelled, Failed} {
		files[i].State, files[i].Tried = state, "this"
		require.NoError(t, s.Finish(t.Context(), files[i]))
	}
	tried := func(i int) string {
		f, err := s.FileByID(t.Context(), files[i].ID)
		require.NoError(t, err)
		return f.Tried
	}
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, Counts{Failed: 1, Cancelled: 1}, counts[folder])
	require.Equal(t, []string{"this", "this", "this"}, []string{tried(0), tried(1), tried(2)})
	require.NoError(t, s.RetryFailed(t.Context(), folder))
	require.Equal(t, []string{"", "this", "this"}, []string{tried(0), tried(1), tried(2)})
	require.NoError(t, s.Accept(t.Context(), files[1:]))
	require.Equal(t, []string{"", "", ""}, []string{tried(0), tried(1), tried(2)})
	require.Empty(t, files[1].Tried)
}

// All rows of a folder are read page by page, in an order that an index has.
func TestFilesAfter(t *testing.T) {
	s := openNew(t)
	folder, other := newFolder(t, s, "/in"), newFolder(t, s, "/other")
	var want []string
	for _, path := range []string{"b", "a/x", "c", "\xff"} {
		for _, lang := range []string{"fr", "es"} {
			files := []File{{Folder: folder, Path: path, Lang: lang}, {Folder: other, Path: path, Lang: lang}}
			require.NoError(t, s.Accept(t.Context(), files))
			want = append(want, path+" "+lang)
		}
	}
	slices.Sort(want)
	var got []string
	for last := (File{}); ; {
		page, err := s.FilesAfter(t.Context(), folder, last.Path, last.Lang, 3)
		require.NoError(t, err)
		if len(page) == 0 {
			break
		}
		require.LessOrEqual(t, len(page), 3)
		for _, f := range page {
			got = append(got, f.Path+" "+f.Lang)
		}
		last = page[len(page)-1]
	}
	require.Equal(t, want, got)
	var plan string
	var skip int
	require.NoError(t, s.readers.QueryRow("EXPLAIN QUERY PLAN "+filesAfter, folder, []byte("a"), "es", 3).Scan(&skip, &skip, &skip, &plan))
	require.Contains(t, plan, "SEARCH files USING INDEX sqlite_autoindex_files_1 (folder=? AND (path,lang)>(?,?))")
}
