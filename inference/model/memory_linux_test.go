package model

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// resident reads VmRSS, RssAnon or RssFile of this process, in bytes.
func resident(t *testing.T, field string) int64 {
	t.Helper()
	for line := range strings.Lines(string(read(t, "/proc/self/status"))) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			var kB int64
			_, err := fmt.Sscan(rest, &kB)
			require.NoError(t, err)
			return kB << 10
		}
	}
	t.Fatalf("no %s in /proc/self/status", field)
	return 0
}

// Reading every weight may cost the file and a tenth, and Release gives the
// file's part back. DRAGOMAN_TEST_CHECKPOINT names another folder than the starter.
func TestMemoryOfReadingACheckpoint(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a whole checkpoint")
	}
	dir := starter
	if named := os.Getenv("DRAGOMAN_TEST_CHECKPOINT"); named != "" {
		dir = named
	}
	anon, file := resident(t, "RssAnon"), resident(t, "RssFile")
	c := open(t, dir)
	var size int64
	for _, m := range c.weights {
		size += m.stamp.size
	}
	buf := make([]float32, 1<<18)
	for _, name := range c.Names() {
		tensor, err := c.Tensor(name)
		require.NoError(t, err)
		for at := 0; at < tensor.Len(); at += len(buf) {
			require.NoError(t, tensor.Float32(buf[:min(len(buf), tensor.Len()-at)], at))
		}
	}
	grown := resident(t, "RssAnon") - anon + resident(t, "RssFile") - file
	t.Logf("%d MB of weights read, process grew by %d MB", size>>20, grown>>20)
	require.LessOrEqual(t, grown, size+size/10)
	c.Release()
	left := resident(t, "RssFile") - file
	t.Logf("after Release %d MB are left", left>>20)
	require.Less(t, left, size/10)
}
