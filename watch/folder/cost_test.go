package folder

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch"
)

// The figures that a service at rest is judged by: what a rescan of 10,000
// known files costs, and what is remembered of each.
func BenchmarkRescan(b *testing.B) {
	const files = 10_000
	root := b.TempDir()
	for i := range files {
		dir := filepath.Join(root, fmt.Sprint("folder ", i%20))
		require.NoError(b, os.MkdirAll(dir, 0o755))
		require.NoError(b, os.WriteFile(filepath.Join(dir, fmt.Sprintf("a document of usual length %d.txt", i)), nil, 0o644))
	}
	f, err := New(Options{Root: root, Recursive: true, Quiet: time.Millisecond, Notify: func(Notice) {}, NoEvents: true})
	require.NoError(b, err)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	told := 0
	s := newSession(f, func(watch.Item) { told++ })
	now := time.Now()
	s.step(b.Context(), now)
	s.step(b.Context(), now.Add(time.Second))
	require.Equal(b, files, told)
	runtime.GC()
	runtime.ReadMemStats(&after)
	for b.Loop() {
		s.scan(b.Context(), now)
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/files, "B/file")
	require.Equal(b, files, told)
	runtime.KeepAlive(s)
}
