package host

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/kernel"
	"dragoman/inference/m2m100/rounding"
	"dragoman/inference/model"
)

// encoderOf writes an encoder's weights of eight bits as OpenEncoder takes them.
func encoderOf(t *testing.T, c *model.Checkpoint) func(key string) ([]byte, error) {
	t.Helper()
	written := map[string][]byte{}
	for _, name := range c.Names() {
		tensor, err := c.Tensor(name)
		require.NoError(t, err)
		if len(tensor.Shape) != 2 {
			var b bytes.Buffer
			require.NoError(t, writeVectors(&b, []source{{tensor, 1}}))
			written[name] = b.Bytes()
			continue
		}
		q := quantised{sources: []source{{tensor, 1}}, width: tensor.Shape[1]}
		var b, scales bytes.Buffer
		require.NoError(t, q.writeInt8(&b))
		require.NoError(t, q.writeScales8(&scales))
		written[name+".int8"], written[name+".scale"] = b.Bytes(), scales.Bytes()
	}
	return func(key string) ([]byte, error) {
		if written[key] == nil {
			return nil, errors.New(key + " is missing")
		}
		return written[key], nil
	}
}

// madeExamples are embeddings that go together: each is a mixture of few directions.
func madeExamples(r *rand.Rand, c model.Config, n int) (all []Example) {
	floats := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		return x
	}
	const directions = 20
	mix := floats(directions * c.DModel)
	embeddings := func(tokens int) []float32 {
		x := floats(tokens * c.DModel)
		for token := range tokens {
			for d := range directions {
				a := float32(r.NormFloat64())
				for i := range c.DModel {
					x[token*c.DModel+i] += a * mix[d*c.DModel+i]
				}
			}
		}
		return x
	}
	for i := range n {
		all = append(all, Example{Output: embeddings(5 + i%17), Source: embeddings(3 + i%11)})
	}
	return all
}

func writeCalibrated(t *testing.T, c *model.Checkpoint, examples, threads int, tell func(int) error) ([]byte, error) {
	t.Helper()
	all := madeExamples(rand.New(rand.NewPCG(21, 22)), c.Config, examples)
	var file bytes.Buffer
	err := Write(&file, c, Int4, Calibrate(c, encoderOf(t, c), all, threads, tell), threads)
	return file.Bytes(), err
}

func TestCalibratedFileIsTheSameOnAnyThreads(t *testing.T) {
	c := smallCheckpoint(t)
	rows := 0
	tell := func(n int) error { rows += n; return nil }
	one, err := writeCalibrated(t, c, 90, 1, tell)
	require.NoError(t, err)
	told := rows
	require.Positive(t, told)
	require.Zero(t, told%c.Config.DecoderLayers, "each layer has seen all rows")
	three, err := writeCalibrated(t, c, 90, 3, tell)
	require.NoError(t, err)
	require.Equal(t, 2*told, rows)
	require.True(t, bytes.Equal(one, three))
	var plain bytes.Buffer
	require.NoError(t, Write(&plain, c, Int4, nil, 1))
	require.Equal(t, plain.Len(), len(one))
	require.False(t, bytes.Equal(plain.Bytes(), one))
}

// TestCalibratedDecoderIsNearer compares what layers make of examples with what they
// make in eight bits.
func TestCalibratedDecoderIsNearer(t *testing.T) {
	c := smallCheckpoint(t)
	open := func(data []byte, f Format) *Model {
		m, err := Open(data, c, f, nil, 2)
		require.NoError(t, err)
		t.Cleanup(m.Close)
		return m
	}
	calibrated, err := writeCalibrated(t, c, 300, 2, func(int) error { return nil })
	require.NoError(t, err)
	var plain bytes.Buffer
	require.NoError(t, Write(&plain, c, Int4, nil, 2))
	encoder, err := OpenEncoder(encoderOf(t, c), c.Config, 2)
	require.NoError(t, err)
	t.Cleanup(encoder.Close)
	others := madeExamples(rand.New(rand.NewPCG(21, 22)), c.Config, 60) // of the same directions
	last := func(m *Model) (all []float32) {
		for _, x := range others {
			cross := make([]Cross, c.Config.DecoderLayers)
			require.NoError(t, encoder.Encode(Source{x.Source, len(x.Source) / c.Config.DModel, cross}))
			s := m.NewSequence()
			s.Embeddings, s.New = x.Output, len(x.Output)/c.Config.DModel
			s.Begin(m, cross, s.New)
			require.NoError(t, m.Step(s))
			all = append(all, m.step.last[:c.Config.DModel]...)
		}
		return all
	}
	want := last(openModel(t, c, Int8, nil, 2))
	distance := func(m *Model) (sum float64) {
		for i, v := range last(m) {
			d := float64(v - want[i])
			sum += d * d
		}
		return sum
	}
	near, far := distance(open(calibrated, Int4)), distance(open(plain.Bytes(), Int4))
	t.Logf("squared error %.3f of plain rounding's", near/far)
	require.Less(t, near, 0.75*far)
}

