package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"dragoman/inference"
	"dragoman/inference/text"
)

// folderLeast is the aim for the speed of a drop folder against CTranslate2.
const folderLeast = 1.3

// folderRounds are few: a round takes a minute.
const folderRounds = 3

// folderBatches are what CTranslate2 is tried with.
var folderBatches = []batching{{size: 16}, {size: 32}, {size: 64}, {size: 1024, tokens: true}}

// tuningSentences are those of the text that its best is chosen by.
const tuningSentences = 256

// measureFolder translates a text of real lines through the public API as a
// drop folder's files are, against CTranslate2 with the same sentences as token
// ids, all at once. Our time has everything in it: splitting, tokens, checks and
// second tries; CTranslate2's has the model alone.
func (b *bench) measureFolder(ctx context.Context, m checkpoint) error {
	if m.random {
		return errors.New("its weights mean nothing, and no output ends by itself")
	}
	var lines []string
	for _, set := range []string{realText, "laser-tatoeba-es"} {
		more, err := b.lines(set, "en", 1000)
		if err != nil {
			return err
		}
		lines = append(lines, more...)
	}
	lines = lines[:min(len(lines), b.lineCount)]
	whole := strings.Join(lines, "\n") + "\n"
	var sentences []string
	seen := map[string]bool{}
	for _, p := range text.Split(whole, "en") {
		if p.Kind == text.Sentence && !seen[p.Text] { // the translator asks the model once
			seen[p.Text] = true
			sentences = append(sentences, p.Text)
		}
	}
	w, err := m.encode(sentences, "en", "es")
	if err != nil {
		return err
	}
	theirs, err := b.startPeers(ctx, m)
	if err != nil {
		return err
	}
	defer theirs.close()
	sample := w
	sample.sources = nil
	for i := range min(tuningSentences, len(w.sources)) {
		sample.sources = append(sample.sources, w.sources[i*len(w.sources)/min(tuningSentences, len(w.sources))])
	}
	best, err := theirs.bestOn(sample, w, 1, folderBatches...)
	if err != nil {
		return err
	}
	t, err := inference.Open(ctx, inference.Options{
		Runtime: b.runtime, ModelDir: m.dir, Encoder: "CPU", Threads: b.threads, Cache: inference.Cache{Dir: b.in("cache-folder")},
	})
	if err != nil {
		return err
	}
	defer t.Close()
	var asked []float64
	mine, p, err := duel(min(folderRounds, m.rounds), contender{"dragoman int8", func() ([]float64, error) {
		start := time.Now()
		result, err := t.Translate(ctx, inference.Request{
			Text: whole, From: "en", To: "es", Before: func(context.Context) (bool, error) { return false, nil },
			Together: func() int { return inference.SentencesTogether }, Forget: true, // each round is as the first
		})
		took := ms(time.Since(start))
		asked = append(asked, float64(result.Stats.Sentences))
		return []float64{took}, err
	}}, best)
	if err != nil {
		return err
	}
	group := fmt.Sprintf("a drop folder's %d real lines: %s", len(lines), m.name)
	b.report.compareSpeed(group, "dragoman int8, everything", best.name+", the model alone", folderLeast, mine, p)
	b.report.add(group, "sentences", "", 0, float64(len(sentences)))
	b.report.add(group, "times that the model was asked, second tries too", "", 0, slices.Max(asked))
	return nil
}

// bestOn finds the best by a sample and gives it all the work.
func (all peers) bestOn(sample, whole task, rounds int, choices ...batching) (contender, error) {
	best, err := all.best(sample, rounds, choices...)
	if err != nil {
		return contender{}, err
	}
	for _, p := range all {
		for _, c := range choices {
			if made := p.contender(whole, c); made.name == best.name {
				return made, nil
			}
		}
	}
	return contender{}, fmt.Errorf("%s is none of the choices", best.name)
}
