package main

import (
	"context"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/fidelity"
	"dragoman/inference/model/hub"
)

// starterHub serves the starter as a hub's model own/small. Its large file
// comes slowly as long as slow is set.
type starterHub struct {
	*httptest.Server
	slow atomic.Bool
	sent atomic.Int64 // bytes of the large file
}

func newStarterHub(t *testing.T) *starterHub {
	commit := strings.Repeat("0c", 20)
	siblings := []map[string]any{}
	entries, err := os.ReadDir(starter())
	require.NoError(t, err)
	for _, entry := range entries {
		if !entry.Type().IsRegular() {
			continue
		}
		content, err := os.ReadFile(filepath.Join(starter(), entry.Name()))
		require.NoError(t, err)
		s := map[string]any{"rfilename": entry.Name(), "size": len(content), "blobId": fmt.Sprintf("%x", sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(content)), content...)))}
		if len(content) > 10<<20 {
			s["lfs"] = map[string]any{"sha256": fmt.Sprintf("%x", sha256.Sum256(content)), "size": len(content)}
		}
		siblings = append(siblings, s)
	}
	h := &starterHub{}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/models/own/small/revision/main", func(w http.ResponseWriter, r *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"sha": commit, "siblings": siblings})
	})
	mux.HandleFunc("GET /own/small/resolve/"+commit+"/{name}", func(w http.ResponseWriter, r *http.Request) {
		if r.PathValue("name") == "model.safetensors" {
			w = &slowWriter{w, r, h}
		}
		http.ServeFile(w, r, filepath.Join(starter(), r.PathValue("name")))
	})
	h.Server = httptest.NewServer(mux)
	t.Cleanup(h.Close)
	return h
}

// slowWriter holds the answer back after 8 MiB as long as its hub is slow.
type slowWriter struct {
	http.ResponseWriter
	request *http.Request
	hub     *starterHub
}

func (w *slowWriter) Write(p []byte) (int, error) {
	if n := w.hub.sent.Add(int64(len(p))); w.hub.slow.Load() && n > 8<<20 {
		<-w.request.Context().Done()
		return 0, io.ErrClosedPipe
	}
	return w.ResponseWriter.Write(p)
}

// newModelCommand is a machine with no model but the starter.
func newModelCommand(t *testing.T, hub string) *command {
	c := newCommand(t)
	dir := t.TempDir()
	c.env["DRAGOMAN_DATA"], c.env["DRAGOMAN_CONFIG"] = filepath.Join(dir, "data"), filepath.Join(dir, "config.toml")
	c.env["DRAGOMAN_MODEL"], c.env["DRAGOMAN_HUB"] = "", hub
	return c
}

// A model is pulled, twice interrupted, verified, used, and removed.
func TestModelFromHub(t *testing.T) {
	h := newStarterHub(t)
	c := newModelCommand(t, h.URL)
	models := filepath.Join(c.env["DRAGOMAN_DATA"], "models")
	h.slow.Store(true)
	for range 2 {
		h.sent.Store(0)
		before := hub.Partial(models, "small")
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		defer cancel()
		cmd := c.prepare(ctx, "models", "pull", "own/small")
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return hub.Partial(models, "small") > before+4<<20 }, patience, 20*time.Millisecond)
		require.NoError(t, cmd.Process.Kill())
		_ = cmd.Wait()
		require.NoDirExists(t, filepath.Join(models, "small"))
	}
	require.Regexp(t, `(?m)^ +small +\d+ MB fetched `, c.succeeds("models", "list"), "so that it can be removed")
	for _, command := range []string{"use", "pull"} {
		o := c.run("models", command, "small")
		require.Equal(t, exitInput, o.code)
		require.Contains(t, o.stderr, "`dragoman models pull OWNER/small`")
	}
	h.slow.Store(false)
	kept := hub.Partial(models, "small")
	h.sent.Store(0)
	out := c.succeeds("models", "pull", "own/small")
	require.Contains(t, out, "dragoman models use small")
	require.Less(t, h.sent.Load(), int64(88_000_000)-kept+20<<20, "what was here is not fetched again")

	require.Contains(t, c.succeeds("models", "verify", "small"), "whole")
	require.Regexp(t, `(?m)^ +small +here .* fetched from own/small$`, c.succeeds("models", "list"))
	manifest, err := hub.ReadManifest(filepath.Join(models, "small"))
	require.NoError(t, err)
	require.Equal(t, "own/small", manifest.Repository)
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--model", filepath.Join(models, "small"), "--from", "en", "--to", "de", "--text", "The house is big."))

	require.NoError(t, os.WriteFile(filepath.Join(models, "small", "vocab.json"), []byte("{}"), 0o644))
	o := c.run("models", "verify", "small")
	require.Equal(t, exitInput, o.code)
	require.Contains(t, o.stderr, "vocab.json")
	require.Contains(t, o.stderr, "dragoman models remove small")
}

