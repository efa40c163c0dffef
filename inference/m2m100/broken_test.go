package m2m100

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// float16NaN is a quiet NaN, as the starter's element type has it.
var float16NaN = []byte{0x00, 0x7e}

// poisonedStarter copies the starter with NaN at one element of one tensor,
// counted in row-major order, and returns the folder.
func poisonedStarter(t *testing.T, tensor string, element int64) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"config.json", "generation_config.json", "model.safetensors"} {
		data, err := os.ReadFile(filepath.Join(starterDir(), name))
		require.NoError(t, err)
		if name == "model.safetensors" {
			// The format: eight bytes of length, a JSON header, the tensors.
			begin := 8 + int64(binary.LittleEndian.Uint64(data))
			var header map[string]struct {
				DType   string   `json:"dtype"`
				Offsets [2]int64 `json:"data_offsets"`
			}
			require.NoError(t, json.Unmarshal(data[8:begin], &header))
			require.Equal(t, "F16", header[tensor].DType)
			copy(data[begin+header[tensor].Offsets[0]+2*element:], float16NaN)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), data, 0o600))
	}
	return dir
}

func TestCheckpointWithNaNIsRefused(t *testing.T) {
	for _, recipe := range []string{"int8", "f32"} {
		for name, c := range map[string]struct {
			tensor  string
			element int64
			say     []string
		}{
			"matrix":        {"model.encoder.layers.2.fc1.weight", 5*512 + 7, []string{"row 5, column 7"}},
			"embeddings":    {"model.shared.weight", 24108*512 + 1, []string{"row 24108, column 1"}},
			"normalisation": {"model.decoder.layers.1.final_layer_norm.weight", 9, []string{"element 9"}},
			"bias":          {"model.decoder.layers.0.encoder_attn.k_proj.bias", 511, []string{"element 511"}},
		} {
			t.Run(recipe+" "+name, func(t *testing.T) {
				checkpoint := openCheckpoint(t, poisonedStarter(t, c.tensor, c.element))
				parent := t.TempDir()
				err := prepare(t.Context(), checkpoint, recipeOf(t, recipe), nil, 1, filepath.Join(parent, "prepared"), nil)
				require.NotErrorIs(t, err, ErrCache)
				for _, part := range append(c.say, checkpoint.Dir, c.tensor, "NaN", "the checkpoint is damaged") {
					require.ErrorContains(t, err, part)
				}
				require.Equal(t, []string{"prepared.lock"}, names(t, parent))
			})
		}
	}
}

// TestWrongNumbersAreNoTranslation damages the prepared weights, and
// their sums with them, to play a device that computes wrongly.
func TestWrongNumbersAreNoTranslation(t *testing.T) {
	for _, d := range []Decoder{AnyDecoder, GraphDecoder} {
		o := starterOptions(t, "int8", CPU).decodedBy(d)
		openEngine(t, o) // prepares
		whole := contents(t, o.Dir)
		for _, tensor := range []string{"model.encoder.layer_norm.weight", "model.decoder.layers.1.fc1.bias", "model.decoder.layer_norm.bias"} {
			if d == GraphDecoder && tensor == "model.decoder.layers.1.fc1.bias" {
				continue // the plugin's ReLU makes NaN 0
			}
			t.Run(string(d)+" "+tensor, func(t *testing.T) {
				damaged := o
				damaged.Dir = filepath.Join(t.TempDir(), "prepared")
				require.NoError(t, os.Mkdir(damaged.Dir, 0o700))
				vector, found := vectorBytes(t, o, tensor), 0
				for name, data := range whole {
					if at := strings.Index(data, string(vector)); at >= 0 {
						found++
						weights := []byte(data)
						binary.LittleEndian.PutUint32(weights[at+4*7:], math.Float32bits(float32(math.NaN())))
						data = string(weights)
					}
					require.NoError(t, os.WriteFile(filepath.Join(damaged.Dir, name), []byte(data), 0o600))
				}
				require.Equal(t, 1, found)
				seal(t, damaged.Dir, damaged.recipe())
				g, err := openEngine(t, damaged).Generate(t.Context(), Interactive, shortSource, spanish)
				require.ErrorContains(t, err, "decode token 1: the model's scores are NaN")
				require.Empty(t, g.Tokens)
			})
		}
	}
}

// vectorBytes are a vector as the prepared weights hold it.
func vectorBytes(t *testing.T, o Options, name string) []byte {
	t.Helper()
	tensor, err := o.Checkpoint.Tensor(name)
	require.NoError(t, err)
	values := make([]float32, tensor.Len())
	require.NoError(t, tensor.Float32(values, 0))
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(v))
	}
	return data
}

// TestWrongNumbersInTheMiddle has them appear only after the first tokens: in
// the host's row of the second one. Package host reads the row already to score
// the token.
func TestWrongNumbersInTheMiddle(t *testing.T) {
	for d, say := range map[Decoder]string{AnyDecoder: "decode token 2", GraphDecoder: "decode token 3"} {
		o := starterOptions(t, "int8", CPU).decodedBy(d)
		tokens := generate(t, openEngine(t, o), shortSource, spanish)
		require.Greater(t, len(tokens), 3)
		require.NotContains(t, append(tokens[:1:1], shortSource...), tokens[1])
		o.Checkpoint = openCheckpoint(t, poisonedStarter(t, "model.shared.weight", int64(tokens[1])*512))
		g, err := openEngine(t, o).Generate(t.Context(), Interactive, shortSource, spanish)
		require.ErrorContains(t, err, say+": the model's scores are NaN")
		require.Empty(t, g.Tokens, "what came before is not returned either")
	}
}
