package store

import (
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
