package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/tokenizer"
)

// together are the numbers of sentences that are given at once; the last is
// that of the project's aim.
var together = []int{1, 8, 32}

// realText is the test set that sentences are taken of, beside the languages.
const realText = "pud"

// measureBatch compares sentences that are given together.
func (b *bench) measureBatch(ctx context.Context, m checkpoint) error {
	ours, theirs, end, err := b.opponents(ctx, m)
	if err != nil {
		return err
	}
	defer end()
	for _, n := range together {
		w, what, err := b.sentences(m, n)
		if err != nil {
			return err
		}
		choices := []batching{{}}
		for size := n / 2; size >= 4 && size >= n/4; size /= 2 {
			choices = append(choices, batching{size: size})
		}
		best, err := theirs.best(w, m.tuning(), choices...)
		if err != nil {
			return err
		}
		mine, p, err := duel(m.rounds, contender{"dragoman int8", func() ([]float64, error) { return ours.together(ctx, w) }}, best)
		if err != nil {
			return err
		}
		least := 0.0
		if n == together[len(together)-1] {
			least = m.together
		}
		b.report.compareSpeed(fmt.Sprintf("%d sentences together, %s: %s", n, what, m.name), "dragoman int8", best.name, least, mine, p)
	}
	return nil
}

// sentences are n for a batch: real ones to their end where the model means
// something, else random words with a fixed number of tokens out.
func (b *bench) sentences(m checkpoint, n int) (task, string, error) {
	if m.random {
		w := task{target: m.spanish(), length: 20}
		for i := range n {
			w.sources = append(w.sources, m.randomSource(17, i))
		}
		return w, "17 tokens in, 20 out", nil
	}
	lines, err := b.lines(realText, "en", n)
	if err != nil {
		return task{}, "", err
	}
	w, err := m.encode(lines, "en", "es")
	return w, "real ones", err
}

// lines are the first of a test set.
func (b *bench) lines(set, language string, n int) ([]string, error) {
	path := filepath.Join(b.root, corpus, set+"."+language)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the test sets are not there: %w", err)
	}
	defer f.Close()
	var lines []string
	for s := bufio.NewScanner(f); s.Scan() && len(lines) < n; {
		lines = append(lines, strings.TrimSpace(s.Text()))
	}
	if len(lines) < n {
		return nil, fmt.Errorf("%s has %d lines, %d are needed", path, len(lines), n)
	}
	return lines, nil
}

func (m checkpoint) encode(sentences []string, from, to string) (task, error) {
	t, err := tokenizer.Load(m.dir)
	if err != nil {
		return task{}, err
	}
	target, ok := t.LanguageID(to)
	if !ok {
		return task{}, tokenizer.ErrUnknownLanguage
	}
	w := task{target: target}
	for _, s := range sentences {
		ids, err := t.Encode(from, s)
		if err != nil {
			return task{}, err
		}
		w.sources = append(w.sources, ids)
	}
	return w, nil
}

// together translates the sentences as the batch lane does and returns the
// milliseconds of each repeat.
func (o opened) together(ctx context.Context, w task) ([]float64, error) {
	warmup, repeat := w.runs()
	return repeated(warmup, repeat, func(bool) (time.Duration, error) {
		start := time.Now()
		var all errgroup.Group
		for _, source := range w.sources {
			all.Go(func() (err error) {
				if w.length > 0 {
					_, err = o.GenerateExactlyTogether(ctx, source, w.target, w.length)
				} else {
					_, err = o.Generate(ctx, m2m100.Batch, source, w.target)
				}
				return err
			})
		}
		err := all.Wait()
		return time.Since(start), err
	})
}
