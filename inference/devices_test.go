package inference

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/device"
	"dragoman/inference/ladder"
	"dragoman/inference/m2m100"
	"dragoman/inference/trust"
)

func TestSlept(t *testing.T) {
	now := time.Now()
	require.False(t, slept(now, now.Add(sleepLook)))
	require.False(t, slept(now, now.Add(sleepLook+30*time.Second)), "the machine is busy")
	require.True(t, slept(now, now.Add(8*time.Hour)), "this process did not run")
}

func TestCheckEncoder(t *testing.T) {
	for _, name := range []string{"", "NPU", "GPU", "CPU", "CPU-static"} {
		require.NoError(t, CheckEncoder(name))
	}
	require.ErrorContains(t, CheckEncoder("TPU"), `device "TPU" is unknown: use NPU, GPU or CPU, or CPU-static`)
}

// Without a way to try devices the processor does everything.
func TestNothingIsTriedUnasked(t *testing.T) {
	tr := open(t, Options{})
	d := tr.Devices()
	require.Equal(t, "CPU", d.Encoder)
	require.NotEmpty(t, d.EncoderName)
	require.Empty(t, d.Falls)
	require.Equal(t, Opening{}, d.Opening)
	require.NoError(t, tr.Resume())
}

// A device that does not take the model's weights is passed over, without a
// trial.
func TestRefusedForItsWeights(t *testing.T) {
	a := &accelerating{record: trust.Open(t.TempDir()), options: m2m100.Options{Recipe: m2m100.Recipe{Encoder: "f8e4m3"}}}
	err := a.refused(ladder.NPU, device.Device{Kind: device.NPU, Generation: device.NPU4000})
	var why *ladder.Reason
	require.ErrorAs(t, err, &why)
	require.Equal(t, ladder.Unsupported, why.Kind)
	require.ErrorContains(t, err, "weights in f8e4m3 cannot go to the NPU (4000)")
	require.NoError(t, a.refused(ladder.NPU, device.Device{Kind: device.NPU, Generation: device.NPU5010}))
}