func TestModelImported(t *testing.T) {
	c := newModelCommand(t, "http://127.0.0.1:1") // nothing is to be fetched
	require.Regexp(t, `(?m)^\*?\s+m2m100_418M\s+1942 MB to fetch\s+100\s+about 630 MB`, c.succeeds("models", "list"))
	require.Contains(t, c.succeeds("models", "import", starter(), "--name", "mine"), "dragoman models use mine")
	c.succeeds("models", "use", "mine")
	require.Equal(t, "mine\n", c.succeeds("config", "get", "inference.model"))
	require.Regexp(t, `(?m)^\*\s+mine\s+here`, c.succeeds("models", "list"))
	require.Contains(t, c.succeeds("models", "info", "mine"), filepath.Join(c.env["DRAGOMAN_DATA"], "models", "mine"))
	require.Equal(t, "Das Haus ist groß.\n", c.succeeds("translate", "--local", "--from", "en", "--to", "de", "--text", "The house is big."))

	for _, test := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"models", "import", starter(), "--name", "mine"}, exitFailed, "dragoman models remove mine"},
		{[]string{"models", "import", starter(), "--name", "../mine"}, exitUsage, "--name"},
		{[]string{"models", "import", c.dir, "--name", "empty"}, exitInput, "config.json"},
		{[]string{"models", "remove", "mine"}, exitInput, "in use"},
		{[]string{"models", "use", "m2m100_418M"}, exitInput, "dragoman models pull m2m100_418M"},
		{[]string{"models", "use", "none"}, exitInput, `no model is called "none"`},
		{[]string{"models", "pull", "none"}, exitInput, "m2m100_418M"},
		{[]string{"models"}, exitOK, ""},
		{[]string{"models", "pul"}, exitUsage, "models pull"},
		{[]string{"models", "verify"}, exitUsage, "name"},
	} {
		o := c.run(test.args...)
		require.Equal(t, test.code, o.code, "%v: %s", test.args, o.stderr)
		require.Contains(t, o.stderr, test.says, "%v", test.args)
	}
	c.succeeds("config", "unset", "inference.model")
	require.Equal(t, "Removed model mine\n", c.succeeds("models", "remove", "mine"))
	require.NotContains(t, c.succeeds("models", "list"), "mine")
}

// What comes with dragoman has no manifest: the catalogue has its checksums.
func TestModelOfThePackagesVerified(t *testing.T) {
	c := newModelCommand(t, "http://127.0.0.1:1")
	place := filepath.Join(c.env["DRAGOMAN_DATA"], "models", "starter")
	require.NoError(t, os.MkdirAll(filepath.Dir(place), 0o755))
	require.NoError(t, os.CopyFS(place, os.DirFS(starter())))
	require.Equal(t, "Model starter can be read, and 7 files of it have the checksums that dragoman knows\n", c.succeeds("models", "verify", "starter"))
	require.NoError(t, os.WriteFile(filepath.Join(place, "generation_config.json"), []byte("{}"), 0o600))
	o := c.run("models", "verify", "starter")
	require.Equal(t, exitInput, o.code)
	require.Contains(t, o.stderr, "generation_config.json is missing or has changed")
}

func TestModelMeasured(t *testing.T) {
	c := newModelCommand(t, "http://127.0.0.1:1")
	c.succeeds("models", "import", starter(), "--name", "mine")
	require.NotContains(t, c.succeeds("models", "info", "mine"), "Fidelity")
	line := c.succeeds("models", "measure", "mine")
	require.Regexp(t, `^int8 weights: \d+ of 48 translations as with float weights, chrF \d+\.\d between them \(en to de, fr, es, \d{4}-\d\d-\d\d\)\n$`, line)
	require.Regexp(t, `Fidelity +`+regexp.QuoteMeta(line), c.succeeds("models", "info", "mine"))
	o := c.run("models", "measure", "mine", "--weights", "int9")
	require.NotEqual(t, exitOK, o.code)
	require.Contains(t, o.stderr, "int9")
	// What cannot be kept is not measured.
	require.NoError(t, os.WriteFile(filepath.Join(c.env["DRAGOMAN_DATA"], "models", "mine", fidelity.Name), []byte("{"), 0o644))
	o = c.run("models", "measure", "mine")
	require.Equal(t, exitSetup, o.code)
	require.Empty(t, o.stdout)
	require.Contains(t, o.stderr, fidelity.Name)
	o = c.run("models", "measure", "m2m100_418M")
	require.Equal(t, exitInput, o.code)
	require.Contains(t, o.stderr, "dragoman models pull m2m100_418M")
}
