//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"syscall"
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
// is smaller. The time of a clock has in it what other programs take meanwhile, which falls
// on either side by chance; the processor time has not, and the model is held to one thread
// so that it is the time of an idle machine.
func BenchmarkDocumentShare(b *testing.B) {
	t, err := inference.Open(b.Context(), inference.Options{
		Runtime: ovtest.Library(b), ModelDir: starter(), Cache: inference.Cache{Dir: b.TempDir()}, Threads: 1,
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
			var clock, processor shares
			segments := 0
			for b.Loop() {
				var model, modelWorked, tokenised time.Duration
				segments = 0
				began, beganWork := time.Now(), worked()
				for _, path := range files {
					d, err := document.Open(path)
					require.NoError(b, err)
					require.NoError(b, d.Into("de"))
					err = d.Translate(b.Context(), func(ctx context.Context, text string) (string, error) {
						began, beganWork := time.Now(), worked()
						done, err := t.Translate(ctx, inference.Request{Text: text, From: "en", To: "de"})
						model += time.Since(began)
						modelWorked += worked() - beganWork
						tokenised += done.Stats.Tokenise
						return done.Text, err
					})
					require.NoError(b, err)
					_, err = d.Bytes(segment.Options{To: "de"})
					require.NoError(b, err)
					segments += len(d.Segments())
				}
				clock.add(time.Since(began), model-tokenised)
				processor.add(worked()-beganWork, modelWorked-tokenised)
			}
			b.ReportMetric(clock.percent(), "%-beside-the-model")
			b.ReportMetric(processor.percent(), "%-of-processor-time")
			b.ReportMetric(float64(processor.beside().Microseconds())/float64(segments), "µs/segment")
		})
	}
}

// shares are what each round took besides the model, and in it. Their medians count: what
// interrupts one round does not.
type shares struct{ besides, models []time.Duration }

func (s *shares) add(all, model time.Duration) {
	s.besides, s.models = append(s.besides, all-model), append(s.models, model)
}

func (s *shares) beside() time.Duration { return median(s.besides) }

func (s *shares) percent() float64 {
	return 100 * float64(s.beside()) / float64(s.beside()+median(s.models))
}

func median(all []time.Duration) time.Duration {
	sorted := slices.Sorted(slices.Values(all))
	return sorted[len(sorted)/2]
}

// worked is the processor time of this process until now.
func worked() time.Duration {
	var used syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &used) // fails for wrong arguments only
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
