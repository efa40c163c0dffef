package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/draft"
	"dragoman/inference/m2m100/tokenizer"
)

// editedLeast is what an edited text must gain from what is remembered of it.
const editedLeast = 1.5

// editedLines is how many real lines are edited; of the large shape fewer.
const editedLines, editedLinesLarge = 12, 4

// revision is a sentence before and after it was edited, with what the model makes
// of both.
type revision struct {
	old, new       []int32 // sources
	oldOut, newOut []int32
}

// measureEdited compares translating with guesses and without: an edited text, of
// which one word in ten has changed in every sentence, after the text it was; and
// a text of which nothing is known. Sentences take turns, and each must have the
// same tokens both ways. The weights of the large shape mean nothing, so its
// outputs are compared with earlier ones that differ as the starter's do.
func (b *bench) measureEdited(ctx context.Context, m checkpoint) error {
	real := checkpoint{name: "starter", dir: b.root + "/" + starter}
	words, err := tokenizer.Load(real.dir)
	if err != nil {
		return err
	}
	target, _ := words.LanguageID("es")
	revisions, err := b.revisions(ctx, real, words, target)
	if err != nil {
		return err
	}
	ours, err := b.open(ctx, m, m2m100.CPU)
	if err != nil {
		return err
	}
	defer ours.close()
	if !ours.Guesses() {
		return fmt.Errorf("this processor has no AVX2: the runtime's decoder guesses nothing")
	}
	e := &editing{opened: ours, words: words, target: target}
	if m.random {
		revisions, e.random = revisions[:editedLinesLarge], true
		e.target = m.spanish()
		if err := e.transplant(ctx, m, revisions); err != nil {
			return err
		}
	}
	for _, edited := range []bool{true, false} {
		name, least := "an edited text after the text it was", editedLeast
		if !edited {
			name, least = "a text of which nothing is known", 0.98
		}
		with, without, err := e.duel(ctx, m.rounds, revisions, edited)
		if err != nil {
			return err
		}
		group := name + ": " + m.name
		b.report.series(group, "with guesses", "without", with.rounds, without.rounds)
		b.report.add(group, "speed with guesses, round by round", "", 0, pairs(without.rounds, with.rounds)...)
		b.report.add(group, "speed with guesses, each sentence at its best", "", 0, sum(without.best)/sum(with.best))
		b.report.atLeast(least)
		b.report.add(group, "tokens, of a text", "", 0, float64(with.tokens))
		b.report.add(group, "tokens guessed, of a text", "", 0, float64(with.drafted))
		b.report.add(group, "of them right", "", 0, float64(with.accepted))
	}
	return nil
}

// revisions are real lines with one word in ten replaced by another of the text
// that ends alike, and what the starter makes of them.
func (b *bench) revisions(ctx context.Context, m checkpoint, words *tokenizer.Tokenizer, target int32) ([]revision, error) {
	lines, err := b.lines(realText, "en", 20*editedLines)
	if err != nil {
		return nil, err
	}
	o, err := b.open(ctx, m, m2m100.CPU)
	if err != nil {
		return nil, err
	}
	defer o.close()
	r := rand.New(rand.NewPCG(1, 2))
	all := strings.Fields(strings.Join(lines, " "))
	var revisions []revision
	for _, line := range lines[:editedLines] {
		var v revision
		for _, s := range []struct {
			text         string
			source, made *[]int32
		}{{line, &v.old, &v.oldOut}, {edit(r, line, all), &v.new, &v.newOut}} {
			if *s.source, err = words.Encode("en", s.text); err != nil {
				return nil, err
			}
			g, err := o.Generate(ctx, m2m100.Interactive, *s.source, target)
			if err != nil {
				return nil, err
			}
			*s.made = g.Tokens
		}
		revisions = append(revisions, v)
	}
	return revisions, nil
}

