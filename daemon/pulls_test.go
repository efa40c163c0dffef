package daemon_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/model/randommodel"
	"dragoman/inference/openvino/ovtest"
)

// hubHere is a hub of the test's own, over real connections, that has a small random
// model under any name. What halves is, comes to half and then waits.
type hubHere struct {
	*httptest.Server
	mu     sync.Mutex
	halves map[string]bool // by repository
	asked  []string
}

func newHub(t *testing.T) *hubHere {
	dir := t.TempDir()
	require.NoError(t, randommodel.Write(dir, randommodel.Shape{
		DModel: 64, EncoderLayers: 1, DecoderLayers: 1, Heads: 1, FFN: 64, Vocabulary: 24109, MaxPositions: 64,
	}, 1))
	require.NoError(t, randommodel.CopyTokenizer(dir, filepath.Join(ovtest.Root(), "assets", "starter")))
	h := &hubHere{halves: map[string]bool{}}
	const commit = "0123456789012345678901234567890123456789"
	h.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.mu.Lock()
		h.asked = append(h.asked, r.URL.Path)
		h.mu.Unlock()
		if list, ok := strings.CutPrefix(r.URL.Path, "/api/models/"); ok && !strings.HasPrefix(list, "no/") {
			entries, _ := os.ReadDir(dir)
			var files []map[string]any
			for _, e := range entries {
				content, _ := os.ReadFile(filepath.Join(dir, e.Name()))
				files = append(files, map[string]any{"rfilename": e.Name(), "lfs": map[string]any{"sha256": fmt.Sprintf("%x", sha256.Sum256(content)), "size": len(content)}})
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"sha": commit, "siblings": files})
			return
		}
		repository, name, found := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/resolve/"+commit+"/")
		content, err := os.ReadFile(filepath.Join(dir, name))
		if !found || err != nil {
			http.NotFound(w, r)
			return
		}
		h.mu.Lock()
		half := h.halves[repository] && name == "model.safetensors"
		h.mu.Unlock()
		if half {
			w.Header().Set("Content-Length", fmt.Sprint(len(content)))
			_, _ = w.Write(content[:len(content)/2])
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
			return
		}
		http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	}))
	t.Cleanup(h.Close)
	return h
}

func (h *hubHere) half(repository string, is bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.halves[repository] = is
}

func (h *hubHere) requests() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return len(h.asked)
}

// pulled waits until a snapshot says something of a pull.
func (s *service) pulled(id int64, is func(api.Pull) bool) (found api.Pull) {
	s.until(func(now api.Snapshot) bool {
		for _, p := range now.Pulls {
			if p.ID == id && is(p) {
				found = p
				return true
			}
		}
		return false
	})
	return found
}

// Models are fetched side by side while the service goes on, each can be ended, and
// what came of it is not fetched again.
func TestPullsOverTheAPI(t *testing.T) {
	h := newHub(t)
	paths := newPaths(t)
	require.NoError(t, os.WriteFile(paths.ConfigFile, fmt.Appendf(nil, "[models]\nhub = %q\nallowed = [%q, \"one\", \"two\", \"none\"]\n", h.URL, paths.Model), 0o600))
	s := start(t, paths).warm()
	require.Zero(t, h.requests(), "nothing is fetched unasked")

	h.half("some/one", true)
	one, err := s.Pull(t.Context(), api.PullRequest{Model: "some/one"})
	require.NoError(t, err)
	require.Equal(t, api.PullRunning, one.State)
	two, err := s.Pull(t.Context(), api.PullRequest{Model: "some/two"})
	require.NoError(t, err)

	done := s.pulled(two.ID, func(p api.Pull) bool { return p.State != api.PullRunning })
	require.Equal(t, api.PullDone, done.State, done.Message)
	require.Equal(t, done.Total, done.Done)
	require.FileExists(t, filepath.Join(paths.ModelsDir(), "two", "model.safetensors"))

	running := s.pulled(one.ID, func(p api.Pull) bool { return p.Total > 0 && p.Done >= p.Total/3 })
	require.Less(t, running.Done, running.Total)
	require.NotEmpty(t, s.translate("en", "de", "The house is big.").Text, "texts go on")
	_, err = s.Pull(t.Context(), api.PullRequest{Model: "some/one"})
	require.ErrorIs(t, err, api.ErrConflict)

	require.NoError(t, s.CancelPull(t.Context(), one.ID))
	s.pulled(one.ID, func(p api.Pull) bool { return p.State == api.PullCancelled })
	require.NoDirExists(t, filepath.Join(paths.ModelsDir(), "one"))
	require.ErrorIs(t, s.CancelPull(t.Context(), one.ID), api.ErrConflict)
	require.ErrorIs(t, s.CancelPull(t.Context(), 99), api.ErrNotFound)

	// The end of the service ends a pull, which goes on with the next.
	again, err := s.Pull(t.Context(), api.PullRequest{Model: "some/one"})
	require.NoError(t, err)
	s.pulled(again.ID, func(p api.Pull) bool { return p.Done >= running.Done })
	require.NoError(t, s.stop())
	require.NoDirExists(t, filepath.Join(paths.ModelsDir(), "one"))

	h.half("some/one", false)
	s = start(t, paths).warm()
	last, err := s.Pull(t.Context(), api.PullRequest{Model: "some/one"})
	require.NoError(t, err)
	done = s.pulled(last.ID, func(p api.Pull) bool { return p.State != api.PullRunning })
	require.Equal(t, api.PullDone, done.State, done.Message)
	require.FileExists(t, filepath.Join(paths.ModelsDir(), "one", "model.safetensors"))

	failed, err := s.Pull(t.Context(), api.PullRequest{Model: "no/none"})
	require.NoError(t, err)
	ended := s.pulled(failed.ID, func(p api.Pull) bool { return p.State != api.PullRunning })
	require.Equal(t, api.PullFailed, ended.State)
	require.Contains(t, ended.Message, "does not have it")

	for name, code := range map[string]api.Code{"../one": api.CodeNotFound, "nothing": api.CodeNotFound, "starter": api.CodeNotFound, "m2m100_418M": api.CodeForbidden, "some/other": api.CodeForbidden} {
		_, err := s.Pull(t.Context(), api.PullRequest{Model: name})
		var p *api.Problem
		require.ErrorAs(t, err, &p, name)
		require.Equal(t, code, p.Code, name)
	}
	all, err := s.Pulls(t.Context())
	require.NoError(t, err)
	require.Len(t, all.Pulls, 2)
}
