package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference"
	"dragoman/inference/openvino/ovtest"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

// BenchmarkDocumentShare tells for the samples of each format which share of the time of
// a document everything but the model takes: reading, placing, writing, and cutting texts
// into tokens. The starter is a small model: with a larger one, which takes longer, the share
// is smaller.
func BenchmarkDocumentShare(b *testing.B) {
	t, err := inference.Open(b.Context(), inference.Options{
		Runtime: ovtest.Library(b), ModelDir: starter(), Cache: inference.Cache{Dir: b.TempDir()},
	})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, t.Close()) })
	folders, err := filepath.Glob(filepath.Join("..", "..", "watch", "document", "testdata", "*"))
	require.NoError(b, err)
	for _, folder := range folders {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() || filepath.Base(folder) == "fuzz" { // which has what fuzzing found
			continue
		}
		b.Run(filepath.Base(folder), func(b *testing.B) {
			files, err := filepath.Glob(filepath.Join(folder, "*"))
			require.NoError(b, err)
			require.NotEmpty(b, files)
			var besides, models []time.Duration // of each round: what interrupts one does not count
			segments := 0
			for b.Loop() {
				var all, model time.Duration
				segments = 0
				for _, path := range files {
					began := time.Now()
					d, err := document.Open(path)
					require.NoError(b, err)
					d.Into("de")
					err = d.Translate(b.Context(), func(ctx context.Context, text string) (string, error) {
						began := time.Now()
						done, err := t.Translate(ctx, inference.Request{Text: text, From: "en", To: "de"})
						model += time.Since(began) - done.Stats.Tokenise
						return done.Text, err
					})
					require.NoError(b, err)
					_, err = d.Bytes(segment.Options{To: "de"})
					require.NoError(b, err)
					all += time.Since(began)
					segments += len(d.Segments())
				}
				besides, models = append(besides, all-model), append(models, model)
			}
			slices.Sort(besides)
			slices.Sort(models)
			beside, model := besides[len(besides)/2], models[len(models)/2]
			b.ReportMetric(100*float64(beside)/float64(beside+model), "%-beside-the-model")
			b.ReportMetric(float64(beside.Microseconds())/float64(segments), "µs/segment")
		})
	}
}
