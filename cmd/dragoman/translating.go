package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"dragoman/daemon/aligned"
	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/inference/check"
	"dragoman/inference/device"
	"dragoman/inference/glossary"
	"dragoman/inference/ladder"
	"dragoman/inference/language"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/memory"
	"dragoman/watch/document/segment"
)

// translating is what translates for a command: the service, or this process.
type translating interface {
	// check refuses languages that there are not.
	check(ctx context.Context, from, to string) error
	languages(ctx context.Context) ([]string, error)
	// detect finds out the language of a text by its beginning.
	detect(ctx context.Context, text string) (api.Detection, error)
	// translate tells progress each part of the translation when it is ready.
	translate(ctx context.Context, text, from, to string, progress func(inference.Progress)) (translated, error)
	// align is segment.Align of texts in two languages.
	align(ctx context.Context, pairs []segment.Pair, from, to string) ([][]segment.Link, error)
	close()
}

// translated is a translation with the language it is from, which may have been
// found out; "" where there was nothing to translate.
type translated struct {
	inference.Result
	from  string
	model string // as api.Translation has it; "" where this process translates
	// What was found out about the language where that was not named: whether it
	// is unsure, a language that the model does not know and a part or perhaps
	// all of the text is in, and both in words.
	unsure        bool
	foreign       string
	warning, hint string
	explained     bool // its notes are wanted
}

// startTranslating takes the service if it runs and the flags do not ask for
// something of their own.
func startTranslating(c *cobra.Command, o *options) (translating, error) {
	if err := o.check(); err != nil {
		return nil, usageError{err}
	}
	if !o.alone() {
		client, err := newClient()
		if err != nil {
			return nil, err
		}
		switch err := answers(c.Context(), client); {
		case err == nil:
			return remote{client: client, private: o.private, explain: o.explain, origin: o.origin, search: o.search}, nil
		case errors.Is(err, fs.ErrPermission): // the machine's service, which is not for this user
			fmt.Fprintln(c.ErrOrStderr(), "dragoman: working without the service:", printable(err.Error()))
		case !errors.Is(err, api.ErrNotRunning):
			return nil, err
		}
	}
	t, err := openTranslator(c, o)
	if err != nil {
		return nil, err
	}
	s, err := loadSetup()
	if err != nil {
		return nil, err
	}
	own := s.words(c)
	return local{Translator: t, words: own.Terms(), own: own.Translations(), explain: o.explain, search: o.search,
		ended: func() {
			tellDevice(c.ErrOrStderr(), t.Devices(), o.device, func() device.Machine {
				return device.Survey(context.WithoutCancel(c.Context()), device.Host(device.Runtime{}))
			})
		}}, nil
}

// local translates in this process.
type local struct {
	*inference.Translator
	words   *glossary.Glossary
	own     *memory.Memory
	explain bool
	search  *inference.Search
	batch   bool   // nobody waits for the texts
	ended   func() // nil where there is nothing to tell
}

func (l local) close() {
	if l.ended != nil {
		l.ended()
	}
	_ = l.Abandon() // the process ends
}

// tellDevice says that a device that was asked for did not serve. A device that
// was asked for is tried whatever the machine says, which a short text does not
// wait for: then the machine says where there is none.
func tellDevice(out io.Writer, d inference.Devices, asked string, machine func() device.Machine) {
	if asked == "" || asked == d.Encoder {
		return
	}
	why := "it was not ready yet; the service goes on when it is"
	for _, fall := range d.Falls {
		if string(fall.Reason.Device) != asked {
			continue
		}
		why = fall.Reason.Error()
		if fall.Reason.Kind == ladder.Waiting {
			why = cmp.Or(absent(machine(), device.Kind(asked)), why)
		}
	}
	fmt.Fprintf(out, "dragoman: the encoder ran on %s, not on %s: %s\n", d.Encoder, asked, printable(why))
}

// absent is why there is no device of a kind, "" where there is one.
func absent(m device.Machine, k device.Kind) string {
	findings := m.Why(k)
	if _, there := m.Find(k); there || len(findings) == 0 {
		return ""
	}
	return findings[0].String()
}

func (l local) check(_ context.Context, from, to string) error {
	if from == api.Auto {
		from = to
	}
	return l.CheckLanguages(from, to)
}

func (l local) languages(context.Context) ([]string, error) { return l.Languages(), nil }

func (l local) detect(_ context.Context, text string) (api.Detection, error) {
	found := language.Detect(text, l.Languages())
	d := api.Detection{
		Language: found.Language, Confidence: found.Confidence, Unsure: found.Unsure, Foreign: found.Other,
		Warning: found.Warning(), Hint: found.Hint(),
	}
	for _, a := range found.Alternatives {
		d.Alternatives = append(d.Alternatives, api.Alternative{Language: a.Language, Confidence: a.Confidence})
	}
	return d, nil
}

