package model

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func keyFolder(t *testing.T) string {
	t.Helper()
	dir := newFolder(t)
	writeJSON(t, dir, "generation_config.json", map[string]any{"num_beams": 1})
	write(t, dir, "model.safetensors", safetensorsOf(t, map[string]matrix{"a": {[]int{3}, ramp(3, 0)}}))
	return dir
}

func keyOf(t *testing.T, dir string) string {
	t.Helper()
	key, err := open(t, dir).ContentKey(t.Context())
	require.NoError(t, err)
	return key
}

// The key is written out once more here, so that it cannot change unnoticed:
// that would throw away every user's compiled models.
func TestContentKeyIsWhatItSays(t *testing.T) {
	dir := keyFolder(t)
	var all strings.Builder
	all.WriteString("dragoman checkpoint 1\n")
	for _, name := range []string{"config.json", "generation_config.json", "model.safetensors"} {
		data := read(t, dir, name)
		all.Write([]byte{byte(len(name)), 0, 0, 0, 0, 0, 0, 0})
		all.WriteString(name)
		all.Write([]byte{byte(len(data)), byte(len(data) >> 8), 0, 0, 0, 0, 0, 0})
		all.Write(data)
	}
	sum := sha256.Sum256([]byte(all.String()))
	require.Equal(t, hex.EncodeToString(sum[:]), keyOf(t, dir))
}

func TestContentKeyFollowsContentAlone(t *testing.T) {
	dir, twin := keyFolder(t), keyFolder(t)
	key := keyOf(t, dir)
	require.Equal(t, key, keyOf(t, twin), "the folder does not matter")
	write(t, twin, "vocab.json", []byte("{}"))
	require.NoError(t, os.Chtimes(filepath.Join(twin, "model.safetensors"), time.Time{}, time.Unix(1, 0)))
	require.Equal(t, key, keyOf(t, twin), "other files and times do not matter")

	seen := map[string]bool{key: true}
	for _, name := range []string{"config.json", "generation_config.json", "model.safetensors"} {
		changed := keyFolder(t)
		data := read(t, changed, name)
		if name == "model.safetensors" {
			data[len(data)-1] ^= 1
		} else {
			data = append(data, ' ')
		}
		write(t, changed, name, data)
		k := keyOf(t, changed)
		require.False(t, seen[k], "%s", name)
		seen[k] = true
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "generation_config.json")))
	require.False(t, seen[keyOf(t, dir)])
}

func TestContentKeyCoversShards(t *testing.T) {
	keys := make(map[string]bool)
	for _, first := range []float32{0, 1} {
		dir := writeShards(t, formats[0],
			safetensorsOf(t, map[string]matrix{"a": {[]int{2}, ramp(2, 0)}}),
			safetensorsOf(t, map[string]matrix{"b": {[]int{2}, ramp(2, first)}}),
			map[string]any{"weight_map": map[string]string{"a": shardName(1, 2, "bin"), "b": shardName(2, 2, "bin")}})
		keys[keyOf(t, dir)] = true
	}
	require.Len(t, keys, 2)
}

