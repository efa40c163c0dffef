package daemon

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"dragoman/daemon/api"
)

const (
	// calm is the least time between two snapshots of one stream: while a
	// thousand files are done, nobody can read a thousand menus.
	calm = 200 * time.Millisecond
	// heartbeat finds out that a client is gone.
	heartbeat = time.Minute
)

// handleEvents streams events (server-sent events, WHATWG HTML 9.2).
func (d *Daemon) handleEvents(w http.ResponseWriter, r *http.Request) (answer, error) {
	seen, _ := strconv.ParseUint(r.Header.Get("Last-Event-ID"), 10, 64) // none or unknown is 0
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Time{})
	w.Header().Set("Content-Type", api.TypeEvents)
	w.Header().Set("Cache-Control", "no-store")
	for ctx := r.Context(); ; {
		missed, revision := d.events.since(seen)
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		for _, e := range missed {
			if err := writeEvent(w, e); err != nil {
				return nil, errAnswered
			}
		}
		snapshot := d.snapshot(revision)
		if err := writeEvent(w, api.Event{ID: revision, Snapshot: &snapshot}); err != nil {
			return nil, errAnswered
		}
		if control.Flush() != nil || d.rest(ctx, w, control, revision) != nil {
			return nil, errAnswered
		}
		seen = revision
	}
}

// rest waits for something new, at least calm.
func (d *Daemon) rest(ctx context.Context, w http.ResponseWriter, control *http.ResponseController, revision uint64) error {
	select {
	case <-time.After(calm):
	case <-ctx.Done():
		return ctx.Err()
	}
	for {
		beat, cancel := context.WithTimeout(ctx, heartbeat)
		err := d.events.wait(beat, revision)
		cancel()
		if err == nil || ctx.Err() != nil {
			return err
		}
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		if _, err := fmt.Fprint(w, ":\n\n"); err != nil {
			return err
		}
		if err := control.Flush(); err != nil {
			return err
		}
	}
}

func writeEvent(w http.ResponseWriter, e api.Event) error {
	name := "snapshot"
	switch {
	case e.Job != nil:
		name = "job"
	case e.Notice != nil:
		name = "notice"
	}
	data, err := json.Marshal(e)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "id: %d\nevent: %s\ndata: %s\n\n", e.ID, name, data)
	return err
}

func (d *Daemon) handleStatus(http.ResponseWriter, *http.Request) (answer, error) {
	s := d.snapshot(d.events.now())
	s.Telemetry = d.telemetry.Summary() // too much for each event
	return s, nil
}
