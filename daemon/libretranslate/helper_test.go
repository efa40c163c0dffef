package libretranslate

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/language"
	"dragoman/watch/document/segment"
)

const testKey = "0123456789abcdef-key"

// fakeBackend stands in for the daemon: it "translates" by saying into what before
// each paragraph, and remembers what it was given.
type fakeBackend struct {
	codes []string
	err   error
	block chan struct{} // translating waits until it is closed
	begun chan struct{} // gets a value when translating begins
	newer int           // from so many texts on another model translates; 0 for never
	hides string        // a word that no translation has

	mu       sync.Mutex
	seen     []string
	detected []string // texts whose language was asked for
}

func newFakeBackend() *fakeBackend {
	return &fakeBackend{codes: strings.Fields("de en es fr it no pt zh")}
}

func (f *fakeBackend) Translate(ctx context.Context, texts []string, from, to string, others int) ([][]string, string, error) {
	if f.begun != nil {
		f.begun <- struct{}{}
	}
	if f.block != nil {
		select {
		case <-f.block:
		case <-ctx.Done():
			return nil, "", ctx.Err()
		}
	}
	if f.err != nil {
		return nil, "", f.err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	model := ""
	if f.newer > 0 && len(f.seen) >= f.newer {
		model = "new "
	}
	out := make([][]string, len(texts))
	for i, t := range texts {
		f.seen = append(f.seen, from+">"+to+":"+t)
		mark := "[" + model + to + "]"
		out[i] = []string{mark + strings.ReplaceAll(t, "\n\n", "\n\n"+mark)}
		if f.hides != "" {
			out[i][0] = strings.ReplaceAll(out[i][0], f.hides, "#")
		}
		for n := range min(others, 2) { // there are no more
			out[i] = append(out[i], strings.Repeat("also ", n+1)+out[i][0])
		}
	}
	return out, "model " + model, nil
}

func (f *fakeBackend) Detect(_ context.Context, text string) (string, float64, error) {
	f.mu.Lock()
	f.detected = append(f.detected, text)
	f.mu.Unlock()
	found := language.Detect(text, f.codes)
	return found.Language, found.Confidence, nil
}

func (f *fakeBackend) Languages(context.Context) ([]api.Language, error) {
	var all []api.Language
	for _, code := range f.codes {
		english, native := language.Names(code)
		all = append(all, api.Language{Code: code, Name: english, Native: native})
	}
	return all, nil
}

// setup returns a handler over a fake backend, with its log.
func setup(t *testing.T, change func(*Options)) (*Handler, *fakeBackend, *bytes.Buffer) {
	t.Helper()
	backend := newFakeBackend()
	log := &bytes.Buffer{}
	o := Options{Backend: backend, APIKey: testKey, Log: slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	if change != nil {
		change(&o)
	}
	h, err := New(o)
	require.NoError(t, err)
	t.Cleanup(h.Close)
	return h, backend, log
}

// request is one to path on 127.0.0.1, from no browser.
func request(method, path, contentType, body string) *http.Request {
	r := httptest.NewRequest(method, "http://127.0.0.1:5000"+path, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

// answer serves a request and decodes its JSON.
func answer(t *testing.T, h http.Handler, r *http.Request) (status int, body any) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	require.Equal(t, "application/json", w.Header().Get("Content-Type"), "%s", w.Body)
	require.NoError(t, json.Unmarshal(w.Body.Bytes(), &body), "%s", w.Body)
	return w.Code, body
}

// postJSON posts an object with the key in it.
func postJSON(t *testing.T, h http.Handler, path string, object map[string]any) (int, any) {
	t.Helper()
	if _, ok := object["api_key"]; !ok {
		object["api_key"] = testKey
	}
	body, err := json.Marshal(object)
	require.NoError(t, err)
	return answer(t, h, request(http.MethodPost, path, "application/json", string(body)))
}

func readAll(t *testing.T, r io.Reader) string {
	t.Helper()
	data, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(data)
}

func (b *fakeBackend) Align(context.Context, []segment.Pair, string, string) ([][]segment.Link, error) {
	return nil, segment.ErrNoAlignment
}