// TestCalibrationSeesWhatADecoderDoes: the moments of the last layer are those of what
// the whole decoder multiplies there.
func TestCalibrationSeesWhatADecoderDoes(t *testing.T) {
	c := smallCheckpoint(t)
	made := func() []Example { return madeExamples(rand.New(rand.NewPCG(25, 26)), c.Config, 60) }
	calibration := Calibrate(c, encoderOf(t, c), made(), 2, func(int) error { return nil })
	for range c.Config.DecoderLayers {
		require.NoError(t, calibration.next())
	}

	m := openModel(t, c, Int8, nil, 2)
	m.step.claims = make([]claim, (phasesPerLayer+int(inputs))*c.Config.DecoderLayers+otherPhases)
	config := c.Config
	config.EncoderLayers = 0
	encoder, err := openEncoder(encoderOf(t, c), config, 0, 2)
	require.NoError(t, err)
	t.Cleanup(encoder.Close)
	var want [inputs]*rounding.Moments
	for i := range inputs {
		if Int4.of(i) == Int4 {
			want[i] = rounding.NewMoments(m.width(i), 2)
		}
	}
	for _, x := range made() {
		cross := make([]Cross, c.Config.DecoderLayers)
		require.NoError(t, encoder.Encode(Source{x.Source, len(x.Source) / c.Config.DModel, cross}))
		s := m.NewSequence()
		s.Embeddings, s.New = x.Output, len(x.Output)/c.Config.DModel
		s.Begin(m, cross, s.New)
		for i := range want {
			if want[i] != nil {
				m.seen[i] = make([]float32, s.New*m.width(input(i)))
			}
		}
		require.NoError(t, m.Step(s))
		for i := range want {
			for row := range slices.Chunk(m.seen[i], m.width(input(i))) {
				want[i].Add(row)
			}
		}
	}
	for i := range want {
		require.True(t, reflect.DeepEqual(want[i], calibration.moments[i]), "input %d", i)
	}
}

// TestMatricesThatStayInt8 are the same in both formats.
func TestMatricesThatStayInt8(t *testing.T) {
	c := smallCheckpoint(t)
	four, eight := openModel(t, c, Int4, nil, 1), openModel(t, c, Int8, nil, 1)
	for i := range four.weights.layers {
		a, b := &four.weights.layers[i], &eight.weights.layers[i]
		for name, m := range map[string][2]*linear{"self": {&a.selfOut, &b.selfOut}, "cross": {&a.crossOut, &b.crossOut}, "second": {&a.fc2, &b.fc2}} {
			require.False(t, m[0].int4, name)
			require.Equal(t, m[1].eight, m[0].eight, name)
		}
		for name, m := range map[string]*linear{"qkv": &a.qkv, "query": &a.crossQuery, "first": &a.fc1} {
			require.True(t, m.int4, name)
		}
	}
}

func TestCalibrationEnds(t *testing.T) {
	c := smallCheckpoint(t)
	stop := errors.New("stopped")
	calls := 0
	_, err := writeCalibrated(t, c, 90, 2, func(int) error {
		if calls++; calls == 3 {
			return stop
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	require.Equal(t, 3, calls)
	_, err = writeCalibrated(t, c, 0, 1, func(int) error { return nil })
	require.NoError(t, err, "without examples weights are rounded all the same")
	broken := Calibrate(c, func(key string) ([]byte, error) {
		return nil, errors.New(strings.TrimPrefix(key, "model.") + " is missing")
	}, nil, 1, nil)
	require.ErrorContains(t, Write(new(bytes.Buffer), c, Int4, broken, 1), "is missing")
}

// TestVectorsAreReadBack to what eight bits hold.
func TestVectorsAreReadBack(t *testing.T) {
	smallCheckpoint(t) // skips where there are no kernels
	const width = 3 * kernel.Group
	v := kernel.NewVectors(width, 2)
	r := rand.New(rand.NewPCG(23, 24))
	x, got := make([]float32, width), make([]float32, width)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	x[7] = 0
	v.Set(1, x)
	v.Row(got, 1)
	require.InDeltaSlice(t, x, got, 0.02)
	require.Zero(t, got[7])
	require.Panics(t, func() { v.Row(got[:width-1], 1) })
	require.Panics(t, func() { kernel.NewGrouped(width, 1).Row(got, 0) })
}
