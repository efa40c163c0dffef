package store

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheLogStaysShort(t *testing.T) {
	s := openNew(t)
	for range 300 {
		_, err := s.AddHistory(t.Context(), HistoryEntry{Source: strings.Repeat("some words ", 500)})
		require.NoError(t, err)
		require.LessOrEqual(t, size(s.path+"-wal"), int64(2*roomBytes))
	}
	require.True(t, s.HasRoom(t.Context()), "it was never full")
}