func TestContentKeyStopsWithItsContext(t *testing.T) {
	c := open(t, keyFolder(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := c.ContentKey(ctx)
	require.ErrorIs(t, err, context.Canceled)
	_, err = c.CachedContentKey(ctx, t.TempDir())
	require.ErrorIs(t, err, context.Canceled)
}

func TestContentKeyOfAChangedFileIsAnError(t *testing.T) {
	dir := keyFolder(t)
	c := open(t, dir)
	require.NoError(t, os.Chtimes(filepath.Join(dir, "model.safetensors"), time.Time{}, time.Unix(1, 0)))
	_, err := c.ContentKey(t.Context())
	require.ErrorContains(t, err, "changed after it was opened")
	cache := t.TempDir()
	_, err = c.CachedContentKey(t.Context(), cache)
	require.ErrorContains(t, err, "model.safetensors")
	require.NoFileExists(t, filepath.Join(cache, keyCacheFile))
}

func TestStampFollowsFiles(t *testing.T) {
	dir := keyFolder(t)
	weights := filepath.Join(dir, "model.safetensors")
	first := open(t, dir)
	require.Equal(t, first.Stamp(), first.Stamp())
	require.Equal(t, first.Stamp(), open(t, dir).Stamp())
	seen := map[string]bool{first.Stamp(): true}
	for _, change := range []func(){
		func() { require.NoError(t, os.Chtimes(weights, time.Time{}, time.Unix(1, 1))) },
		func() { require.NoError(t, os.Chtimes(weights, time.Time{}, time.Unix(1, 1001))) },
		func() { write(t, dir, "config.json", append(read(t, dir, "config.json"), ' ')) },
		func() { require.NoError(t, os.Remove(filepath.Join(dir, "generation_config.json"))) },
	} {
		require.NoError(t, first.Close())
		change()
		first = open(t, dir)
		require.False(t, seen[first.Stamp()])
		seen[first.Stamp()] = true
	}
}

func TestCachedContentKey(t *testing.T) {
	dir, cache := keyFolder(t), t.TempDir()
	c := open(t, dir)
	want, err := c.ContentKey(t.Context())
	require.NoError(t, err)
	ask := func(c *Checkpoint, cache string) string {
		t.Helper()
		got, err := c.CachedContentKey(t.Context(), cache)
		require.NoError(t, err)
		return got
	}
	require.Equal(t, want, ask(c, cache))
	entries, err := os.ReadDir(cache)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file is left")

	// A planted key shows that nothing is hashed again.
	planted := strings.Repeat("ab", 32)
	plant := func(stamp, key string) {
		writeJSON(t, cache, keyCacheFile, keyCache{Version: 1, Keys: []rememberedKey{{"other", planted}, {stamp, key}}})
	}
	plant(c.Stamp(), planted)
	require.Equal(t, planted, ask(open(t, dir), cache))

	plant("stamp of another state", planted)
	require.Equal(t, want, ask(c, cache))
	require.Equal(t, want, ask(c, cache))
	var kept keyCache
	require.NoError(t, json.Unmarshal(read(t, cache, keyCacheFile), &kept))
	require.Equal(t, []rememberedKey{{"other", planted}, {"stamp of another state", planted}, {c.Stamp(), want}}, kept.Keys)

	plant(c.Stamp(), "not a key")
	require.Equal(t, want, ask(c, cache))
	for _, content := range []string{"", "{", "[]", `{"version":2,"keys":[{"stamp":"` + c.Stamp() + `","key":"` + planted + `"}]}`} {
		write(t, cache, keyCacheFile, []byte(content))
		require.Equal(t, want, ask(c, cache), "cache file holds %q", content)
	}

	missing := filepath.Join(cache, "missing")
	require.Equal(t, want, ask(c, missing))
	require.FileExists(t, filepath.Join(missing, keyCacheFile), "a machine's first start remembers too")
	require.Equal(t, want, ask(c, ""))
	require.NoFileExists(t, keyCacheFile, "no folder is not the current folder")
	require.Equal(t, want, ask(c, filepath.Join(dir, "config.json")), "a file instead of a folder")

	// A folder in the file's place can be neither read nor replaced, for
	// whichever user the test runs.
	blocked := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(blocked, keyCacheFile, "x"), 0o755))
	require.Equal(t, want, ask(c, blocked))
	entries, err = os.ReadDir(blocked)
	require.NoError(t, err)
	require.Len(t, entries, 1, "no temporary file is left")
}

func TestKeyCacheForgetsTheOldest(t *testing.T) {
	var k keyCache
	for i := range maxRemembered + 3 {
		k.add(strings.Repeat("s", i+1), strings.Repeat("00", 32))
	}
	require.Len(t, k.Keys, maxRemembered)
	_, ok := k.find("sss")
	require.False(t, ok)
	_, ok = k.find("ssss")
	require.True(t, ok)
}
