package m2m100

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
)

// decodeOn opens the starter's decoder on the processor, which serves as another
// device here.
func decodeOn(t *testing.T, o Options, limit time.Duration) *DecoderDevice {
	t.Helper()
	target := processor(0)
	target.Driver = "of another device"
	d, err := OpenDecoder(t.Context(), o, target, limit, func(Step) {})
	require.NoError(t, err)
	return d
}

func TestDecoderDeviceTakesOver(t *testing.T) {
	o := starterOptions(t, "int8", CPU).decodedBy(GraphDecoder) // which rounds as the device does
	o.Blobs = blob.Open(t.TempDir(), blob.Options{})
	e := openEngine(t, o)
	want := generate(t, e, longSource, spanish)
	d := decodeOn(t, o, time.Minute)
	require.NoError(t, d.Try(t.Context()))
	for _, on := range []*DecoderDevice{nil, d} {
		g, err := e.GenerateOn(t.Context(), on, longSource, spanish, 8, false)
		require.NoError(t, err)
		require.Equal(t, want[:min(8, len(want))], g.Tokens)
		g, err = e.GenerateOn(t.Context(), on, shortSource, spanish, 20, true)
		require.NoError(t, err)
		require.Len(t, g.Tokens, 20)
	}
	require.NoError(t, e.UseDecoder(d, func(err error) { t.Errorf("it fell: %v", err) }))
	require.Equal(t, want, generate(t, e, longSource, spanish))
	require.NoError(t, e.UseDecoder(nil, nil))
	require.Equal(t, want, generate(t, e, longSource, spanish))
	require.ErrorIs(t, d.decode(t.Context(), nil, nil, nil, 0, lengths{}, nil), errClosed)
}

// A text that hangs on a device is decoded by the processor, all of it.
func TestDecoderDeviceHangs(t *testing.T) {
	o := starterOptions(t, "int8", CPU)
	o.Blobs = blob.Open(t.TempDir(), blob.Options{})
	e := openEngine(t, o)
	want := generate(t, e, shortSource, spanish)
	d := decodeOn(t, o, time.Nanosecond)
	fell := make(chan error, 1)
	require.NoError(t, e.UseDecoder(d, func(err error) { fell <- err }))
	require.Equal(t, want, generate(t, e, shortSource, spanish))
	require.ErrorIs(t, <-fell, ErrHung)
	require.Eventually(t, func() bool { // what hung has ended
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.weights == nil
	}, time.Minute, time.Millisecond)
	require.Equal(t, want, generate(t, e, shortSource, spanish))
}

// A second text must not use what the first one's inference gives back when it ends.
func TestNobodyUsesADeviceThatHangs(t *testing.T) {
	d := onDevice{limit: time.Minute, hung: true}
	require.ErrorIs(t, d.infer(nil, func() {}), errClosed)
}
