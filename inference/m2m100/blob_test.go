package m2m100

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/blob"
)

// storedGraphs is how many blobs translateBoth makes: two buckets of the
// encoder and the decoder.
const storedGraphs = 3

// Two sources of different buckets.
var shortSource, longSource = func() (short, long []int32) {
	short = []int32{24019, 6042, 561, 14381, 23898, 2}
	for range 8 {
		long = append(long, short[:5]...)
	}
	return short, append(long, 2)
}()

const spanish = 24020

// translateBoth opens the starter on static graphs with the store and returns
// what it makes of the two sources.
func translateBoth(t *testing.T, store *blob.Store) [][]int32 {
	t.Helper()
	e := openStarterWith(t, "int8", CPUStatic, store)
	var all [][]int32
	for _, source := range [][]int32{shortSource, longSource} {
		g, err := e.Generate(t.Context(), Interactive, source, spanish)
		require.NoError(t, err)
		require.NotEmpty(t, g.Tokens)
		all = append(all, g.Tokens)
	}
	return all
}

func blobFiles(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.blob"))
	require.NoError(t, err)
	return files
}

func TestStoredGraphsTranslateTheSame(t *testing.T) {
	dir := t.TempDir()
	want := translateBoth(t, nil)
	first := blob.Open(dir, blob.Options{})
	require.Equal(t, want, translateBoth(t, first))
	require.Equal(t, storedGraphs, first.Stats().Misses)
	second := blob.Open(dir, blob.Options{})
	require.Equal(t, want, translateBoth(t, second))
	require.Equal(t, storedGraphs, second.Stats().Hits)
	require.Zero(t, second.Stats().Misses)
}

func TestDamagedBlobsAreCompiledAnew(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, files []string){
		"one byte": func(t *testing.T, files []string) {
			f, err := os.OpenFile(files[0], os.O_RDWR, 0)
			require.NoError(t, err)
			defer f.Close()
			b := make([]byte, 1)
			_, err = f.ReadAt(b, 100_000)
			require.NoError(t, err)
			b[0] ^= 1
			_, err = f.WriteAt(b, 100_000)
			require.NoError(t, err)
		},
		"truncated": func(t *testing.T, files []string) {
			require.NoError(t, os.Truncate(files[0], 1_000_000))
		},
		"swapped": func(t *testing.T, files []string) {
			require.NoError(t, os.Rename(files[0], files[0]+".away"))
			require.NoError(t, os.Rename(files[1], files[0]))
			require.NoError(t, os.Rename(files[0]+".away", files[1]))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			want := translateBoth(t, blob.Open(dir, blob.Options{}))
			files := blobFiles(t, dir)
			require.Len(t, files, storedGraphs)
			for _, f := range files {
				require.NoError(t, os.Chmod(f, 0o600))
			}
			damage(t, files)
			store := blob.Open(dir, blob.Options{})
			require.Equal(t, want, translateBoth(t, store))
			require.Positive(t, store.Stats().Quarantined)
			require.NotEmpty(t, store.Status().Doubt)
			again := blob.Open(dir, blob.Options{})
			require.Equal(t, want, translateBoth(t, again))
			require.Equal(t, storedGraphs, again.Stats().Hits, "what was compiled anew was stored")
		})
	}
}

func TestUnusableStoreDoesNotStopTranslating(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a file where the folder should be")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	store := blob.Open(file, blob.Options{})
	require.Equal(t, blob.Unavailable, store.Status().Mode)
	require.Equal(t, translateBoth(t, nil), translateBoth(t, store))
}

// storeVariable, when set, makes the test binary one of two processes on a store.
const storeVariable = "DRAGOMAN_TEST_STORE"

func TestTwoProcessesOnOneStore(t *testing.T) {
	if dir := os.Getenv(storeVariable); dir != "" {
		store := blob.Open(dir, blob.Options{})
		translateBoth(t, store)
		t.Logf("stats %+v", store.Stats())
		return
	}
	dir := t.TempDir()
	outputs := make([]string, 2)
	var wg sync.WaitGroup
	for i := range outputs {
		wg.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestTwoProcessesOnOneStore$", "-test.v")
			cmd.Env = append(os.Environ(), storeVariable+"="+dir)
			out, err := cmd.CombinedOutput()
			if err != nil {
				out = append(out, "\nfailed: "+err.Error()...)
			}
			outputs[i] = string(out)
		})
	}
	wg.Wait()
	for _, out := range outputs {
		require.NotContains(t, out, "failed:")
		require.NotContains(t, out, "SKIP")
		require.True(t, strings.Contains(out, "Quarantined:0"), out)
	}
	require.Len(t, blobFiles(t, dir), storedGraphs, "each graph was compiled by one of them")
}
