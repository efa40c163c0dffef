package daemon_test

import (
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
