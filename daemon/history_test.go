package daemon_test

import (
	"context"
	"database/sql"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// The history is written behind the answers, which nobody must notice.
func TestHistoryHasWhatWasAnswered(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	for i := range 10 {
		text := fmt.Sprintf("Dog number %d.", i)
		s.translate("en", "de", text)
		kept, err := s.History(t.Context(), api.HistoryQuery{})
		require.NoError(t, err)
		require.Len(t, kept.Entries, 1)
		require.Equal(t, text, kept.Entries[0].Source)
		s.translate("en", "es", text)
		erased, err := s.EraseHistory(t.Context(), time.Time{})
		require.NoError(t, err)
		require.Equal(t, int64(2), erased.Entries)
	}
}

// What there is can be read while another program keeps texts from being
// written, each for as long as the store waits.
func TestHistoryIsReadWhereItCannotBeWritten(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	s.translate("en", "de", "The house is big.")
	_, err := s.History(t.Context(), api.HistoryQuery{})
	require.NoError(t, err)
	other, err := sql.Open("sqlite", paths.StateFile())
	require.NoError(t, err)
	defer other.Close()
	other.SetMaxOpenConns(1)
	_, err = other.Exec("PRAGMA busy_timeout=5000; BEGIN IMMEDIATE")
	require.NoError(t, err)
	for i := range 10 {
		s.translate("en", "de", fmt.Sprintf("Dog number %d.", i))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	kept, err := s.History(ctx, api.HistoryQuery{})
	require.NoError(t, err)
	require.Len(t, kept.Entries, 1)
	require.Equal(t, "The house is big.", kept.Entries[0].Source)
}
