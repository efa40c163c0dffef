package daemon_test

import (
	"bufio"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/ipc"
)

// kept is a connection that a client keeps open.
type kept struct {
	net.Conn
	read *bufio.Reader
}

func (s *service) connect() kept {
	s.t.Helper()
	c, err := ipc.Dial(s.t.Context(), ipc.Default(s.paths.RuntimeDir))
	require.NoError(s.t, err)
	s.t.Cleanup(func() { c.Close() })
	require.NoError(s.t, c.SetDeadline(time.Now().Add(patience)))
	return kept{c, bufio.NewReader(c)}
}

// get asks and reads the head of the answer.
func (k kept) get(t *testing.T, path string) *http.Response {
	t.Helper()
	_, err := k.Write([]byte("GET " + path + " HTTP/1.1\r\nHost: dragoman\r\n\r\n"))
	require.NoError(t, err)
	answer, err := http.ReadResponse(k.read, nil)
	require.NoError(t, err)
	return answer
}

func TestManyConnectionsLockNobodyOut(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths)
	max := `8`
	_, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"api.max_clients": &max}})
	require.NoError(t, err)
	require.NoError(t, s.stop())
	s = start(t, paths)

	// Idle ones give way at once.
	for range 8 {
		answer := s.connect().get(t, "/v1/settings")
		require.Equal(t, http.StatusOK, answer.StatusCode)
	}
	require.Eventually(t, func() bool {
		_, err = s.Status(t.Context())
		return err == nil
	}, patience, time.Millisecond, "%v", err)

	// Event streams stay, and whoever comes then is told.
	var streams []*http.Response
	for len(streams) < 8 {
		answer := s.connect().get(t, "/v1/events")
		// A connection counts as busy until the server has seen that its client
		// has read the answer, which the client knows a little earlier.
		if answer.StatusCode == http.StatusServiceUnavailable {
			continue
		}
		require.Equal(t, http.StatusOK, answer.StatusCode)
		streams = append(streams, answer)
	}
	_, err = s.Status(t.Context())
	require.ErrorIs(t, err, api.ErrBusy)
	require.ErrorContains(t, err, "api.max_clients")
	for _, stream := range streams {
		line, err := bufio.NewReader(stream.Body).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "id: ")
	}
}
