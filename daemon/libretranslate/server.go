package libretranslate

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"dragoman/daemon/crowd"
)

// How long a client may take. The work has Options.Timeout beside these.
const (
	headerTime = 5 * time.Second
	readTime   = 30 * time.Second
	writeTime  = 30 * time.Second
	idleTime   = time.Minute
	maxHeader  = 16 << 10 // bytes
)

// Server returns a server for the handler that a slow or silent client cannot
// hold, and that closes connections which try keys.
func (h *Handler) Server() *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTime,
		ReadTimeout:       readTime,
		WriteTimeout:      writeTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ConnContext:       countWrongKeys,
		ErrorLog:          slog.NewLogLogger(h.options.Log.Handler(), slog.LevelDebug),
	}
}

// Listen listens on an address of this machine's loopback, such as
// "127.0.0.1:5000", "[::1]:5000" or "localhost:5000", and refuses every other:
// texts and key would cross the network in the clear.
func Listen(address string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("listen for LibreTranslate clients: %q is not a host and a port, as in 127.0.0.1:5000", address)
	}
	if host == "localhost" {
		host = "127.0.0.1" // whatever the name leads to here
	}
	ip, err := netip.ParseAddr(host)
	if err != nil || !ip.IsLoopback() {
		return nil, fmt.Errorf("listen for LibreTranslate clients: %q is not an address of the loopback: use 127.0.0.1:%s", address, port)
	}
	listener, err := net.Listen("tcp", net.JoinHostPort(ip.String(), port))
	if err != nil {
		return nil, fmt.Errorf("listen for LibreTranslate clients on %s: %w; choose another port with libretranslate.address", address, err)
	}
	return listener, nil
}

// maxConnections are served at once. Without a bound they could use up the
// process's file descriptors.
const maxConnections = 64

// Bound returns the listener that server, one of Server's, is to serve: idle and
// silent connections give way to newcomers, whoever made them.
func (h *Handler) Bound(server *http.Server, listener net.Listener) net.Listener {
	return crowd.Bound(server, listener, crowd.Options{
		Max: maxConnections, Log: h.options.Log,
		Refused: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			h.refuse(w, r, failure{http.StatusServiceUnavailable, "too many requests are being answered: try again"})
		}),
	})
}
