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

// randomShare is how many times fewer sentences a model gets that takes ten times as
// long and whose words mean nothing, and randomLength the tokens out of each.
const (
	randomShare  = 4
	randomLength = 20
)

// measureFolder translates a text of real lines through the public API as a
// drop folder's files are, against CTranslate2 with the same sentences as token
// ids, all at once. Our time has everything in it: splitting, tokens, checks and
// second tries; CTranslate2's has the model alone.
func (b *bench) measureFolder(ctx context.Context, m checkpoint) error {
	if m.random {
		return b.measureSources(ctx, m)
	}
	lines, err := b.folderLines()
	if err != nil {
		return err
	}
	whole := strings.Join(lines, "\n") + "\n"
	w, err := m.encode(asked(whole), "en", "es")
	if err != nil {
		return err
	}
	theirs, err := b.startPeers(ctx, m)
	if err != nil {
		return err
	}
	defer theirs.close()
	best, err := theirs.bestOn(w.sample(tuningSentences), w, 1, folderBatches...)
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
	var times []float64
	mine, p, err := duel(min(folderRounds, m.rounds), contender{"dragoman int8", func() ([]float64, error) {
		start := time.Now()
		result, err := t.Translate(ctx, inference.Request{
			Text: whole, From: "en", To: "es", Before: func(context.Context) (bool, error) { return false, nil },
			Together: func() int { return inference.SentencesTogether }, Forget: true, // each round is as the first
		})
		took := ms(time.Since(start))
		times = append(times, float64(result.Stats.Sentences))
		return []float64{took}, err
	}}, best)
	if err != nil {
		return err
	}
	group := fmt.Sprintf("a drop folder's %d real lines: %s", len(lines), m.name)
	b.report.compareSpeed(group, "dragoman int8, everything", best.name+", the model alone", folderLeast, mine, p)
	b.report.add(group, "sentences", "", 0, float64(len(w.sources)))
	b.report.add(group, "times that the model was asked, second tries too", "", 0, slices.Max(times))
	return nil
}

// measureSources gives a model whose outputs mean nothing and never end the sources
// of a drop folder as token ids, with as many tokens out of each. On both sides it is
// the model alone.
func (b *bench) measureSources(ctx context.Context, m checkpoint) error {
	if !m.hasTokenizer() {
		return errors.New("its tokenizer is not there")
	}
	lines, err := b.folderLines()
	if err != nil {
		return err
	}
	w, err := m.encode(asked(strings.Join(lines, "\n")+"\n"), "en", "es")
	if err != nil {
		return err
	}
	w = w.sample(len(w.sources) / randomShare)
	w.length = randomLength
	ours, theirs, end, err := b.opponents(ctx, m)
	if err != nil {
		return err
	}
	defer end()
	best, err := theirs.bestOn(w.sample(tuningSentences/randomShare), w, 1, folderBatches...)
	if err != nil {
		return err
	}
	mine, p, err := duel(1, contender{"dragoman int8", func() ([]float64, error) { return ours.together(ctx, w) }}, best)
	if err != nil {
		return err
	}
	group := fmt.Sprintf("a drop folder's %d real lines, every %dth, %d tokens out: %s", len(lines), randomShare, randomLength, m.name)
	b.report.compareSpeed(group, "dragoman int8", best.name, folderLeast, mine, p)
	return nil
}

// folderLines are as many real lines as were asked for, from two test sets.
func (b *bench) folderLines() (lines []string, err error) {
	for _, set := range []string{realText, "laser-tatoeba-es"} {
		more, err := b.lines(set, "en", 1000)
		if err != nil {
			return nil, err
		}
		lines = append(lines, more...)
	}
	return lines[:min(len(lines), b.lineCount)], nil
}

// asked are the sentences of a text that the translator asks the model for, each once.
func asked(whole string) (sentences []string) {
	seen := map[string]bool{}
	for _, p := range text.Split(whole, "en") {
		if p.Kind == text.Sentence && !seen[p.Text] {
			seen[p.Text] = true
			sentences = append(sentences, p.Text)
		}
	}
	return sentences
}

// sample is a task with n sentences at most, from everywhere in it.
func (w task) sample(n int) task {
	n = min(n, len(w.sources))
	sample := w
	sample.sources = nil
	for i := range n {
		sample.sources = append(sample.sources, w.sources[i*len(w.sources)/n])
	}
	return sample
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
