package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// entries of the translation memory that BenchmarkRecall looks into;
// DRAGOMAN_BENCH_ENTRIES=1000000 measures a full one.
func entries(b *testing.B) int {
	n, err := strconv.Atoi(os.Getenv("DRAGOMAN_BENCH_ENTRIES"))
	if err != nil {
		return 20_000
	}
	return n
}

func source(i int) string { return fmt.Sprintf("This is sentence number %d of the text.", i) }

func BenchmarkRecall(b *testing.B) {
	s := openNew(b)
	n := entries(b)
	before := rss(b)
	for i := 0; i < n; i += 4000 {
		var pairs []Pair
		for j := range 4000 {
			pairs = append(pairs, Pair{source(i + j), fmt.Sprintf("Esta es la frase número %d del texto.", i+j)})
		}
		require.NoError(b, s.Remember(b.Context(), scope, pairs))
		require.NoError(b, s.FlushMemory(b.Context()))
	}
	// Contexts that may end cost a little more.
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	for name, offset := range map[string]int{"hit": 0, "miss": n} {
		b.Run(name, func(b *testing.B) {
			var times []time.Duration
			i := 0
			for b.Loop() {
				i = (i + 7919*7) % n
				begun := time.Now()
				_, ok, err := s.Recall(ctx, scope, source(i+offset))
				times = append(times, time.Since(begun))
				if err != nil || ok != (offset == 0) {
					b.Fatal(ok, err)
				}
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds()), "p50-µs")
			b.ReportMetric(float64(times[len(times)*99/100].Microseconds()), "p99-µs")
			b.ReportMetric(rss(b)-before, "MB-RSS-more")
		})
	}
}

func BenchmarkRemember(b *testing.B) {
	s := openNew(b)
	i := 0
	for b.Loop() {
		i++
		if err := s.Remember(b.Context(), scope, []Pair{{source(i), "x"}}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAccept20000(b *testing.B) {
	for b.Loop() {
		s := openNew(b)
		require.NoError(b, s.Accept(b.Context(), manyFiles(newFolder(b, s, "/in"), 20_000)))
		begun := time.Now()
		require.NoError(b, s.Close())
		b.ReportMetric(float64(time.Since(begun).Milliseconds()), "close-ms")
	}
}

func BenchmarkFinish(b *testing.B) {
	for _, workers := range []int{1, 3, 16} {
		b.Run(strconv.Itoa(workers), func(b *testing.B) {
			s := openNew(b)
			files := manyFiles(newFolder(b, s, "/in"), 1000)
			require.NoError(b, s.Accept(b.Context(), files))
			var next atomic.Int64
			b.ResetTimer()
			var group sync.WaitGroup
			for range workers {
				group.Go(func() {
					for {
						i := int(next.Add(1))
						if i > b.N {
							return
						}
						f := files[i%len(files)]
						f.State = Done
						if err := s.Finish(b.Context(), f); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			group.Wait()
		})
	}
}

func BenchmarkIsOutput(b *testing.B) {
	s := openNew(b)
	files := manyFiles(newFolder(b, s, "/in"), 20_000)
	require.NoError(b, s.Accept(b.Context(), files))
	i := 0
	for b.Loop() {
		i++
		if _, _, err := s.IsOutput(b.Context(), files[i%len(files)].Output, files[i%len(files)].Output); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkHistory(b *testing.B) {
	s := openNew(b)
	const n = 5000
	text := func(i int) string {
		return fmt.Sprintf("Entry %d: %s", i, strings.Repeat("some words of a longer text "+strconv.Itoa(i*i), 8))
	}
	for i := range n {
		_, err := s.AddHistory(b.Context(), HistoryEntry{Source: text(i), Target: text(-i)})
		require.NoError(b, err)
	}
	require.NoError(b, s.BoundHistory(b.Context(), n, 0))
	b.Run("add", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, err := s.AddHistory(b.Context(), HistoryEntry{Source: text(i), Target: text(-i)}); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, query := range map[string]string{"common": "words text", "rare": "4999", "none": "absent", "short": "zq"} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := s.History(b.Context(), HistoryQuery{Search: query, Limit: 50}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	begun := time.Now()
	_, err := s.EraseHistory(b.Context(), time.Time{})
	require.NoError(b, err)
	b.Logf("erase all: %v", time.Since(begun))
}

// rss is the resident memory of this process in MB, 0 where it is not known.
func rss(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile(filepath.Join("/proc/self/status"))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(status), "VmRSS:")
	fields := strings.Fields(after)
	kb, err := strconv.ParseFloat(fields[0], 64)
	require.NoError(b, err)
	return kb / 1024
}
