package inference

import (
	"context"
	"strings"
	"sync"

	"dragoman/inference/align"
	"dragoman/inference/m2m100"
	"dragoman/inference/text"
	"dragoman/inference/text/casing"
	"dragoman/inference/text/protect"
)

// ErrNoAlignment is the error of Align where the model does not show how it looks at a
// source.
var ErrNoAlignment = m2m100.ErrNoLook

// AlignRequest asks which words of translations stand for which of their sources.
// Languages are codes of Languages.
type AlignRequest struct {
	From, To string
	Pairs    []AlignPair
	// Before is as in Request, called once for some pairs.
	Before func(context.Context) (urgent bool, err error)
}

// AlignPair is a text and its translation, whoever made it.
type AlignPair struct{ Source, Translation string }

// Link says that a word of a translation stands for one of its source, both given by
// their bytes.
type Link = align.Link

// alignedTogether is of how many sentences Before is called once.
const alignedTogether = 32

// Align gives the links of each pair, in the order of the translation. Sentences are
// looked at one by one where both sides have as many; a text that the model cannot take
// has no links. It ends early with ctx, between some sentences.
func (t *Translator) Align(ctx context.Context, r AlignRequest) ([][]Link, error) {
	if err := t.CheckLanguages(r.From, r.To); err != nil {
		return nil, err
	}
	ways, err := t.ways.of(ctx, t)
	if err != nil {
		return nil, err
	}
	links := make([][]Link, len(r.Pairs))
	var work []*alignment
	for i, p := range r.Pairs {
		for _, a := range t.alignments(p, r.From, r.To) {
			a.pair = i
			work = append(work, a)
		}
	}
	for len(work) > 0 {
		some := work[:min(len(work), alignedTogether)]
		lane := m2m100.Interactive
		if r.Before != nil {
			urgent, err := r.Before(ctx)
			if err != nil {
				return nil, err
			}
			if !urgent {
				lane = m2m100.Batch
			}
		}
		looks, err := t.look(ctx, lane, align.Layers(ways), some)
		if err != nil {
			return nil, err
		}
		for i, a := range some {
			for _, l := range looks[i].Links(looks[i].Matrix(ways)) {
				links[a.pair] = append(links[a.pair], a.whole(l))
			}
		}
		work = work[len(some):]
	}
	return links, nil
}

// alignment is two sentences that are looked at, or texts of several.
type alignment struct {
	pair                 int
	source, target       int // where they begin in their texts
	there, back          m2m100.Pair
	sourceText, targetOf *align.Text
}

// whole is a link with places of the whole texts.
func (a *alignment) whole(l Link) Link {
	l.Source.Start, l.Source.End = l.Source.Start+a.source, l.Source.End+a.source
	l.Target.Start, l.Target.End = l.Target.Start+a.target, l.Target.End+a.target
	return l
}

// alignments are a pair's, without those that are too long.
func (t *Translator) alignments(p AlignPair, from, to string) (all []*alignment) {
	sources, targets := sentencesOf(p.Source, from), sentencesOf(p.Translation, to)
	if len(sources) != len(targets) {
		sources, targets = []placed{trimmed(p.Source)}, []placed{trimmed(p.Translation)}
	}
	for i, s := range sources {
		if a := t.alignment(s, targets[i], from, to); a != nil {
			all = append(all, a)
		}
	}
	return all
}

// placed is a part of a text.
type placed struct {
	text string
	at   int
}

func sentencesOf(whole, lang string) (all []placed) {
	at := 0
	for _, p := range text.Split(whole, lang) {
		if p.Kind == text.Sentence {
			all = append(all, placed{p.Text, at})
		}
		at += len(p.Text)
	}
	return all
}

func trimmed(whole string) placed {
	body := strings.TrimSpace(whole)
	return placed{body, strings.Index(whole, body)}
}

// alignment is nil where the model cannot take the texts.
func (t *Translator) alignment(source, target placed, from, to string) *alignment {
	a := &alignment{source: source.at, target: target.at}
	var ok bool
	if a.there, a.back, a.sourceText, a.targetOf, ok = t.pairOf(source.text, target.text, from, to); !ok {
		return nil
	}
	return a
}

