package api

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEventsOfOneConnection(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Last-Event-ID") != "41" || r.Header.Get("Accept") != TypeEvents {
			return
		}
		raw(http.StatusOK, TypeEvents, "id: 42\nevent: job\ndata: {\"job\":{\"id\":7}}\n\n"+
			"id: 43\nevent: snapshot\ndata: {\"snapshot\":{\"state\":\"ready\"}}\n\n")(w, r)
	}))
	var got []Event
	err := s.Events(t.Context(), 41, func(e Event) error {
		got = append(got, e)
		return nil
	})
	require.NoError(t, err, "the stream ended in order")
	require.Equal(t, []Event{{ID: 42, Job: &Job{ID: 7}}, {ID: 43, Snapshot: &Snapshot{State: StateReady}}}, got)

	enough := errors.New("enough")
	err = s.Events(t.Context(), 41, func(Event) error { return enough })
	require.ErrorIs(t, err, enough)
}

func TestTheFirstConnectionNamesNoEvent(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, named := r.Header["Last-Event-Id"]; named {
			return
		}
		raw(http.StatusOK, TypeEvents, "")(w, r)
	}))
	require.NoError(t, s.Events(t.Context(), 0, func(Event) error { return nil }))
}

func TestTheEndOfAContextEndsEvents(t *testing.T) {
	ended := make(chan struct{})
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw(http.StatusOK, TypeEvents, "id: 1\ndata: {\"snapshot\":{}}\n\n")(w, r)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(ended)
	}))
	ctx, cancel := context.WithCancel(t.Context())
	err := s.Events(ctx, 0, func(Event) error {
		cancel()
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	<-ended
}

// The forms are those of WHATWG HTML 9.2.6.
func TestFormsOfEvents(t *testing.T) {
	const snapshot = `{"snapshot":{"state":"ready"}}`
	ready := &Snapshot{State: StateReady}
	for name, test := range map[string]struct {
		stream string
		want   []Event
		err    error
	}{
		"plain":                 {"id: 1\ndata: " + snapshot + "\n\n", []Event{{ID: 1, Snapshot: ready}}, io.EOF},
		"no space":              {"id:1\ndata:" + snapshot + "\n\n", []Event{{ID: 1, Snapshot: ready}}, io.EOF},
		"carriage returns":      {"id: 1\r\ndata: " + snapshot + "\r\n\r\n", []Event{{ID: 1, Snapshot: ready}}, io.EOF},
		"data in two lines":     {"data: {\"snapshot\":\ndata: {\"state\":\"ready\"}}\n\n", []Event{{Snapshot: ready}}, io.EOF},
		"comments and unknowns": {":\n\n: beat\nretry: 5\nid: 2\nfuture\ndata: " + snapshot + "\n\n", []Event{{ID: 2, Snapshot: ready}}, io.EOF},
		"an id is kept":         {"id: 3\n\ndata: " + snapshot + "\n\n", []Event{{ID: 3, Snapshot: ready}}, io.EOF},
		"an id that is none":    {"id: x\ndata: " + snapshot + "\n\n", []Event{{Snapshot: ready}}, io.EOF},
		"a later kind":          {"data: {\"weather\":1}\n\ndata: " + snapshot + "\n\n", []Event{{Snapshot: ready}}, io.EOF},
		"cut":                   {"id: 1\ndata: " + snapshot + "\n", nil, io.EOF},
		"no JSON":               {"data: " + secret + "\n\n", nil, nil},
		"too much":              {strings.Repeat("data: "+strings.Repeat("x", 1<<20)+"\n", 17), nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := eventReader{lines: bufio.NewReader(strings.NewReader(test.stream)), heard: func() {}}
			var got []Event
			e, err := r.next()
			for ; err == nil; e, err = r.next() {
				got = append(got, e)
			}
			require.Equal(t, test.want, got)
			if test.err != nil {
				require.ErrorIs(t, err, test.err)
			} else {
				require.NotErrorIs(t, err, io.EOF)
				require.NotContains(t, err.Error(), secret)
			}
		})
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("id: 1\ndata: {\"snapshot\":{\"state\":\"ready\"}}\n\n")
	f.Add(":\n\ndata\ndata: {}\r\n\r\nid\n")
	f.Fuzz(func(t *testing.T, stream string) {
		r := eventReader{lines: bufio.NewReader(strings.NewReader(stream)), heard: func() {}}
		for n := 0; ; n++ {
			e, err := r.next()
			if err != nil {
				return
			}
			require.True(t, e.Snapshot != nil || e.Job != nil || e.Notice != nil)
			require.LessOrEqual(t, n, len(stream), "more events than bytes")
		}
	})
}
