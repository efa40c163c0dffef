package m2m100

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// anonymousKiB is RssAnon of this process, without what Go's heap keeps in
// reserve: memory that is neither a mapped file's nor shared.
func anonymousKiB(t *testing.T) int {
	t.Helper()
	debug.FreeOSMemory()
	status, err := os.ReadFile("/proc/self/status")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(status), "RssAnon:")
	require.True(t, found)
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	require.NoError(t, err)
	return n
}

// TestMemoryStaysFlat: a service translates for months. Outputs are short, so
// that it does not take long.
func TestMemoryStaysFlat(t *testing.T) {
	var sources [][]int32
	for _, r := range readReferences(t) {
		if len(r.Source) <= 12 && len(sources) < 20 {
			sources = append(sources, r.Source)
		}
	}
	require.Len(t, sources, 20)
	for _, p := range []Placement{CPU, CPUStatic} {
		t.Run(string(p), func(t *testing.T) {
			if p == CPUStatic && testing.Short() {
				t.Skip("make test-long runs it")
			}
			e := openStarter(t, "int8", p)
			translate := func(n int) {
				for i := range n {
					_, err := e.GenerateExactly(t.Context(), sources[i%len(sources)], spanish, 3)
					require.NoError(t, err)
				}
			}
			const warmUp, texts = 100, 300
			translate(warmUp) // the runtime's own pools and kernels of each length
			before := anonymousKiB(t)
			translate(texts)
			grown := anonymousKiB(t) - before
			t.Logf("%d KiB after %d texts, grown by %d KiB in %d more", before, warmUp, grown, texts)
			require.Less(t, grown, 2048)
		})
	}
}
