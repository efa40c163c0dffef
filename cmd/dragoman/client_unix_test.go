//go:build unix

package main

import (
	"context"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// listening is a place where something else than the service answers.
func listening(t *testing.T, c *command, handler http.HandlerFunc) {
	t.Helper()
	run, err := os.MkdirTemp("", "dragoman-run-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { os.RemoveAll(run) })
	c.env["DRAGOMAN_RUNTIME"] = run
	l, err := net.Listen("unix", filepath.Join(run, "api.sock"))
	require.NoError(t, err)
	server := &http.Server{Handler: handler}
	go server.Serve(l)
	t.Cleanup(func() { server.Close() })
}

// What a user reads when the service is not as it should be.
func TestErrorsOfTheConnection(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		prepare func(t *testing.T, c *command)
		code    int
		want    string
	}{
		"stale socket": {func(t *testing.T, c *command) {
			listening(t, c, nil)
			l, err := net.Listen("unix", filepath.Join(c.env["DRAGOMAN_RUNTIME"], "old"))
			require.NoError(t, err)
			l.(*net.UnixListener).SetUnlinkOnClose(false)
			require.NoError(t, l.Close())
			require.NoError(t, os.Rename(filepath.Join(c.env["DRAGOMAN_RUNTIME"], "old"), filepath.Join(c.env["DRAGOMAN_RUNTIME"], "api.sock")))
		}, exitNoService, "is not running"},
		"no socket": {func(t *testing.T, c *command) {
			c.env["DRAGOMAN_RUNTIME"] = c.dir
			c.write("api.sock", "")
		}, exitNoService, "is not running"},
		"another program": {func(t *testing.T, c *command) {
			listening(t, c, func(w http.ResponseWriter, _ *http.Request) { w.Write([]byte("hello")) })
		}, exitFailed, "another program or another version of dragoman listens there"},
		"hung up on": {func(t *testing.T, c *command) {
			listening(t, c, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		}, exitFailed, "does not serve this user"},
		"a path too long": {func(t *testing.T, c *command) {
			c.env["DRAGOMAN_RUNTIME"] = filepath.Join(c.dir, strings.Repeat("x", 80), strings.Repeat("x", 80))
		}, exitFailed, "DRAGOMAN_RUNTIME"},
		"a relative path": {func(t *testing.T, c *command) { c.env["DRAGOMAN_RUNTIME"] = "run" }, exitSetup, "DRAGOMAN_RUNTIME=run"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCommand(t)
			test.prepare(t, c)
			for _, args := range [][]string{{"status"}, {"folders", "list"}} {
				require.Contains(t, c.refused(test.code, args...), test.want)
			}
		})
	}
}

func TestServiceThatHangs(t *testing.T) {
	before := answerWait
	answerWait = 50 * time.Millisecond
	t.Cleanup(func() { answerWait = before })
	release := make(chan struct{})
	c := newCommand(t)
	listening(t, c, func(http.ResponseWriter, *http.Request) { <-release })
	t.Cleanup(func() { close(release) })
	client := api.NewClient(func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", filepath.Join(c.env["DRAGOMAN_RUNTIME"], "api.sock"))
	})
	require.ErrorContains(t, answers(t.Context(), client), "has not answered")
	t.Setenv("DRAGOMAN_RUNTIME", c.env["DRAGOMAN_RUNTIME"])
	_, err := reloadService(t.Context())
	require.ErrorContains(t, err, "has not answered", "config set does not wait for ever either")
	_, err = languageCodes(t.Context(), &options{})
	require.ErrorContains(t, err, "has not answered")
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	require.ErrorIs(t, answers(interrupted, client), context.Canceled)
}
