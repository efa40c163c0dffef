package queue

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRest(t *testing.T) {
	for _, c := range []struct {
		took, want  time.Duration
		done, total int
	}{
		{time.Minute, 3 * time.Minute, 1, 4}, {time.Minute, 0, 0, 4}, {time.Minute, 0, 4, 4}, {time.Minute, 0, 0, 0},
		{time.Second, 1<<31*time.Second - time.Second, 1, 1 << 31},
	} {
		require.Equal(t, c.want, rest(c.took, c.done, c.total))
	}
	require.Zero(t, Info{State: Waiting, Done: 1, Total: 2, Started: time.Now()}.Rest())
	require.Zero(t, Info{State: Running, Done: 1, Total: 2}.Rest())
	require.Positive(t, Info{State: Running, Done: 1, Total: 2, Started: time.Now().Add(-time.Hour)}.Rest())
}
