package m2m100

import (
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/ir"
	"dragoman/inference/mapped"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/ovtest"
)

// logitTolerance is how far a logit may be from transformers', as a share of
// the largest magnitude of its position.
const logitTolerance = 1e-3

// logitsResult is the only output of the decoder that the tests below run.
const logitsResult = "logits" // f32 [1, 1, vocabulary]

// logitsModel runs a checkpoint's graphs, the decoder's with all logits as its
// result where the real one has the best tokens.
type logitsModel struct {
	graphs graphs
	config model.Config
	table  *embedding
}

func newLogitsModel(t *testing.T, c *model.Checkpoint, r Recipe) *logitsModel {
	t.Helper()
	core := ovtest.Core(t)
	dir := t.TempDir()
	require.NoError(t, writeFile(dir, weightsFile, nil, func(out io.Writer) error {
		w := ir.NewWeights(out)
		decoder, logits := decoderLogits(c, w, r)
		decoder.Result(logitsResult, logits)
		files := map[string]*builder{decoderFile: decoder, encoderFile: encoderGraph(c, w, r.Encoder, 0)}
		for _, bucket := range Buckets {
			files[staticEncoderFile(bucket)] = encoderGraph(c, w, r.Encoder, bucket)
		}
		for name, graph := range files {
			if err := writeFile(dir, name, nil, graph.writeXML); err != nil {
				return err
			}
		}
		return w.Err()
	}))
	seal(t, dir, r)
	weights, err := mapped.Open(filepath.Join(dir, weightsFile))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, weights.Close()) })
	table, err := newEmbedding(c)
	require.NoError(t, err)
	graphs, err := newGraphs(Options{Core: core, Checkpoint: c, Dir: dir}, processor(0), weights.Bytes())
	require.NoError(t, err)
	return &logitsModel{graphs: graphs, config: c.Config, table: table}
}

// teacherForced is the logits after each of the output's tokens, whatever the
// model itself would have said: row i follows output[:i+1]. The first row has a
// request of its own, because translating begins with two tokens at once.
func (m *logitsModel) teacherForced(t *testing.T, e encoder, decoder *openvino.CompiledModel, source, output []int32) [][]float32 {
	t.Helper()
	encoded, err := e.encode(t.Context(), Interactive, source)
	require.NoError(t, err)
	rows := [][]float32{m.step(t, m.request(t, decoder, encoded), output[:1], 0)}
	request := m.request(t, decoder, encoded)
	rows = append(rows, m.step(t, request, output[:2], 0))
	for i := 2; i < len(output); i++ {
		rows = append(rows, m.step(t, request, output[i:i+1], i))
	}
	return rows
}

func (m *logitsModel) request(t *testing.T, decoder *openvino.CompiledModel, e encoded) *openvino.InferRequest {
	t.Helper()
	request, err := decoder.NewRequest()
	require.NoError(t, err)
	t.Cleanup(request.Close)
	for l := range m.config.DecoderLayers {
		key, value := crossNames(l)
		require.NoError(t, request.SetTensor(key, e.cross[2*l]))
		require.NoError(t, request.SetTensor(value, e.cross[2*l+1]))
	}
	beams, err := openvino.NewTensorOn(m.graphs.core.Runtime(), openvino.I32, make([]int32, 1), 1)
	require.NoError(t, err)
	t.Cleanup(beams.Close)
	require.NoError(t, request.SetTensor(decoderBeams, beams))
	shape, err := e.cross[0].Shape()
	require.NoError(t, err)
	mask, err := openvino.NewTensorOn(m.graphs.core.Runtime(), openvino.F32, make([]float32, shape[2]), 1, 1, 1, shape[2])
	require.NoError(t, err)
	t.Cleanup(mask.Close)
	require.NoError(t, request.SetTensor(decoderCrossMask, mask))
	return request
}

