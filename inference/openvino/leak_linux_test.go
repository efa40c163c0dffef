package openvino_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino"
	"dragoman/inference/openvino/ovtest"
)

func TestTenThousandRequestsLeakNothing(t *testing.T) {
	core := ovtest.Core(t)
	rt := core.Runtime()
	xml, weights := affine(t)
	c := compile(t, core, xml, weights)
	before := rt.Live()
	var warm int
	const warmUp, requests = 10_000, 10_000 // the runtime's own pools fill in the first thousands
	for i := range warmUp + requests {
		rows := i%7 + 1 // dynamic shapes were a source of leaks once
		require.Len(t, run(t, core, c, make([]float32, 3*rows), int64(rows), 3), 2*rows)
		_, err := openvino.NewTensorOn(rt, openvino.F32, make([]float32, 1), 2)
		require.Error(t, err)
		_, err = core.Property("CPU", "NO_SUCH")
		require.Error(t, err)
		if i == warmUp {
			warm = ovtest.MemoryKiB(t, "VmRSS")
		}
	}
	require.Equal(t, before, rt.Live())
	grown := ovtest.MemoryKiB(t, "VmRSS") - warm
	t.Logf("RSS %d KiB after %d requests, grown by %d KiB in %d more", warm, warmUp, grown, requests)
	// Handles are counted above; this finds what has no handle. A lost output
	// buffer or message of 210 bytes a request would pass it.
	require.Less(t, grown, 2048)
}
