package daemon

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestTheLastTextsAreRemembered(t *testing.T) {
	var all totals
	const n = 5*textsKept + 7
	for id := range int64(n) {
		all.ended(api.Job{ID: id, Kind: api.JobText, State: api.JobDone})
		all.ended(api.Job{ID: n + id, Kind: api.JobText, State: api.JobDone, Private: true})
		all.ended(api.Job{ID: id, Kind: api.JobFile, State: api.JobDone})
		kept := all.endedTexts()
		require.LessOrEqual(t, len(kept), 2*textsKept)
		require.GreaterOrEqual(t, len(kept), min(textsKept, int(id)+1))
		require.Equal(t, id, kept[len(kept)-1].ID)
	}
	all.ended(api.Job{ID: n - 1, Kind: api.JobText, State: api.JobFailed})
	kept := all.endedTexts()
	require.Equal(t, int64(n-1), kept[len(kept)-1].ID)
	require.Equal(t, int64(n-2), kept[len(kept)-2].ID, "each once")
	counts, recent := all.now()
	require.Equal(t, int64(2*n), counts.Texts, "private ones are counted")
	require.Equal(t, int64(n), counts.Files)
	require.Equal(t, int64(1), counts.Failed)
	require.Len(t, recent, shown)
}
