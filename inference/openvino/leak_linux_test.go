package openvino_test

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino"
	"dragoman/inference/openvino/ovtest"
)

// residentKiB is VmRSS of this process without what Go's heap keeps in reserve.
func residentKiB(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(status), "VmRSS:")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return n
}

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
			warm = residentKiB(t)
		}
	}
	require.Equal(t, before, rt.Live())
	grown := residentKiB(t) - warm
	t.Logf("RSS %d KiB after %d requests, grown by %d KiB in %d more", warm, warmUp, grown, requests)
	// Handles are counted above; this finds what has no handle. A lost output
	// buffer or message of 210 bytes a request would pass it.
	require.Less(t, grown, 2048)
}
