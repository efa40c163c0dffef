package api

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	"dragoman/internal/english"
)

const (
	// silence is how long a living daemon can say nothing; it sends a comment
	// each minute.
	silence = 3 * time.Minute
	// Follow waits between its attempts, twice as long after each failure.
	firstWait = time.Second
	lastWait  = time.Minute
)

var errSilent = fmt.Errorf("the service has said nothing for %s", english.Duration(silence))

// Events gives each event of one connection to each, beginning with what ended
// since the event lastID (0 for none) and a snapshot. It returns nil when the
// daemon ends the stream, as it does when it stops, and the error of each.
func (c *Client) Events(ctx context.Context, lastID uint64, each func(Event) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watchdog := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer watchdog.Stop()

	q := request{route: RouteEvents, want: TypeEvents, head: http.Header{}}
	if lastID > 0 {
		q.head.Set("Last-Event-ID", strconv.FormatUint(lastID, 10))
	}
	answer, err := c.ask(ctx, q)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	events := eventReader{lines: bufio.NewReader(answer.Body), heard: func() { watchdog.Reset(silence) }}
	for {
		e, err := events.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return q.explain(ctx, err)
		}
		if err := each(e); err != nil {
			return err
		}
	}
}

// Follow gives events to each until ctx ends. Where a connection ends it takes
// up where that was, after 1 to 60 s; where none can be made, or the daemon is
// silent, it says so by a Snapshot of StateStopped with the reason as its
// Message, once for each. What comes on again, which may be nil, has it try at once: that
// the daemon may be there by now. It never calls each from two goroutines.
func (c *Client) Follow(ctx context.Context, again <-chan struct{}, each func(Event)) {
	var lastID uint64
	wait, told := firstWait, "" // the reason, while stopped
	for {
		heard := false
		err := c.Events(ctx, lastID, func(e Event) error {
			heard, told, wait = true, "", firstWait
			lastID = e.ID
			each(e)
			return ctx.Err()
		})
		if ctx.Err() != nil {
			return
		}
		if !heard || errors.Is(err, errSilent) {
			if why := reason(err); why != told {
				told = why
				each(Event{Snapshot: &Snapshot{State: StateStopped, Message: why}})
			}
		}
		select {
		case <-time.After(wait):
			if !heard {
				wait = min(2*wait, lastWait)
			}
		case <-again:
			wait = firstWait
		case <-ctx.Done():
			return
		}
	}
}

func reason(err error) string {
	switch {
	case err == nil:
		return "the service ended the connection without a word"
	case errors.Is(err, ErrNotRunning):
		return ErrNotRunning.Error()
	}
	return err.Error()
}

// eventReader parses server-sent events (WHATWG HTML 9.2.6), in so far as the
// daemon sends them: lines end with a line feed.
type eventReader struct {
	lines *bufio.Reader
	heard func() // after each line
	id    uint64
}

// next returns the next event of a kind that is known here.
func (r *eventReader) next() (Event, error) {
	var data []byte
	for {
		line, err := readLine(r.lines)
		if err != nil {
			return Event{}, err // with an unfinished event, which counts for nothing
		}
		r.heard()
		if len(line) == 0 {
			e, known, err := r.parse(data)
			if known || err != nil {
				return e, err
			}
			data = nil
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) { // a comment has none; the data says of what kind it is
		case "data":
			if len(data)+len(value) > maxLine {
				return Event{}, fmt.Errorf("an event has more than %d MiB", maxLine>>20)
			}
			data = append(append(data, value...), '\n')
		case "id":
			if id, err := strconv.ParseUint(string(value), 10, 64); err == nil {
				r.id = id
			}
		}
	}
}

func (r *eventReader) parse(data []byte) (e Event, known bool, err error) {
	if len(data) == 0 {
		return Event{}, false, nil
	}
	if err := unmarshal(data, &e); err != nil {
		return Event{}, false, fmt.Errorf("read an event: %w", err)
	}
	e.ID = r.id
	return e, e.Snapshot != nil || e.Job != nil || e.Notice != nil, nil
}
