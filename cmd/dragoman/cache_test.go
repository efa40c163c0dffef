package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

func listCache(t *testing.T, c *command) (content jsonCache) {
	t.Helper()
	out := c.run("cache", "list", "--json")
	require.Equal(t, exitOK, out.code, out.stderr)
	require.NoError(t, json.Unmarshal([]byte(out.stdout), &content))
	return content
}

func TestCache(t *testing.T) {
	c := newCommand(t)
	cache := filepath.Join(t.TempDir(), "cache")
	c.env["DRAGOMAN_CACHE"] = cache
	require.Equal(t, jsonCache{Folder: cache, Prepared: []jsonPrepared{}, Compiled: []jsonCompiled{}}, listCache(t, c))
	require.NoDirExists(t, cache, "looking leaves nothing behind")

	// Of f32 there are two compiled graphs on every processor.
	out := c.run("cache", "warm", "--weights", "f32")
	require.Equal(t, exitOK, out.code, out.stderr)
	require.Contains(t, out.stdout, "the encoder on CPU")
	require.Contains(t, out.stdout, "NPU", "why it is not on a better one")
	content := listCache(t, c)
	require.Len(t, content.Prepared, 1)
	require.Len(t, content.Compiled, 2)
	for _, compiled := range content.Compiled {
		require.Equal(t, "starter", compiled.About.Model)
		require.Equal(t, "CPU", compiled.About.Device)
		require.Equal(t, content.Prepared[0].Name, compiled.About.Prepared)
	}
	out = c.run("cache", "list")
	require.Contains(t, out.stdout, "encoder.xml")
	require.Contains(t, out.stdout, content.Prepared[0].Name)
	out = c.run("cache", "verify")
	require.Equal(t, exitOK, out.code)
	require.Contains(t, out.stdout, "3 parts read")
	require.Contains(t, c.run("cache", "prune").stdout, "0.0 MB removed", "all of it may be used")

	files, err := filepath.Glob(filepath.Join(cache, "blobs", "*.blob"))
	require.NoError(t, err)
	for _, path := range []string{files[0], filepath.Join(cache, "graphs", content.Prepared[0].Name, "weights.bin")} {
		f, err := os.OpenFile(path, os.O_RDWR, 0)
		require.NoError(t, err)
		_, err = f.WriteAt([]byte("changed"), 5000)
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	out = c.run("cache", "verify")
	require.Equal(t, exitFailed, out.code)
	require.Contains(t, out.stdout, "weights.bin")
	require.Contains(t, out.stdout, "2 damaged")
	content = listCache(t, c)
	require.Equal(t, 1, content.Doubtful)
	require.Empty(t, content.Prepared, "it is prepared anew when it is needed")
	out = c.run("cache", "prune", "--dry-run")
	require.Contains(t, out.stdout, "would be removed")
	require.Equal(t, content, listCache(t, c))
	out = c.run("cache", "prune")
	require.Contains(t, out.stdout, "its model is not prepared any more")
	require.Contains(t, out.stdout, "they were damaged or refused")
	require.Empty(t, listCache(t, c).Compiled)
	require.Equal(t, exitOK, c.run("cache", "warm", "--weights", "f32").code, "all is made anew")
	require.Len(t, listCache(t, c).Compiled, 2)
	require.Equal(t, exitOK, c.run("cache", "prune", "--all").code)
	require.Zero(t, listCache(t, c).Bytes)
}

func TestCacheWarmRefuses(t *testing.T) {
	c := newCommand(t)
	require.Equal(t, exitUsage, c.run("cache", "warm", "--platform", "4001").code)
	require.Equal(t, exitUsage, c.run("cache", "warm", "--json").code)
	if runtime.GOOS != "linux" {
		return // the runtime has the compiler
	}
	out := c.run("cache", "warm", "--platform", "4000")
	require.Equal(t, exitSetup, out.code)
	require.Contains(t, out.stderr, "brings the compiler")
	require.Contains(t, out.stderr, "dragoman runtime install --from FILE")
}