func (l local) translate(ctx context.Context, text, from, to string, progress func(inference.Progress)) (translated, error) {
	whole := translated{from: from}
	if from == api.Auto {
		found := language.Detect(text, l.Languages())
		if err := found.Problem(l.Languages()); err != nil {
			return translated{}, err
		}
		whole = translated{from: found.Language, unsure: found.Unsure, foreign: found.Other, warning: found.Warning(), hint: found.Hint()}
	}
	if whole.from == "" { // nothing says what there is to translate
		whole.Text = text
		return whole, nil
	}
	request := inference.Request{
		Text: text, From: whole.from, To: to, Progress: progress, Glossary: l.words, Own: l.own, Explain: l.explain, Search: l.search,
	}
	var err error
	if l.batch {
		request.Before = func(context.Context) (urgent bool, err error) { return false, nil }
		request.Together = func() int { return inference.SentencesTogether }
	}
	if parts := language.Parts(text, whole.from, l.Languages()); from == api.Auto && parts != nil {
		whole.Result, err = l.TranslateParts(ctx, request, parts, nil)
	} else {
		whole.Result, err = l.Translate(ctx, request)
	}
	return whole, err
}

func (l local) align(ctx context.Context, pairs []segment.Pair, from, to string) ([][]segment.Link, error) {
	return aligned.By(ctx, l.Translator, pairs, from, to, !l.batch)
}

// remote lets the service translate.
type remote struct {
	client  *api.Client
	private bool
	explain bool
	search  *inference.Search
	origin  api.Origin
}

func (remote) close() {}

func (r remote) languages(ctx context.Context) ([]string, error) {
	found, err := r.client.Languages(ctx)
	var codes []string
	for _, l := range found.Languages {
		codes = append(codes, l.Code)
	}
	return codes, err
}

func (r remote) align(ctx context.Context, pairs []segment.Pair, from, to string) (all [][]segment.Link, err error) {
	whole := 0
	for _, p := range pairs {
		whole += len(p.Source)
	}
	for len(pairs) > 0 {
		request := api.AlignRequest{From: from, To: to, Lane: laneOf(whole)}
		for size := 0; len(pairs) > 0 && len(request.Pairs) < api.MaxTexts && size < part; pairs = pairs[1:] {
			request.Pairs = append(request.Pairs, api.AlignPair{Source: pairs[0].Source, Translation: pairs[0].Target})
			size += len(pairs[0].Source) + len(pairs[0].Target)
		}
		found, err := r.client.Align(ctx, request)
		switch {
		case errors.Is(err, api.ErrNoAlign), errors.Is(err, api.ErrUnknown): // the latter of an older service
			return nil, segment.ErrNoAlignment
		case err != nil:
			return nil, err
		}
		for _, alignment := range found.Alignments {
			var one []segment.Link
			for _, l := range alignment.Links {
				one = append(one, segment.Link{Source: segment.Span(l.Source), Target: segment.Span(l.Target), Weight: l.Weight})
			}
			all = append(all, one)
		}
	}
	return all, nil
}

// detectable is how much of a text is sent to find out its language, in bytes:
// several times what language.Detect looks at.
const detectable = 16 << 10

func (r remote) detect(ctx context.Context, text string) (api.Detection, error) {
	if len(text) > detectable {
		text = strings.ToValidUTF8(text[:detectable], "")
	}
	found, err := r.client.Detect(ctx, api.DetectRequest{Texts: []string{text}})
	if err != nil || len(found.Detections) != 1 {
		return api.Detection{}, err
	}
	return found.Detections[0], nil
}

func (r remote) check(ctx context.Context, from, to string) error {
	found, err := r.client.Languages(ctx)
	if err != nil {
		return err
	}
	return checkLanguages(found, from, to)
}

// checkLanguages refuses those that the service's model does not know.
func checkLanguages(found api.LanguagesResponse, from string, to ...string) error {
	var known []string
	for _, l := range found.Languages {
		known = append(known, l.Code)
	}
	asked := to
	if from != api.Auto {
		asked = append([]string{from}, to...)
	}
	for _, code := range asked {
		if !slices.Contains(known, code) {
			return tokenizer.UnknownLanguage(code, known)
		}
	}
	return nil
}

// part is how many bytes of a text are sent at once: JSON can make six of one.
const part = 1 << 20

// urgentSize is the size of a text, in bytes, that a person waits for; longer
// ones go behind what others wait for.
const urgentSize = 100_000

