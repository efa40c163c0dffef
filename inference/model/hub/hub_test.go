package hub

import (
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/model/catalogue"
)

// localHub is a hub of the test's own: no network is there. It speaks the part
// of the hub's protocol that is used, over real connections.
type localHub struct {
	*httptest.Server
	t *testing.T

	mu     sync.Mutex
	files  map[string][]byte // of large ones the hub has SHA-256, of others git's
	serve  map[string]*other
	asked  map[string][]string // Range headers by file
	commit string
}

const large = 1 << 20

func newLocalHub(t *testing.T) *localHub {
	weights := make([]byte, 3*large)
	r := rand.NewChaCha8([32]byte{1})
	r.Read(weights)
	h := &localHub{
		t: t, serve: map[string]*other{}, asked: map[string][]string{}, commit: strings.Repeat("ab", 20),
		files: map[string][]byte{
			"config.json": []byte(`{"model_type":"m2m_100"}`), "vocab.json": []byte(`{"a":0}`), "sentencepiece.bpe.model": []byte("pieces"),
			"README.md": []byte("not needed"), "model.safetensors": weights,
		},
	}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *localHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/api/models/some/model/revision/main" && r.URL.Query().Get("blobs") == "true" {
		if handler := h.handler("list"); handler != nil {
			handler(w, r)
			return
		}
		h.list(w)
		return
	}
	name, found := strings.CutPrefix(r.URL.Path, "/some/model/resolve/"+h.commit+"/")
	content, there := h.files[name]
	if !found || !there {
		http.NotFound(w, r)
		return
	}
	h.mu.Lock()
	h.asked[name] = append(h.asked[name], r.Header.Get("Range"))
	h.mu.Unlock()
	if handler := h.handler(name); handler != nil {
		handler(w, r)
		return
	}
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
}

// handler is who answers for a file instead of the hub, this time.
func (h *localHub) handler(name string) http.HandlerFunc {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.serve[name]
	if s == nil {
		return nil
	}
	if s.times--; s.times == 0 {
		delete(h.serve, name)
	}
	return s.answer
}

func (h *localHub) list(w http.ResponseWriter) {
	type sibling map[string]any
	var siblings []sibling
	for name, content := range h.files {
		s := sibling{"rfilename": name, "size": len(content), "blobId": fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...)))}
		if len(content) >= large {
			s["lfs"] = map[string]any{"sha256": fmt.Sprintf("%x", sha256.Sum256(content)), "size": len(content), "pointerSize": 130}
		}
		siblings = append(siblings, s)
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"sha": h.commit, "siblings": siblings})
}

// other is a handler for some requests.
type other struct {
	times  int
	answer http.HandlerFunc
}

// times lets a handler answer for a file the first n times, always does it until
// the end.
func (h *localHub) times(name string, n int, answer http.HandlerFunc) {
	h.serve[name] = &other{n, answer}
}

func (h *localHub) always(name string, answer http.HandlerFunc) { h.times(name, -1, answer) }

// asks returns how often a file was asked for, and the parts.
func (h *localHub) asks(name string) []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.asked[name]
}

func (h *localHub) options() Options {
	return Options{
		Hub: h.URL, Model: catalogue.Model{Name: "some", Repository: "some/model", Revision: "main"},
		Dir: filepath.Join(h.t.TempDir(), "models"), Stall: 10 * time.Second, Pause: time.Millisecond,
	}
}

// requireWhole checks the model's folder against the hub's files.
func (h *localHub) requireWhole(dir string) {
	h.t.Helper()
	for _, name := range []string{"config.json", "vocab.json", "sentencepiece.bpe.model", "model.safetensors"} {
		content, err := os.ReadFile(filepath.Join(dir, "some", name))
		require.NoError(h.t, err)
		require.True(h.t, bytes.Equal(h.files[name], content), name)
	}
	requireNothingBegun(h.t, dir)
}

func requireNothingBegun(t *testing.T, dir string) {
	t.Helper()
	begun, err := filepath.Glob(filepath.Join(dir, markPulling+"some", "*"))
	require.NoError(t, err)
	require.Empty(t, begun)
	part, err := filepath.Glob(filepath.Join(dir, "some", "*"+partSuffix))
	require.NoError(t, err)
	require.Empty(t, part)
}
