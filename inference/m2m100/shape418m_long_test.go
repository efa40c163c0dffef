//go:build long

package m2m100

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/model/randommodel"
	"dragoman/inference/openvino"
	"dragoman/inference/openvino/ovtest"
)

// referencePython is an interpreter with the packages of testdata/requirements.txt.
func referencePython(t *testing.T) string {
	t.Helper()
	if python := os.Getenv("DRAGOMAN_PYTHON"); python != "" {
		return python
	}
	python := filepath.Join(ovtest.Root(), "build", "reference", "venv", "bin", "python")
	if runtime.GOOS == "windows" {
		python = filepath.Join(ovtest.Root(), "build", "reference", "venv", "Scripts", "python.exe")
	}
	if _, err := os.Stat(python); err != nil {
		t.Skip("needs transformers: `make test-long` sets it up; or name a Python that has it by DRAGOMAN_PYTHON")
	}
	return python
}

// forced is one sentence as testdata/random418m.py reads it.
type forced struct {
	Source []int32 `json:"source_ids"`
	Output []int32 `json:"decoder_ids"`
}

// randomSentence has made-up tokens between the real special ones. Ids of
// languages begin at 128004 in this vocabulary.
func randomSentence(random *rand.Rand, source, output int) forced {
	tokens := func(n int) (ids []int32) {
		for range n {
			ids = append(ids, 4+random.Int32N(128000))
		}
		return ids
	}
	f := forced{Source: append([]int32{128022}, tokens(source-2)...), Output: append([]int32{2, 128063}, tokens(output-2)...)}
	f.Source = append(f.Source, 2)
	return f
}

// referenceLogits runs transformers: for each sentence one row of logits a
// token of its output.
func referenceLogits(t *testing.T, python, checkpoint string, sentences []forced) [][][]float32 {
	t.Helper()
	dir := t.TempDir()
	requests, err := json.Marshal(sentences)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "requests.json"), requests, 0o600))
	out, err := exec.CommandContext(t.Context(), python, filepath.Join("testdata", "random418m.py"), checkpoint, dir).CombinedOutput()
	require.NoError(t, err, string(out))
	var all [][][]float32
	for i, s := range sentences {
		data, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("logits-%d.f32", i)))
		require.NoError(t, err)
		vocabulary := randommodel.M2M100.Vocabulary
		require.Len(t, data, 4*vocabulary*len(s.Output))
		rows := make([][]float32, len(s.Output))
		for r := range rows {
			rows[r] = make([]float32, vocabulary)
			for k := range rows[r] {
				rows[r][k] = math.Float32frombits(binary.LittleEndian.Uint32(data[4*(r*vocabulary+k):]))
			}
		}
		all = append(all, rows)
	}
	return all
}

// farthest is the largest difference of two rows, as a share of b's largest
// magnitude.
func farthest(a, b []float32) float64 {
	worst := 0.0
	for i := range b {
		d := math.Abs(float64(a[i]) - float64(b[i]))
		if d != d {
			return math.Inf(1)
		}
		worst = max(worst, d)
	}
	return worst / spreadOf(b).largest
}

// TestSameLogitsIn418MShape compares all 128112 logits of every position of
// three sentences with transformers', on the shape of facebook/m2m100_418M.
//
// The difference is the largest of a position, as a share of the largest
// magnitude among that position's logits in transformers. So that the
// comparison means something, the logits must not be near zero, and those of
// two positions must differ by a hundred times what is allowed at least. Biases
// are zero and normalisations one in a random checkpoint:
// TestSameLogitsAsTransformers has real ones.
func TestSameLogitsIn418MShape(t *testing.T) {
	python := referencePython(t)
	ovtest.Library(t)
	dir := t.TempDir()
	require.NoError(t, randommodel.Write(dir, randommodel.M2M100, 418))
	random := rand.New(rand.NewPCG(4, 18))
	sentences := []forced{randomSentence(random, 7, 9), randomSentence(random, 17, 20), randomSentence(random, 40, 12)}
	want := referenceLogits(t, python, dir, sentences)
	lowest, highest, nearest := math.Inf(1), 0.0, math.Inf(1)
	for s, rows := range want {
		for i, row := range rows {
			all := spreadOf(row)
			lowest, highest = min(lowest, all.deviation), max(highest, all.largest)
			require.Greater(t, all.deviation, 0.1, "sentence %d, position %d", s, i)
			for _, other := range rows[:i] {
				nearest = min(nearest, farthest(other, row))
			}
		}
	}
	t.Logf("transformers' logits: least standard deviation of a position %.3f, largest magnitude %.2f, nearest two positions %.2f apart", lowest, highest, nearest)
	require.Greater(t, nearest, 100*logitTolerance)

	m := newLogitsModel(t, openCheckpoint(t, dir), recipeOf(t, "f32"))
	m.onBothEncoders(t, func(t *testing.T, e encoder, decoder *openvino.CompiledModel) {
		worst, positions := 0.0, 0
		for s, sentence := range sentences {
			for i, row := range m.teacherForced(t, e, decoder, sentence.Source, sentence.Output) {
				difference := farthest(row, want[s][i])
				require.LessOrEqual(t, difference, logitTolerance, "sentence %d, position %d", s, i)
				worst, positions = max(worst, difference), positions+1
			}
		}
		t.Logf("%d positions of %d logits, largest difference %.1e of a position's largest logit", positions, randommodel.M2M100.Vocabulary, worst)
	})
}
