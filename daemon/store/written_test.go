package store

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"
)

func checksumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// What was written outlives the row, and the folder.
func TestWrittenIsRememberedForGood(t *testing.T) {
	s := openNew(t)
	folder := newFolder(t, s, "/in")
	written := func(place string) []string {
		t.Helper()
		sums, err := s.WrittenTo(t.Context(), place)
		require.NoError(t, err)
		_, is, err := s.IsOutput(t.Context(), "/nowhere", place)
		require.NoError(t, err)
		require.Equal(t, len(sums) > 0, is)
		return sums
	}
	one, two := checksumOf("one"), checksumOf("two")
	row := []File{{Folder: folder, Path: "a", Lang: "es", Output: place("link/a.es"), Written: one}}
	require.NoError(t, s.Accept(t.Context(), row))
	require.Empty(t, written("/disk/É.es"), "no place was given")
	row[0].Place = "/disk/É.es"
	require.NoError(t, s.Accept(t.Context(), row))
	require.Equal(t, []string{one}, written("/disk/é.ES"), "as file systems may take it")
	require.Empty(t, written("/disk"))

	// While it is being written both are ours, then the new one.
	row[0].Written = one + " " + two
	require.NoError(t, s.Accept(t.Context(), row))
	require.ElementsMatch(t, []string{one, two}, written("/disk/É.es"))
	failed := row[0]
	failed.State = Failed
	require.NoError(t, s.Finish(t.Context(), failed))
	require.Len(t, written("/disk/É.es"), 2, "nobody knows")
	row[0].State, row[0].Written = Done, two
	require.NoError(t, s.Finish(t.Context(), row[0]))
	require.Equal(t, []string{two}, written("/disk/É.es"))

	claimant, err := s.Claimant(t.Context(), place("LINK/a.es"))
	require.NoError(t, err)
	require.Equal(t, row[0].ID, claimant.ID)
	require.Empty(t, claimant.Place)
	_, err = s.Claimant(t.Context(), place("link/b.es"))
	require.ErrorIs(t, err, ErrNotFound)

	require.NoError(t, s.Forget(t.Context(), folder, "a"))
	require.Equal(t, []string{two}, written("/disk/É.es"))
	require.NoError(t, s.DeleteFolder(t.Context(), folder, false))
	require.Equal(t, []string{two}, written("/disk/É.es"))
	row[0].Written = "no checksum"
	require.Error(t, s.Accept(t.Context(), row))
}

func TestClaimsOfAnInput(t *testing.T) {
	s := openNew(t)
	folder := newFolder(t, s, "/in")
	rows := []File{
		{Folder: folder, Path: "a", Lang: "es", Output: place("a.es")},
		{Folder: folder, Path: "a", Lang: "fr", Output: place("a.fr")},
		{Folder: folder, Path: "b", Lang: "fr", Output: place("b.fr")},
	}
	require.NoError(t, s.Accept(t.Context(), rows))
	require.NoError(t, s.Claim(t.Context(), rows[0].ID, place("new/a.es")))
	claims, err := s.Claims(t.Context(), folder, "a")
	require.NoError(t, err)
	require.ElementsMatch(t, []string{place("a.es"), place("new/a.es"), place("a.fr")}, claims)
	found, err := s.Files(t.Context(), FileQuery{Folder: folder, Path: "a"})
	require.NoError(t, err)
	require.Len(t, found, 2)
}

func TestInherited(t *testing.T) {
	s := openNew(t)
	folder := newFolder(t, s, "/in")
	for _, want := range []bool{true, false} {
		require.NoError(t, s.SetInherited(t.Context(), folder, want))
		is, known, err := s.Inherited(t.Context(), folder)
		require.NoError(t, err)
		require.True(t, known)
		require.Equal(t, want, is)
	}
	_, known, err := s.Inherited(t.Context(), newFolder(t, s, "/other"))
	require.NoError(t, err)
	require.False(t, known)
	_, _, err = s.Inherited(t.Context(), 99)
	require.ErrorIs(t, err, ErrNotFound)
	require.ErrorIs(t, s.SetInherited(t.Context(), 99, true), ErrNotFound)
}
