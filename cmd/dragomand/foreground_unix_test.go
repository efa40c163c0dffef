//go:build unix

package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody but a service manager keeps what a daemon says: in a container and at a
// terminal it is on stderr, and in a file for later.
func TestForegroundLogsToStderrAndAFile(t *testing.T) {
	h := newHome(t, "")
	p := h.launch().answering()
	h.eventually("the log", func() bool { return p.stderr.String() != "" })
	require.Regexp(t, `^\d{4}-\d\d-\d\dT\S+ INFO  Service is running `, p.stderr.String())
	p.stop()
	require.Equal(t, p.stderr.String(), h.read("state/log/dragomand.log"))
	require.Contains(t, p.stderr.String(), "Service is stopping")
	if _, err := os.Stat("/run/systemd/system"); err != nil {
		require.Equal(t, p.stderr.String(), h.succeeds("service", "logs"))
	}
}

// The service is worth more than its log.
func TestLogThatCannotBeWritten(t *testing.T) {
	h := newHome(t, "")
	h.write("state/log", "a file in the place of the folder")
	p := h.launch().answering()
	h.eventually("the complaint", func() bool { return len(p.complaints()) > 0 })
	p.stop()
	require.Len(t, p.complaints(), 1)
	require.Contains(t, p.complaints()[0], "the log is not complete")
	require.Contains(t, p.complaints()[0], h.path("state/log"))
}
