package libretranslate

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// serve runs a real server on the loopback.
func serve(t *testing.T, h *Handler, change func(*http.Server)) string {
	t.Helper()
	listener, err := Listen("127.0.0.1:0")
	require.NoError(t, err)
	server := h.Server()
	if change != nil {
		change(server)
	}
	done := make(chan error, 1)
	bound := h.Bound(server, listener)
	go func() { done <- server.Serve(bound) }()
	t.Cleanup(func() {
		require.NoError(t, server.Close())
		require.ErrorIs(t, <-done, http.ErrServerClosed)
	})
	return listener.Addr().String()
}

func TestListenRefusesTheNetwork(t *testing.T) {
	for _, address := range []string{":5000", "0.0.0.0:0", "[::]:0", "192.168.1.1:0", "example.org:0", "127.0.0.1", "", "[::ffff:10.0.0.1]:0"} {
		_, err := Listen(address)
		require.Error(t, err, address)
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0", "127.0.0.2:0"} {
		listener, err := Listen(address)
		require.NoError(t, err, address)
		require.True(t, listener.Addr().(*net.TCPAddr).IP.IsLoopback())
		_, err = Listen(listener.Addr().String())
		require.ErrorContains(t, err, "libretranslate.address", "taken")
		require.NoError(t, listener.Close())
	}
}

func TestSlowClientIsLeft(t *testing.T) {
	h, _, _ := setup(t, nil)
	for name, sent := range map[string]string{
		"header": "POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: ",
		"body":   "POST /translate HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{\"q\": \"",
	} {
		t.Run(name, func(t *testing.T) {
			address := serve(t, h, func(s *http.Server) {
				require.Positive(t, s.ReadHeaderTimeout)
				require.Positive(t, s.IdleTimeout)
				require.Positive(t, s.WriteTimeout)
				s.ReadHeaderTimeout, s.ReadTimeout = 50*time.Millisecond, 50*time.Millisecond
			})
			conn, err := net.Dial("tcp", address)
			require.NoError(t, err)
			defer conn.Close()
			_, err = conn.Write([]byte(sent))
			require.NoError(t, err)
			_, err = io.Copy(io.Discard, conn) // until the server hangs up
			if err != nil {
				require.ErrorContains(t, err, "reset")
			}
		})
	}
	require.Empty(t, h.slots, "and holds no place")
}

// Work may take longer than a client may take to send its request.
func TestLongWorkOutlivesTheReadTime(t *testing.T) {
	h, backend, _ := setup(t, nil)
	backend.block, backend.begun = make(chan struct{}), make(chan struct{}, 1)
	address := serve(t, h, func(s *http.Server) { s.ReadTimeout, s.WriteTimeout = 100*time.Millisecond, 100*time.Millisecond })
	go func() {
		<-backend.begun
		time.Sleep(300 * time.Millisecond) // both times are over: real time, as the network's deadlines are
		close(backend.block)
	}()
	response, err := http.Post("http://"+address+"/translate", "application/json",
		strings.NewReader(`{"q":"Hello","source":"en","target":"es","api_key":"`+testKey+`"}`))
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, 200, response.StatusCode)
	require.Contains(t, readAll(t, response.Body), "[es]Hello")
}

func TestTimeout(t *testing.T) {
	h, backend, _ := setup(t, func(o *Options) { o.Timeout = time.Millisecond })
	backend.block = make(chan struct{})
	status, body := postJSON(t, h, "/translate", object{"q": "Hello", "source": "en", "target": "es"})
	require.Equal(t, 504, status)
	require.NotEmpty(t, body.(object)["error"])
}

func TestTooManyAtOnce(t *testing.T) {
	h, backend, _ := setup(t, func(o *Options) { o.Concurrent = 2 })
	backend.block, backend.begun = make(chan struct{}), make(chan struct{}, 2)
	done := make(chan int, 2)
	body := `{"q":"Hello","source":"en","target":"es","api_key":"` + testKey + `"}`
	address := serve(t, h, nil)
	for range 2 {
		go func() {
			response, err := http.Post("http://"+address+"/translate", "application/json", strings.NewReader(body))
			if err != nil {
				done <- 0
				return
			}
			defer response.Body.Close()
			done <- response.StatusCode
		}()
	}
	<-backend.begun
	<-backend.begun
	response, err := http.Post("http://"+address+"/translate", "application/json", strings.NewReader(body))
	require.NoError(t, err)
	defer response.Body.Close()
	require.Equal(t, 503, response.StatusCode)
	require.Equal(t, "1", response.Header.Get("Retry-After"))
	health, err := http.Get("http://" + address + "/health")
	require.NoError(t, err)
	defer health.Body.Close()
	require.Equal(t, 200, health.StatusCode, "questions about the service are answered all the time")
	close(backend.block)
	require.Equal(t, 200, <-done)
	require.Equal(t, 200, <-done)
}

func TestClientThatLeavesStopsTheWork(t *testing.T) {
	h, backend, _ := setup(t, nil)
	backend.block, backend.begun = make(chan struct{}), make(chan struct{}, 1)
	address := serve(t, h, nil)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address+"/translate", strings.NewReader(`{"q":"Hello","source":"en","target":"es","api_key":"`+testKey+`"}`))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	go func() {
		<-backend.begun
		cancel()
	}()
	_, err = http.DefaultClient.Do(r)
	require.ErrorIs(t, err, context.Canceled)
	for range cap(h.slots) { // every place becomes free again
		h.slots <- struct{}{}
	}
}

func TestConnectionThatTriesKeysIsClosed(t *testing.T) {
	h, _, _ := setup(t, nil)
	address := serve(t, h, nil)
	conn, err := net.Dial("tcp", address)
	require.NoError(t, err)
	defer conn.Close()
	reader := bufio.NewReader(conn)
	try := func(key string) *http.Response {
		body := "q=Hello&source=en&target=es&api_key=" + key
		r, err := http.NewRequest(http.MethodPost, "http://"+address+"/translate", strings.NewReader(body))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		require.NoError(t, r.Write(conn))
		response, err := http.ReadResponse(reader, r)
		require.NoError(t, err)
		readAll(t, response.Body)
		return response
	}
	for range maxWrongKeys {
		require.Equal(t, 403, try("wrong").StatusCode)
	}
	response := try(testKey)
	require.Equal(t, 429, response.StatusCode, "even the right one")
	require.True(t, response.Close)
	_, err = reader.ReadByte()
	require.ErrorIs(t, err, io.EOF)
}

// TestIdleConnectionsGiveWay keeps as many connections as there may be, as
// browsers do, half of them without a word; another client is served at once.
func TestIdleConnectionsGiveWay(t *testing.T) {
	h, _, _ := setup(t, nil)
	address := serve(t, h, nil)
	for i := range maxConnections {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer c.Close()
		if i%2 == 0 {
			require.Equal(t, http.StatusOK, health(t, c))
		}
	}
	for range 10 {
		c, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer c.Close()
		require.Equal(t, http.StatusOK, health(t, c))
	}
}

// health asks on a connection and keeps it.
func health(t *testing.T, c net.Conn) int {
	t.Helper()
	require.NoError(t, c.SetDeadline(time.Now().Add(10*time.Second)))
	_, err := io.WriteString(c, "GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(c), nil)
	require.NoError(t, err)
	_, err = io.ReadAll(response.Body)
	require.NoError(t, err)
	return response.StatusCode
}
