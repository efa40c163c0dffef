package daemon_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestAlignByTheAPI(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	pair := api.AlignPair{Source: "The small house is near the river.", Translation: "Das kleine Haus liegt in der Nähe des Flusses."}
	found, err := s.Align(t.Context(), api.AlignRequest{Pairs: []api.AlignPair{pair, {}}, From: "en", To: "de", Lane: api.LaneBatch})
	require.NoError(t, err)
	require.Len(t, found.Alignments, 2)
	best := map[string]string{}
	for _, l := range found.Alignments[0].Links {
		if l.Weight > 0.5 {
			best[pair.Source[l.Source.Start:l.Source.End]] = pair.Translation[l.Target.Start:l.Target.End]
		}
	}
	require.Equal(t, "kleine", best["small"])
	require.Equal(t, "Flusses", best["river"])
	require.Empty(t, found.Alignments[1].Links)

	for _, bad := range []api.AlignRequest{
		{From: "en", To: "de"},
		{Pairs: []api.AlignPair{pair}, From: "en", To: "tlh"},
		{Pairs: []api.AlignPair{pair}, From: api.Auto, To: "de"},
		{Pairs: []api.AlignPair{pair}, From: "en", To: "de", Lane: "slow"},
		{Pairs: make([]api.AlignPair, api.MaxTexts+1), From: "en", To: "de"},
	} {
		_, err := s.Align(t.Context(), bad)
		require.Error(t, err)
	}
}