// edit replaces one word in ten, one at least.
func edit(r *rand.Rand, line string, all []string) string {
	words := strings.Fields(line)
	for range max(1, (len(words)+5)/10) {
		i := r.IntN(len(words))
		for range 20_000 {
			if other := all[r.IntN(len(all))]; alike(words[i], other) {
				words[i] = other
				break
			}
		}
	}
	return strings.Join(words, " ")
}

// alike tells whether words differ and yet are of one kind, as far as their ends
// and capitals tell.
func alike(a, b string) bool {
	const end = 2
	return a != b && len(a) > end && len(b) > end && a[len(a)-end:] == b[len(b)-end:] &&
		(a[0] >= 'a' && a[0] <= 'z') == (b[0] >= 'a' && b[0] <= 'z')
}

// editing is a model that translates revisions.
type editing struct {
	opened
	words  *tokenizer.Tokenizer
	target int32
	random bool
}

// transplant makes of revisions such of a model with random weights: of as many
// tokens, the old output differing from the new one where the starter's did.
func (e *editing) transplant(ctx context.Context, m checkpoint, revisions []revision) error {
	for i := range revisions {
		v := &revisions[i]
		source := m.randomSource(len(v.new), i)
		g, err := e.GenerateExactly(ctx, source, e.target, len(v.newOut))
		if err != nil {
			return err
		}
		old := make([]int32, len(v.oldOut))
		for j := range old {
			old[j] = int32(1000 + (j*7919+i*104729)%90000)
		}
		for _, p := range common(v.oldOut, v.newOut) {
			old[p[0]] = g.Tokens[p[1]]
		}
		*v = revision{old: source, new: source, oldOut: old, newOut: g.Tokens}
	}
	return nil
}

// common are the places of a longest common subsequence of a and b.
func common(a, b []int32) (places [][2]int) {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if length[i][j] = max(length[i+1][j], length[i][j+1]); a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			places = append(places, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return places
}

// side is what one side of a duel took, in milliseconds.
type side struct {
	rounds, best              []float64 // of the text; of each sentence
	tokens, drafted, accepted int
}

// duel lets both sides take turns with each sentence.
func (e *editing) duel(ctx context.Context, rounds int, revisions []revision, edited bool) (with, without side, err error) {
	for round := range rounds + 1 {
		memory, watch := draft.NewMemory(e.words.Begins), draft.NewWatch()
		for _, v := range revisions {
			if edited {
				memory.Learn(v.old, e.target, v.oldOut)
			}
		}
		sums := [2]float64{}
		with.tokens, with.drafted, with.accepted = 0, 0, 0
		for i, v := range revisions {
			source := v.new
			if !edited {
				source = v.old
			}
			var outs [2][]int32
			for _, guess := range []bool{i%2 == 0, i%2 == 1} {
				began := time.Now()
				var s *draft.Sentence
				which, into := 1, &without
				if guess {
					which, into = 0, &with
					s = memory.Sentence(watch, source, e.target, nil)
				}
				g, err := e.run(ctx, source, len(v.newOut), s)
				if err != nil {
					return with, without, err
				}
				s.Done(g.Tokens, edited)
				took := ms(time.Since(began))
				sums[which], outs[which] = sums[which]+took, g.Tokens
				into.tokens, into.drafted, into.accepted = into.tokens+len(g.Tokens), into.drafted+g.Drafted, into.accepted+g.Accepted
				if round == 0 {
					into.best = append(into.best, took)
				}
				into.best[i] = min(into.best[i], took)
			}
			if !slices.Equal(outs[0], outs[1]) {
				return with, without, fmt.Errorf("sentence %d has other tokens with guesses", i+1)
			}
		}
		if round > 0 {
			with.rounds, without.rounds = append(with.rounds, sums[0]), append(without.rounds, sums[1])
		}
	}
	return with, without, nil
}

func (e *editing) run(ctx context.Context, source []int32, n int, s *draft.Sentence) (m2m100.Generation, error) {
	if e.random {
		return e.GenerateExactlyDrafted(ctx, source, e.target, n, s)
	}
	return e.GenerateDrafted(ctx, m2m100.Interactive, source, e.target, s)
}

func sum(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}
