package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// checkFull fills the disk of s until it refuses, and again after room was made.
func checkFull(t *testing.T, s *Store, makeRoom func()) {
	t.Helper()
	folder := newFolder(t, s, "/in")
	files := manyFiles(folder, 20)
	require.NoError(t, s.Accept(t.Context(), files[:10]))
	var err error
	added := 0
	for ; err == nil; added++ {
		_, err = s.AddHistory(t.Context(), HistoryEntry{Source: strings.Repeat(fmt.Sprintf("%07d ", added), 1000)})
	}
	require.ErrorIs(t, err, ErrFull)
	require.ErrorContains(t, err, s.path)
	require.NotErrorIs(t, err, ErrCorrupt)
	many := manyFiles(folder, 4000)
	require.ErrorIs(t, s.Accept(t.Context(), many[10:]), ErrFull)
	counts, err := s.Counts(t.Context())
	require.NoError(t, err, "reading goes on")
	require.Equal(t, Counts{Pending: 10}, counts[folder], "nothing half-written")
	require.Len(t, search(t, s, HistoryQuery{}), added-1)
	remember(t, s, "a", strings.Repeat("long", 100_000))
	require.ErrorIs(t, s.FlushMemory(t.Context()), ErrFull)

	makeRoom()
	require.NoError(t, s.Accept(t.Context(), files[10:]))
	require.NoError(t, s.FlushMemory(t.Context()))
	files[0].State = Done
	require.NoError(t, s.Finish(t.Context(), files[0]))
	add(t, s, "goes on", "")
	checkIndex(t, s)
	path := s.path
	require.NoError(t, s.Close())
	s = openAt(t, path)
	require.Empty(t, s.SetAside())
	counts, err = s.Counts(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(19), counts[folder].Pending)
	var verdict string
	require.NoError(t, s.readers.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	require.Equal(t, "ok", verdict)
}

func TestNoMorePages(t *testing.T) {
	s := openNew(t)
	pages := func(n int) {
		require.NoError(t, s.writer.outside(t.Context(), func(c *conn) error {
			_, err := c.once(fmt.Sprintf("PRAGMA max_page_count=%d", n))
			return err
		}))
	}
	pages(300)
	checkFull(t, s, func() { pages(1 << 30) })
}