func (r remote) translate(ctx context.Context, text, from, to string, progress func(inference.Progress)) (translated, error) {
	for {
		if done, err := r.once(ctx, text, from, to, progress); !errors.Is(err, segment.ErrAnew) {
			return done, err
		}
	}
}

// laneOf is that of so many bytes of text: long ones do not go before what people wait for.
func laneOf(size int) api.Lane {
	if size > urgentSize {
		return api.LaneBatch
	}
	return api.LaneInteractive
}

// once returns segment.ErrAnew where another model has taken over in the middle of
// the text.
func (r remote) once(ctx context.Context, text, from, to string, progress func(inference.Progress)) (translated, error) {
	lane := laneOf(len(text))
	var whole translated
	var model segment.OneModel
	sentences, total := 0, 0 // of the parts before, and of this one
	var out strings.Builder
	cut := parts(text, part)
	for _, p := range cut {
		request := api.TranslateRequest{
			Texts: []string{p}, From: from, To: to, Lane: lane, Origin: cmp.Or(r.origin, api.OriginCommand), Private: r.private, Explain: r.explain,
		}
		if r.search != nil {
			request.Beams, request.LengthPenalty, request.Others = r.search.Beams, &r.search.LengthPenalty, r.search.Alternatives
		}
		answer, err := r.client.TranslateStream(ctx, request, func(p api.Piece) error {
			total = p.Total
			if progress != nil {
				progress(inference.Progress{Text: p.Text, Done: p.Done, Total: p.Total})
			}
			return nil
		})
		if err != nil {
			return translated{}, err
		}
		done := answer.Translations[0]
		if err := model.Check(done.Model); err != nil {
			return translated{}, err
		}
		if done.From != "" {
			from, whole.from = done.From, done.From // of all parts
		}
		whole.unsure = whole.unsure || done.Unsure
		whole.foreign = cmp.Or(whole.foreign, done.Foreign)
		whole.warning, whole.hint = cmp.Or(whole.warning, done.Warning), cmp.Or(whole.hint, done.Hint)
		for _, d := range done.Doubts {
			whole.Doubts = append(whole.Doubts, inference.Doubt{Kind: check.Kind(d.Kind), Sentence: sentences + d.Sentence, Source: d.Source, Target: d.Text})
		}
		for _, n := range done.Notes {
			whole.Notes = append(whole.Notes, inference.Note{Sentence: sentences + n.Sentence, What: n.What, Details: n.Details})
		}
		whole.Untouched = inference.Reason(done.Untouched)
		if len(cut) == 1 {
			whole.Alternatives = done.Others
		}
		sentences += total
		out.WriteString(done.Text)
		addStats(&whole.Stats, done.Stats)
	}
	whole.Text, whole.model = out.String(), model.Name
	return whole, nil
}

// addStats adds what a part took. Times of single tokens are those of the last
// part that had any.
func addStats(sum *inference.Stats, s api.Stats) {
	us := func(n int64) time.Duration { return time.Duration(n) * time.Microsecond }
	if sum.FirstToken == 0 {
		sum.FirstToken = us(s.FirstTokenUS)
	}
	if s.TokenUS > 0 {
		sum.TokenMedian, sum.TokenP95 = us(s.TokenUS), us(s.TokenP95US)
	}
	sum.Sentences += s.Sentences
	sum.Remembered += s.Remembered
	sum.Kept += s.Kept
	sum.Protected += s.Protected
	sum.Retried += s.Retried
	sum.Doubtful += s.Doubtful
	sum.Cut += s.Cut
	sum.Guarded += s.Guarded
	sum.TokensIn += s.TokensIn
	sum.TokensOut += s.TokensOut
	sum.BucketTokens += s.BucketTokens
	sum.PaddingTokens += s.Padding
	sum.Tokenise += us(s.TokeniseUS)
	sum.Encode += us(s.EncodeUS)
	sum.Total += us(s.TotalUS)
}

// parts cuts a text into parts of at most about most bytes, after an empty line
// where there is one, else after a line: sentences do not go on there.
func parts(text string, most int) []string {
	var cut []string
	for len(text) > most {
		at := strings.LastIndex(text[:most], "\n\n") + 2
		if at < 2 {
			at = strings.LastIndexByte(text[:most], '\n') + 1
		}
		if at < 1 {
			at = strings.LastIndexByte(text[:most], ' ') + 1
		}
		if at < 1 {
			break // nothing to cut at: the service says what it thinks of it
		}
		cut = append(cut, text[:at])
		text = text[at:]
	}
	return append(cut, text)
}
