package m2m100

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
)

// TestImportedGraphsAreAsExact: the C API imports without properties, and the
// plugin's own defaults are bf16 where the processor has it and eight bits for
// the cache of keys and values, which changes tokens.
func TestImportedGraphsAreAsExact(t *testing.T) {
	dir := t.TempDir()
	openStarterWith(t, "f32", CPU, blob.Open(dir, blob.Options{}))
	store := blob.Open(dir, blob.Options{})
	e := openStarterWith(t, "f32", CPU, store)
	require.Equal(t, 2, store.Stats().Hits)
	for key, want := range map[string]string{"INFERENCE_PRECISION_HINT": "f32", "KV_CACHE_PRECISION": "f32", "NUM_STREAMS": "1"} {
		got, err := e.decoder.steps.(*graphDecoder).graph.Property(key)
		require.NoError(t, err)
		require.Equal(t, want, got, key)
	}
	// The properties above are the proof; some sentences show that they act.
	references := readReferences(t)
	for i := 0; i < len(references); i += 4 {
		r := references[i]
		g, err := e.Generate(t.Context(), Interactive, r.Source, r.Target[0])
		require.NoError(t, err)
		require.Equal(t, r.Target[1:len(r.Target)-1], g.Tokens)
	}
}
