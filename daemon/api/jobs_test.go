package api

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJobNames(t *testing.T) {
	for name, id := range map[string]int64{"345": 345, "t12": FirstText + 12, "t1": FirstText + 1} {
		require.Equal(t, name, Job{ID: id}.Name())
		got, err := ParseJobName(name)
		require.NoError(t, err)
		require.Equal(t, id, got)
	}
	id, err := ParseJobName("1099511627788")
	require.NoError(t, err)
	require.Equal(t, int64(FirstText+12), id)
	for _, wrong := range []string{"", "t", "0", "t0", "-1", "t-1", "tt1", "1t", "x", "t9223372036854775807", "9223372036854775808"} {
		_, err := ParseJobName(wrong)
		require.ErrorContains(t, err, "t12", wrong)
	}
}
