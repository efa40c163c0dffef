//go:build unix

package cases

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/ladder"
	"dragoman/inference/openvino"
)

// A device that is opened again and again leaves nothing native behind, whether it
// serves, is not there, or fails when it is tried.
func TestOpeningsLeaveNothingBehind(t *testing.T) {
	gap := ladder.WakeGap
	ladder.WakeGap = 0
	defer func() { ladder.WakeGap = gap }()
	b := warmBench(t)
	rt, err := openvino.Load(b.options.Runtime.Library, b.options.Runtime.Preload...)
	require.NoError(t, err)
	none := rt.Live()
	defer func() { // before the gap comes back
		b.close()
		require.Equal(t, none, rt.Live())
	}()
	b.open().serves()
	serving := rt.Live()
	resting := int64(-1)
	for _, c := range []struct {
		play string
		want ladder.Kind
	}{
		{"device=gone", ladder.Absent}, {"device=lost", ladder.Lost}, {"infer=nan", ladder.NotFinite},
	} {
		b.device.Play(t, c.play)
		require.NoError(t, b.Resume())
		b.falls(c.want)
		if resting < 0 {
			resting = rt.Live()
			require.Less(t, resting, serving)
		}
		require.Equal(t, resting, rt.Live(), c.play)
		b.device.Play(t)
		require.NoError(t, b.Resume())
		b.serves()
		require.Equal(t, serving, rt.Live(), c.play)
	}
	for range 3 {
		require.NoError(t, b.Resume())
		b.serves()
		require.Equal(t, serving, rt.Live())
	}
}
