package m2m100

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

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
			before := ovtest.MemoryKiB(t, "RssAnon")
			translate(texts)
			grown := ovtest.MemoryKiB(t, "RssAnon") - before
			t.Logf("%d KiB after %d texts, grown by %d KiB in %d more", before, warmUp, grown, texts)
			require.Less(t, grown, 2048)
		})
	}
}
