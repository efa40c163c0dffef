package daemon

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/inference/check"
)

func TestDoubtsAreToldWithTheirSource(t *testing.T) {
	doubt := inference.Doubt{Kind: check.Numbers, Sentence: 3, Source: "It is 42.", Target: "Son 24."}
	told := wireDoubts([]inference.Doubt{doubt})
	require.Equal(t, []api.Doubt{{Kind: api.DoubtNumbers, Why: check.Numbers.Explain(), Sentence: 3, Source: "It is 42.", Text: "Son 24."}}, told)
	require.Empty(t, wireDoubts(nil))
	many := make([]inference.Doubt, 2*api.MaxDoubts)
	require.Len(t, wireDoubts(many), api.MaxDoubts)
}