// pairOf makes of two texts what is looked at, in both directions.
func (t *Translator) pairOf(source, target, from, to string) (there, back m2m100.Pair, sourceText, targetText *align.Text, ok bool) {
	sourceIDs, sourceText, ok := t.tokens(source, from, to)
	targetIDs, targetText, ok2 := t.tokens(target, to, from)
	if !ok || !ok2 {
		return there, back, nil, nil, false
	}
	there.Source, there.Text = sourceIDs, inner(targetIDs)
	back.Source, back.Text = targetIDs, inner(sourceIDs)
	there.Target, _ = t.tokenizer.DecoderLanguage(to)
	back.Target, _ = t.tokenizer.DecoderLanguage(from)
	return there, back, sourceText, targetText, true
}

// inner are the tokens of a text alone.
func inner(ids []int32) []int32 { return ids[1 : len(ids)-1] }

// tokens are those of a text of which the encoder is told the languages, nil where there
// is none in it or more than it takes.
func (t *Translator) tokens(body, lang, other string) ([]int32, *align.Text, bool) {
	if form := casing.Of(body, lang, protect.IsStandIn); form != casing.Plain {
		// Capitals tell little; other lengths would tell other places.
		if lower := casing.Lower(body, lang, protect.IsStandIn, func(string) bool { return false }); len(lower) == len(body) {
			body = lower
		}
	}
	ids, from, err := t.tokenizer.EncodeFrom(t.tokenizer.SourceLanguage(lang, other), body)
	const before = 2 // the tokens that the decoder begins with
	if err != nil || len(ids) < 3 || len(ids)+before > t.engine.Longest() {
		return nil, nil, false
	}
	return ids, align.NewText(body, from[1:]), true
}

// look has the model look at pairs in both directions.
func (t *Translator) look(ctx context.Context, lane m2m100.Lane, layers []int, work []*alignment) ([]*align.Looks, error) {
	pairs := make([]m2m100.Pair, 0, 2*len(work))
	for _, a := range work {
		pairs = append(pairs, a.there, a.back)
	}
	weights, err := t.engine.Look(ctx, lane, layers, pairs...)
	if err != nil {
		return nil, err
	}
	all := make([]*align.Looks, len(work))
	for i, a := range work {
		l := &align.Looks{Source: a.sourceText, Target: a.targetOf, There: map[int]align.Weights{}, Back: map[int]align.Weights{}}
		for k, layer := range layers {
			l.There[layer], l.Back[layer] = weights[2*i][k], weights[2*i+1][k]
		}
		all[i] = l
	}
	return all, nil
}

// ways are those of the model that tell which words belong together, chosen when they
// are first needed; none where it knows too little of the known pairs.
type ways struct {
	mu     sync.Mutex
	chosen bool
	best   []align.Way
}

func (w *ways) of(ctx context.Context, t *Translator) ([]align.Way, error) {
	if !t.engine.Looks() {
		return nil, ErrNoAlignment
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.chosen {
		if err := w.choose(ctx, t); err != nil {
			return nil, err
		}
		w.chosen = true
	}
	if w.best == nil {
		return nil, ErrNoAlignment
	}
	return w.best, nil
}

func (w *ways) choose(ctx context.Context, t *Translator) error {
	all := align.Ways(t.engine.Layers())
	var pairs []align.Known
	var work []*alignment
	for _, p := range align.KnownPairs {
		if t.CheckLanguages(p.From, p.To) != nil {
			continue
		}
		if a := t.alignment(placed{p.Source, 0}, placed{p.Target, 0}, p.From, p.To); a != nil {
			pairs, work = append(pairs, p), append(work, a)
		}
	}
	if len(pairs) == 0 {
		return nil
	}
	looks, err := t.look(ctx, m2m100.Interactive, align.Layers(all), work)
	if err != nil {
		return err
	}
	if best, right := align.Choose(all, pairs, looks); right >= align.Least {
		w.best = best
	}
	return nil
}
