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

// linesOfSet are those that each of the two test sets has.
const linesOfSet = 1000

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
	whole, w, err := b.folderText(m)
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
	var questions []float64
	mine, p, err := duel(min(folderRounds, m.rounds), contender{"dragoman int8", func() ([]float64, error) {
		start := time.Now()
		result, err := t.Translate(ctx, inference.Request{
			Text: whole, From: "en", To: "es", Before: func(context.Context) (bool, error) { return false, nil },
			Together: func() int { return inference.SentencesTogether }, Forget: true, // each round is as the first
		})
		took := ms(time.Since(start))
		questions = append(questions, float64(result.Stats.Sentences))
		return []float64{took}, err
	}}, best)
	if err != nil {
		return err
	}
	group := fmt.Sprintf("a drop folder's %d real lines: %s", b.lineCount, m.name)
	b.report.compareSpeed(group, "dragoman int8, everything", best.name+", the model alone", folderLeast, mine, p)
	b.report.add(group, "sentences", "", 0, float64(len(w.sources)))
	b.report.add(group, "times that the model was asked, second tries too", "", 0, slices.Max(questions))
	return nil
}

// measureSources gives a model whose outputs mean nothing and never end the sources
// of a drop folder as token ids, with as many tokens out of each. On both sides it is
// the model alone.
func (b *bench) measureSources(ctx context.Context, m checkpoint) error {
	if !m.hasTokenizer() {
		return errors.New("its tokenizer is not there")
	}
	_, w, err := b.folderText(m)
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
	group := fmt.Sprintf("a drop folder's %d real lines, every %dth, %d tokens out: %s", b.lineCount, randomShare, randomLength, m.name)
	b.report.compareSpeed(group, "dragoman int8", best.name, folderLeast, mine, p)
	return nil
}

// folderText is a text of as many real lines as were asked for, from two test sets, and
// what the model is asked of it.
func (b *bench) folderText(m checkpoint) (whole string, w task, err error) {
	var lines []string
	for _, set := range []string{realText, "laser-tatoeba-es"} {
		more, err := b.lines(set, "en", linesOfSet)
		if err != nil {
			return "", task{}, err
		}
		lines = append(lines, more...)
	}
	whole = strings.Join(lines[:b.lineCount], "\n") + "\n"
	w, err = m.encode(asked(whole), "en", "es")
	return whole, w, err
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
