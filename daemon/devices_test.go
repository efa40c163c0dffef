package daemon

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/inference/ladder"
)

func TestTheFallbackIsThatOfADeviceThatIsThere(t *testing.T) {
	absent := ladder.Fall{Reason: &ladder.Reason{Kind: ladder.Absent, Device: ladder.NPU}}
	hung := ladder.Fall{Reason: &ladder.Reason{Kind: ladder.Hung, Device: ladder.GPU}}
	of := func(falls ...ladder.Fall) string {
		var about api.Model
		place(&about, inference.Devices{Falls: falls})
		return about.FallbackKind
	}
	require.Empty(t, of())
	require.Equal(t, api.FallbackAbsent, of(absent))
	require.Equal(t, string(ladder.Hung), of(absent, hung))
	require.Equal(t, string(ladder.Hung), of(hung, absent))
}

func TestADeviceThatComputesWronglyIsTold(t *testing.T) {
	require.Empty(t, wrongOf(nil))
	fall := func(k ladder.Kind) ladder.Fall {
		return ladder.Fall{Reason: &ladder.Reason{Kind: k, Device: ladder.NPU, Driver: "1782"}}
	}
	require.Empty(t, wrongOf([]ladder.Fall{fall(ladder.Absent), fall(ladder.Hung)}))
	require.Contains(t, wrongOf([]ladder.Fall{fall(ladder.Absent), fall(ladder.Wrong)}), "The NPU (driver 1782) computes wrongly")
}
