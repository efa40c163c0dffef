package m2m100

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestHostEncoderIsNear: the weights are the same eight bits in both, activations are
// rounded to eight bits in one.
func TestHostEncoderIsNear(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	if !o.recipe().HostEncoder {
		t.Skip("this processor has no kernels")
	}
	here, there := openEngine(t, o), openEngine(t, o.decodedBy(GraphDecoder))
	for i, r := range readReferences(t)[:20] {
		got, err := here.Outputs(t.Context(), r.Source)
		require.NoError(t, err)
		want, err := there.Outputs(t.Context(), r.Source)
		require.NoError(t, err)
		require.Len(t, got, len(want))
		for k := range want {
			require.Len(t, got[k], len(want[k]))
			var difference, size float64
			for j, v := range want[k] {
				difference += math.Pow(float64(v-got[k][j]), 2)
				size += math.Pow(float64(v), 2)
			}
			require.Less(t, math.Sqrt(difference/size), 2e-2, "sentence %d, output %d", i, k)
		}
	}
}
