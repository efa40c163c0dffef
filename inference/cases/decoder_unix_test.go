//go:build unix

package cases

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/device"
	"dragoman/inference/ladder"
)

// gpu shows the fake GPU, which is the processor.
const gpu = "gpu=1"

// gpuBench has the encoder on the processor and the decoder on what is better.
func gpuBench(t *testing.T) *bench {
	b := newBench(t)
	b.options.Encoder, b.options.Decoder = "CPU", ""
	b.options.Acceleration.Survey = shows([]device.Device{{Kind: device.GPU, Name: "Fake GPU", PCI: "8086:64a0"}})
	return b
}

func (b *bench) decodes() inference.Devices {
	b.t.Helper()
	return b.until("the GPU decodes", func(d inference.Devices) bool { return d.Decoder == "GPU" })
}

// leaves waits until the GPU does not decode for a reason.
func (b *bench) leaves(kinds ...ladder.Kind) *ladder.Reason {
	b.t.Helper()
	d := b.until("the GPU does not decode", func(d inference.Devices) bool {
		if d.Decoder != "CPU" || len(d.DecoderFalls) != 1 || d.Opening.Device != "" {
			return false
		}
		for _, kind := range kinds {
			if d.DecoderFalls[0].Reason.Kind == kind {
				return true
			}
		}
		return false
	})
	return d.DecoderFalls[0].Reason
}

// The decoder goes where a measurement has found it faster, which is remembered.
// The weights are those of a recipe that the processor needs the runtime for,
// which can be made slow.
func TestDecoderIsMeasured(t *testing.T) {
	b := gpuBench(t)
	b.options.Recipe = "f32"
	b.options.Acceleration.Energy = func(ctx context.Context, work func(context.Context) (int, error)) (float64, error) {
		tokens, err := work(ctx)
		require.Positive(t, tokens)
		return float64(tokens), err
	}
	translated := func() string {
		r, err := b.Translate(t.Context(), inference.Request{Text: text, From: "en", To: "de"})
		require.NoError(t, err)
		return r.Text
	}
	b.device.Play(t, gpu, "processor.ms=20")
	b.open()
	want := translated() // meanwhile
	d := b.decodes()
	require.Equal(t, "Fake GPU (the processor)", d.DecoderName)
	require.True(t, d.DecoderSpeed.Better)
	require.Less(t, d.DecoderSpeed.Token, d.DecoderSpeed.ProcessorToken)
	require.Positive(t, d.DecoderSpeed.Joules)
	require.Equal(t, d.DecoderSpeed.Joules, d.DecoderSpeed.ProcessorJoules)
	require.Equal(t, want, translated())
	b.close()

	b.device.Play(t, gpu, "compile=abort", "processor.ms=1")
	b.open()
	again := b.decodes()
	require.True(t, d.DecoderSpeed.When.Equal(again.DecoderSpeed.When), "nothing is measured again")
	require.Equal(t, want, translated())
	require.NoError(t, b.Resume())
	require.Equal(t, want, translated())
	b.decodes()
}

// A GPU that is slower is left alone, with the figures, unless it was asked for.
func TestDecoderThatIsSlower(t *testing.T) {
	b := gpuBench(t)
	b.options.Acceleration.Energy = func(context.Context, func(context.Context) (int, error)) (float64, error) {
		return 0, errors.New("the meter is broken")
	}
	b.device.Play(t, gpu, "infer.ms=20")
	b.open()
	require.Regexp(t, `a token takes it [\d.]+ ms, the processor [\d.]+ ms; energy unknown: the meter is broken`, b.leaves(ladder.Slower).Error())
	b.translates()
	b.close()
	b.device.Play(t, gpu, "compile=abort", "infer=abort")
	b.open()
	b.leaves(ladder.Slower)
	require.Equal(t, "CPU", b.Devices().Decoder)
	b.close()
	b.device.Play(t, gpu)
	b.options.Decoder = "GPU"
	b.open()
	require.False(t, b.decodes().DecoderSpeed.Better)
	b.translates()
}

func TestNoDecoderDevice(t *testing.T) {
	b := gpuBench(t)
	b.options.Acceleration.Survey = shows(nil)
	b.open()
	b.leaves(ladder.Absent)
	b.close()
	b.options.Decoder = "NPU"
	_, err := inference.Open(t.Context(), b.options)
	require.ErrorContains(t, err, "use GPU or CPU")
}

// What the GPU does wrong in the middle of a text: the processor decodes all of
// it anew.
func TestDecoderFaultInService(t *testing.T) {
	b := gpuBench(t)
	b.options.Decoder = "GPU"
	b.device.Play(t, gpu)
	b.open()
	b.decodes()
	for _, c := range []struct {
		fault string
		want  ladder.Kind
	}{
		{"infer=lost", ladder.Lost}, {"infer=unknown", ladder.Inference}, {"infer=oom", ladder.Memory},
		{"infer=nan", ladder.NotFinite}, {"infer=hang", ladder.Hung},
	} {
		b.device.Play(t, gpu, c.fault, "infer.from=4", "infer.count=1")
		b.translates()
		why := b.leaves(c.want)
		require.Equal(t, "Fake GPU (the processor)", why.Name, c.fault)
		require.WithinDuration(t, time.Now().Add(ladder.Pauses[0]), b.Devices().DecoderFalls[0].Next, patience)
		b.device.Play(t, gpu)
		b.close()
		b.open()
		b.decodes()
	}
}

// What goes wrong while it is tried.
func TestDecoderFaultWhileOpening(t *testing.T) {
	for play, want := range map[string]ladder.Kind{
		"compile=segv": ladder.Crashed, "compile=error": ladder.Compile, "import=refuse": ladder.Mismatch, "infer=nan": ladder.NotFinite, "device=lost": ladder.Lost,
	} {
		t.Run(play, func(t *testing.T) {
			b := gpuBench(t)
			b.device.Play(t, gpu, play)
			b.open()
			b.leaves(want)
			b.translates()
		})
	}
}
