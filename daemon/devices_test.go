package daemon

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/inference/ladder"
	"dragoman/inference/trust"
)

func TestTheFallbackIsThatOfADeviceThatIsThere(t *testing.T) {
	absent := ladder.Fall{Reason: &ladder.Reason{Kind: ladder.Absent, Device: ladder.NPU}}
	hung := ladder.Fall{Reason: &ladder.Reason{Kind: ladder.Hung, Device: ladder.GPU}}
	noGPU := ladder.Fall{Reason: &ladder.Reason{Kind: ladder.Absent, Device: ladder.GPU}}
	told := func(falls ...ladder.Fall) (about api.Model) {
		place(&about, inference.Devices{Falls: falls})
		return about
	}
	of := func(falls ...ladder.Fall) string { return told(falls...).FallbackKind }
	require.Contains(t, told(absent, noGPU).Fallback, "NPU", "of several that are not there, the best")
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

func TestWhatDecodesIsTold(t *testing.T) {
	of := func(d inference.Devices) (about api.Model) {
		place(&about, d)
		return about
	}
	fall := func(k ladder.Kind) []ladder.Fall {
		return []ladder.Fall{{Reason: &ladder.Reason{Kind: k, Device: ladder.GPU, Detail: "figures"}}}
	}
	require.Empty(t, of(inference.Devices{DecoderFalls: fall(ladder.Absent)}).DecoderFallback)
	require.Contains(t, of(inference.Devices{DecoderFalls: fall(ladder.Slower)}).DecoderFallback, "the processor does better")
	speed := &trust.Speed{Token: time.Millisecond, ProcessorToken: 2 * time.Millisecond}
	require.Contains(t, of(inference.Devices{DecoderSpeed: speed}).DecoderSpeed, "the processor 2.00 ms")
}
