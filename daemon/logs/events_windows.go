package logs

import (
	"fmt"
	"io"

	"golang.org/x/sys/windows/svc/eventlog"
)

// events writes what eventLine makes to the event log, with the numbers that
// kardianos/service registers the source for.
type events struct{ log *eventlog.Log }

func openEvents(source string) (io.WriteCloser, error) {
	log, err := eventlog.Open(source)
	if err != nil {
		return nil, fmt.Errorf("open the event log: %w", err)
	}
	return events{log}, nil
}

func (e events) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	text := string(p[1:])
	if p[0] <= '3' {
		return len(p), e.log.Error(3, text)
	}
	return len(p), e.log.Warning(2, text)
}

func (e events) Close() error { return e.log.Close() }
