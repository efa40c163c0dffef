package m2m100

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSameLooksAsTransformers: weights of eight bits look at a source about as
// transformers' M2M100ForConditionalGeneration does in float32.
func TestSameLooksAsTransformers(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "starter_attention.json"))
	require.NoError(t, err)
	var golden struct {
		Sentences []struct {
			Source []int32       `json:"source_ids"`
			Output []int32       `json:"output_ids"` // language token first
			Layers [][][]float32 // [layer, token, source]
		}
	}
	require.NoError(t, json.Unmarshal(data, &golden))
	require.NotEmpty(t, golden.Sentences)
	e := openStarter(t, "int8", CPU)
	if !e.Looks() {
		t.Skip("this processor has no AVX2")
	}
	layers := []int{0, 1, 2}
	require.Equal(t, len(layers), e.Layers())
	var pairs []Pair
	for _, s := range golden.Sentences {
		pairs = append(pairs, Pair{s.Source, s.Output[0], s.Output[1:]})
	}
	got, err := e.Look(t.Context(), Batch, layers, pairs...)
	require.NoError(t, err)
	for i, s := range golden.Sentences {
		for l, rows := range s.Layers {
			// The first row of ours is the language token's.
			require.Len(t, got[i][l], len(s.Output)*len(s.Source))
			for k, row := range rows {
				require.InDeltaSlice(t, row, got[i][l][(k+1)*len(s.Source):][:len(s.Source)], 0.03, "sentence %d, layer %d, token %d", i, l, k)
			}
		}
	}
}

func TestLookRefuses(t *testing.T) {
	graph := openEngine(t, starterOptions(t, "int8", CPU).decodedBy(GraphDecoder))
	require.False(t, graph.Looks())
	_, err := graph.Look(t.Context(), Batch, []int{0})
	require.ErrorIs(t, err, ErrNoLook)

	e := openStarter(t, "int8", CPU)
	if !e.Looks() {
		t.Skip("this processor has no AVX2")
	}
	source := readReferences(t)[0].Source
	target := readReferences(t)[0].Target
	_, err = e.Look(t.Context(), Batch, []int{0}, Pair{source, target[0], make([]int32, 1023)})
	require.ErrorContains(t, err, "1025 tokens")
	_, err = e.Look(t.Context(), Batch, []int{0}, Pair{make([]int32, 1025), target[0], nil})
	require.ErrorContains(t, err, "1025 tokens")
	empty, err := e.Look(t.Context(), Interactive, []int{2}, Pair{source, target[0], nil})
	require.NoError(t, err)
	require.Len(t, empty[0][0], len(source), "what predicts the first token")

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = e.Look(ctx, Batch, []int{0}, Pair{source, target[0], nil})
	require.ErrorIs(t, err, context.Canceled)
}
