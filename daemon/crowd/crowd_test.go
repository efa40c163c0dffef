package crowd

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// served is a server of a crowd. Its requests of /hold are answered when the
// channel of hold lets them.
type served struct {
	t     *testing.T
	addr  string
	crowd *crowd
	hold  chan struct{}
	held  chan struct{} // one for each that waits
}

func serve(t *testing.T, max int, stall time.Duration) *served {
	t.Helper()
	s := &served{t: t, hold: make(chan struct{}), held: make(chan struct{}, 100)}
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "answered") })
	mux.HandleFunc("/hold", func(w http.ResponseWriter, r *http.Request) {
		w.(http.Flusher).Flush()
		s.held <- struct{}{}
		<-s.hold
	})
	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}
	inner, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	s.addr = inner.Addr().String()
	bound := Bound(server, inner, Options{
		Max: max, Log: slog.New(slog.DiscardHandler),
		Refused: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }),
	})
	s.crowd = bound.(*crowd)
	s.crowd.stall = stall
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(bound) }()
	t.Cleanup(func() {
		close(s.hold)
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-ended, http.ErrServerClosed)
		require.Eventually(t, func() bool { open, _ := s.counts(); return open == 0 }, 10*time.Second, time.Millisecond, "all places were given back")
		require.Zero(t, s.crowd.served)
	})
	return s
}

func (s *served) counts() (open, idling int) {
	s.crowd.mu.Lock()
	defer s.crowd.mu.Unlock()
	for c := range s.crowd.open {
		if c.phase == idle {
			idling++
		}
	}
	return len(s.crowd.open), idling
}

// client is a connection that is kept.
type client struct {
	net.Conn
	t    *testing.T
	read *bufio.Reader
}

func (s *served) connect() *client {
	s.t.Helper()
	c, err := net.Dial("tcp", s.addr)
	require.NoError(s.t, err)
	require.NoError(s.t, c.SetDeadline(time.Now().Add(20*time.Second)))
	s.t.Cleanup(func() { c.Close() })
	return &client{c, s.t, bufio.NewReader(c)}
}

func (c *client) send(path string) {
	fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\n\r\n", path)
}

// ask returns the status of an answer, 0 where the connection was closed.
func (c *client) ask(path string) int {
	c.t.Helper()
	c.send(path)
	answer, err := http.ReadResponse(c.read, nil)
	if err != nil {
		require.NotErrorIs(c.t, err, net.ErrClosed)
		return 0
	}
	_, err = io.ReadAll(answer.Body)
	require.NoError(c.t, err)
	return answer.StatusCode
}

func (s *served) idle(n int) {
	s.t.Helper()
	require.Eventually(s.t, func() bool { _, idle := s.counts(); return idle == n }, 10*time.Second, time.Millisecond)
}

func TestTheLongestIdleGivesWay(t *testing.T) {
	s := serve(t, 3, time.Hour)
	var kept []*client
	for i := range 3 {
		kept = append(kept, s.connect())
		require.Equal(t, 200, kept[i].ask("/"))
		s.idle(i + 1)
	}
	require.Equal(t, 200, kept[0].ask("/"), "so the second is idle for longest")
	s.idle(3)
	require.Equal(t, 200, s.connect().ask("/"))
	require.Zero(t, kept[1].ask("/"))
	require.Equal(t, 200, kept[0].ask("/"))
	require.Equal(t, 200, kept[2].ask("/"))
}

func TestWhoeverIsAnsweredStays(t *testing.T) {
	s := serve(t, 2, time.Hour)
	for range 2 {
		s.connect().send("/hold")
		<-s.held
	}
	for range 3 * Extra {
		c := s.connect()
		require.Equal(t, http.StatusServiceUnavailable, c.ask("/"))
		require.Zero(t, c.ask("/"), "closed")
	}
	s.hold <- struct{}{}
	s.idle(1)
	require.Equal(t, 200, s.connect().ask("/"))
}

// TestSilentConnectionsLockNobodyOut opens connections that send nothing, or
// half a header, and never end.
func TestSilentConnectionsLockNobodyOut(t *testing.T) {
	s := serve(t, 2, 0)
	for range 50 {
		s.connect()
		fmt.Fprint(s.connect(), "GET / HTTP/1.1\r\nX-Slow: ")
		require.Equal(t, 200, s.connect().ask("/"))
	}
	open, _ := s.counts()
	require.LessOrEqual(t, open, 2+Extra)
}

func TestNewConnectionsHaveTimeForTheirRequest(t *testing.T) {
	s := serve(t, 2, time.Hour)
	first, second := s.connect(), s.connect()
	require.Eventually(t, func() bool { open, _ := s.counts(); return open == 2 }, 10*time.Second, time.Millisecond)
	third := s.connect()
	require.Eventually(t, func() bool { open, _ := s.counts(); return open == 3 }, 10*time.Second, time.Millisecond)
	require.Equal(t, 200, first.ask("/"))
	require.Equal(t, 200, second.ask("/"))
	s.idle(2)
	require.Equal(t, 200, third.ask("/"), "served, since another is idle by now")
}

// TestRequestOfWhoGaveWayIsNotDone lets a connection give way when its next
// request is on its way already: done unseen, it would be done twice.
func TestRequestOfWhoGaveWayIsNotDone(t *testing.T) {
	b := &crowd{options: Options{Max: 1, Log: slog.New(slog.DiscardHandler)}, open: map[*conn]struct{}{}, stall: time.Hour}
	ours, theirs := net.Pipe()
	t.Cleanup(func() { theirs.Close() })
	first := b.add(ours)
	require.True(t, b.begin(first))
	b.changed(first, http.StateIdle)
	other, theirOther := net.Pipe()
	t.Cleanup(func() { theirOther.Close() })
	second := b.add(other)
	require.False(t, b.begin(first))
	require.True(t, b.begin(second))
	require.Equal(t, 1, b.served)
}

func TestHundredsOfShortClients(t *testing.T) {
	s := serve(t, 4, stall)
	results := make(chan int, 300)
	for range 300 {
		go func() {
			for {
				c, err := net.Dial("tcp", s.addr)
				if err != nil {
					results <- -1
					return
				}
				c.SetDeadline(time.Now().Add(20 * time.Second))
				fmt.Fprint(c, "GET / HTTP/1.1\r\nHost: x\r\n\r\n")
				answer, err := http.ReadResponse(bufio.NewReader(c), nil)
				c.Close()
				if err == nil && answer.StatusCode == 200 {
					results <- 200
					return
				}
			}
		}()
	}
	for range 300 {
		require.Equal(t, 200, <-results)
	}
}
