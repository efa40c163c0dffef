package agent

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// fakeService answers an agent in place of the service: texts are English where
// nobody says otherwise, and a translation is the text with marks. A text of hold waits until free.
type fakeService struct {
	hold string
	in   api.Detection // what texts are in
	free chan struct{}

	pauses   chan string  // "/v1/pause" and "/v1/resume"
	language atomic.Value // string: the model's
	asked    atomic.Int64 // how often for that
}

// attach has the agent ask a fakeService.
func attach(t *testing.T, a *Agent) *fakeService {
	t.Helper()
	s := &fakeService{in: api.Detection{Language: "en", Confidence: 1}, free: make(chan struct{}), pauses: make(chan string, 8)}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/detect", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(api.DetectResponse{Detections: []api.Detection{s.in}})
	})
	mux.HandleFunc("POST /v1/translate", func(w http.ResponseWriter, r *http.Request) {
		var q api.TranslateRequest
		if json.NewDecoder(r.Body).Decode(&q) != nil {
			return
		}
		if q.Texts[0] == s.hold {
			select {
			case <-s.free:
			case <-r.Context().Done():
			}
		}
		w.Header().Set("Content-Type", api.TypeLines)
		_ = json.NewEncoder(w).Encode(api.StreamLine{Done: &api.TranslateResponse{
			Translations: []api.Translation{{Text: "¡" + q.Texts[0] + "!", From: q.From}},
		}})
	})
	mux.HandleFunc("GET /v1/languages", func(w http.ResponseWriter, _ *http.Request) {
		s.asked.Add(1)
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(api.LanguagesResponse{Languages: []api.Language{{Code: s.language.Load().(string)}}})
	})
	for _, route := range []string{"/v1/pause", "/v1/resume"} {
		mux.HandleFunc("POST "+route, func(w http.ResponseWriter, _ *http.Request) {
			s.pauses <- route
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte("{}"))
		})
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	a.opts.Client = api.NewClient(func(ctx context.Context) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "tcp", server.Listener.Addr().String())
	})
	return s
}

// wait does what others want done, as Run does, until cond holds.
func wait(t *testing.T, a *Agent, cond func() bool) {
	t.Helper()
	for limit := time.After(time.Minute); !cond(); {
		select {
		case f := <-a.inbox:
			f()
		case <-limit:
			require.Fail(t, "waited in vain")
		}
	}
}
