package api

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/ipc"
)

var pipes atomic.Int64

// testAddress returns a socket or a pipe that no daemon has.
func testAddress(t testing.TB) ipc.Address {
	if runtime.GOOS == "windows" {
		return ipc.PipeOf("api-test-" + strconv.Itoa(os.Getpid()) + "-" + strconv.FormatInt(pipes.Add(1), 10))
	}
	return ipc.Default(filepath.Join(t.TempDir(), "run"))
}

// server is a real HTTP server on a real socket or pipe.
type server struct {
	*Client
	address ipc.Address
	http    *http.Server

	mu    sync.Mutex
	conns map[net.Conn]bool
	gone  chan struct{} // told when a connection ends
}

const knockPath = "/knock"

// serve answers until the test ends. Its client is connected to it.
func serve(t testing.TB, h http.Handler) *server {
	t.Helper()
	s := &server{address: testAddress(t), conns: map[net.Conn]bool{}, gone: make(chan struct{}, 1)}
	s.Client = NewClient(func(ctx context.Context) (net.Conn, error) { return ipc.Dial(ctx, s.address) })
	mux := http.NewServeMux()
	mux.Handle("/", h)
	mux.HandleFunc(knockPath, func(http.ResponseWriter, *http.Request) {})
	s.http = &http.Server{Handler: mux, ConnState: s.watch}
	s.listen(t)
	return s
}

func (s *server) watch(c net.Conn, state http.ConnState) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch state {
	case http.StateNew:
		s.conns[c] = true
	case http.StateClosed:
		delete(s.conns, c)
		select {
		case s.gone <- struct{}{}:
		default:
		}
	}
}

func (s *server) open() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.conns)
}

func (s *server) listen(t testing.TB) {
	t.Helper()
	l, err := ipc.Listen(ipc.Options{Address: s.address})
	require.NoError(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = s.http.Serve(l)
	}()
	t.Cleanup(func() {
		require.NoError(t, s.http.Close())
		<-ended
	})
	s.knock(t)
}

// knock waits until the server answers: under wine the first connection to a
// pipe is lost.
func (s *server) knock(t testing.TB) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); ; {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		answer, err := s.Client.http.Do(must(http.NewRequestWithContext(ctx, http.MethodGet, "http://"+host+knockPath, nil)))
		cancel()
		if err == nil {
			_ = answer.Body.Close()
			return
		}
		require.True(t, time.Now().Before(end), "nobody answers: %v", err)
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func reply(w http.ResponseWriter, status int, kind string, value any) {
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(value)
}

// raw answers with a body as it stands.
func raw(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}