// step gives the decoder new tokens at positions from first on.
func (m *logitsModel) step(t *testing.T, request *openvino.InferRequest, tokens []int32, first int) []float32 {
	t.Helper()
	rt, n, all := m.graphs.core.Runtime(), int64(len(tokens)), int64(first+len(tokens))
	input := make([]float32, int(n)*m.config.DModel)
	require.NoError(t, m.table.lookUpAll(input, tokens, first))
	causal := make([]float32, n*all)
	for i := range n {
		for j := int64(first) + i + 1; j < all; j++ {
			causal[i*all+j] = padMask
		}
	}
	embeddings, err := openvino.NewTensorOn(rt, openvino.F32, input, 1, n, int64(m.config.DModel))
	require.NoError(t, err)
	defer embeddings.Close()
	mask, err := openvino.NewTensorOn(rt, openvino.F32, causal, 1, 1, n, all)
	require.NoError(t, err)
	defer mask.Close()
	require.NoError(t, request.SetTensor(decoderEmbeddings, embeddings))
	require.NoError(t, request.SetTensor(decoderMask, mask))
	require.NoError(t, request.Infer())
	logits, err := request.Tensor(logitsResult)
	require.NoError(t, err)
	defer logits.Close()
	values, err := logits.Float32s()
	require.NoError(t, err)
	require.Len(t, values, m.config.VocabSize)
	return slices.Clone(values)
}

// onBothEncoders compiles the decoder and each kind of encoder in turn.
func (m *logitsModel) onBothEncoders(t *testing.T, run func(t *testing.T, e encoder, decoder *openvino.CompiledModel)) {
	t.Helper()
	decoder, err := m.graphs.compile(decoderFile)
	require.NoError(t, err)
	defer decoder.Close()
	for _, p := range []Placement{CPU, CPUStatic} {
		t.Run(string(p), func(t *testing.T) {
			e, err := p.newEncoder(t.Context(), m.graphs, m.config, m.table)
			require.NoError(t, err)
			defer e.close()
			run(t, e, decoder)
		})
	}
}

// spread describes the logits of one position.
type spread struct{ mean, deviation, largest float64 } // largest magnitude

func spreadOf(logits []float32) spread {
	var s spread
	var squares float64
	for _, v := range logits {
		s.mean += float64(v)
		squares += float64(v) * float64(v)
		s.largest = max(s.largest, math.Abs(float64(v)))
	}
	n := float64(len(logits))
	s.mean /= n
	s.deviation = math.Sqrt(squares/n - s.mean*s.mean)
	return s
}

// starterLogits is testdata/starter_logits.json, made by starter_logits.py:
// the best of transformers' logits, and the spread of all of them.
type starterLogits struct {
	Sentences []struct {
		Source    []int32 `json:"source_ids"`
		Output    []int32 `json:"decoder_ids"`
		Positions []struct {
			Mean      float64   `json:"mean"`
			Deviation float64   `json:"deviation"`
			Largest   float64   `json:"largest"`
			Tokens    []int32   `json:"tokens"`
			Logits    []float64 `json:"logits"`
		} `json:"positions"`
	} `json:"sentences"`
}

func TestSameLogitsAsTransformers(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("testdata", "starter_logits.json"))
	require.NoError(t, err)
	var want starterLogits
	require.NoError(t, json.Unmarshal(data, &want))
	require.Len(t, want.Sentences, 2)
	m := newLogitsModel(t, openCheckpoint(t, starterDir()), recipeOf(t, "f32"))
	m.onBothEncoders(t, func(t *testing.T, e encoder, decoder *openvino.CompiledModel) {
		worst := 0.0
		for _, sentence := range want.Sentences {
			rows := m.teacherForced(t, e, decoder, sentence.Source, sentence.Output)
			require.Len(t, sentence.Positions, len(rows))
			for i, position := range sentence.Positions {
				require.Len(t, position.Tokens, 50)
				for k, token := range position.Tokens {
					worst = max(worst, math.Abs(float64(rows[i][token])-position.Logits[k])/position.Largest)
				}
				all := spreadOf(rows[i])
				require.Greater(t, all.deviation, 0.1, "the logits must differ for the comparison to mean anything")
				worst = max(worst, math.Abs(all.mean-position.Mean)/position.Largest,
					math.Abs(all.deviation-position.Deviation)/position.Largest, math.Abs(all.largest-position.Largest)/position.Largest)
			}
		}
		t.Logf("largest difference %.1e of a position's largest logit", worst)
		require.Less(t, worst, logitTolerance)
	})
}
