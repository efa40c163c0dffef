package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"time"
	"unicode/utf8"

	"dragoman/daemon/api"
	"dragoman/daemon/queue"
	"dragoman/inference"
	"dragoman/inference/language"
)

// text is one text to translate and for whom.
type text struct {
	text, from, to string // from is "" where there is nothing to translate
	lane           queue.Lane
	fair           string // batch texts of different values take turns
	origin         api.Origin
	private        bool // leaves no trace in history and memory
	explain        bool // its notes are wanted
	search         *inference.Search
	glossary       string // file or folder of terms that count besides the own ones, "" for none
	asked          time.Time
	detected       *detected       // nil where from was named
	parts          []language.Part // where several languages were found
}

// detected is what was found out about a text's language.
type detected struct {
	language.Finding
	problem error // why it cannot be translated, nil where it can
}

// translation is what became of a text.
type translation struct {
	text, from string
	model      string // recipe of the one that served
	stats      inference.Stats
	doubts     []inference.Doubt
	untouched  inference.Reason
	notes      []inference.Note
	others     []string
	waited     time.Duration
}

// noDeadline is the deadline of work that may take as long as it needs.
var noDeadline time.Time

type ticket = queue.Ticket[inference.Progress, translation]

// resolve finds out a text's language where that was not named.
func (d *Daemon) resolve(ctx context.Context, t *text) error {
	if t.from != api.Auto {
		if !t.private {
			d.hints.saw(t.from)
		}
		return nil
	}
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	found := d.found.of(t.text, model.Languages(), language.Detect).Prefer(d.hints.likely())
	if !t.private && !found.Unsure && found.Language != "" {
		d.hints.saw(found.Language)
	}
	t.from, t.detected = found.Language, &detected{found, found.Problem(model.Languages())}
	t.parts = language.Parts(t.text, t.from, model.Languages())
	return nil
}

// submit puts a text into the queue. The same text that is already there is
// translated once for all who ask.
func (d *Daemon) submit(ctx context.Context, t text, deadline time.Time) (*ticket, error) {
	return d.queue.Submit(ctx, queue.Task[inference.Progress, translation]{
		Key: t.key(d.models.recipe()), Lane: t.lane, Fair: t.fair, Deadline: deadline, Detail: t.job(),
		Run: func(ctx context.Context, out *queue.Stream[inference.Progress]) (translation, error) {
			return d.translate(ctx, t, out)
		},
	})
}

// job is what is known of a text before it is accepted. Of a private one that is
// nothing.
func (t text) job() api.Job {
	if t.private {
		return api.Job{Kind: api.JobText, Origin: t.origin, Private: true}
	}
	return api.Job{Kind: api.JobText, Origin: t.origin, From: t.from, To: t.to, Chars: utf8.RuneCountInString(t.text)}
}

// key is the same for texts whose translations are the same and leave the same
// traces. Lengths keep the parts apart.
func (t text) key(recipe string) string {
	h := sha256.New()
	private, mixed, search := "", "", t.search.Key()
	if t.search != nil {
		search += fmt.Sprint(" others ", t.search.Alternatives)
	}
	if t.private {
		private = "private"
	}
	if t.parts != nil {
		mixed = "mixed"
	}
	for _, part := range []string{recipe, t.from, t.to, private, mixed, t.glossary, search, t.text} {
		_ = binary.Write(h, binary.LittleEndian, int64(len(part))) // hashes do not fail
		h.Write([]byte(part))
	}
	return string(h.Sum(nil))
}

// translate runs on a worker of the queue.
func (d *Daemon) translate(ctx context.Context, t text, out *queue.Stream[inference.Progress]) (translation, error) {
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return translation{}, err
	}
	defer release()
	if t.from == "" {
		out.Send(inference.Progress{Text: t.text})
		return translation{text: t.text, model: model.recipe(), untouched: inference.Nothing, waited: out.Waited()}, model.CheckLanguages(t.to, t.to)
	}
	measured, gate := d.measure(), d.gate(out)
	words := d.words.TermsWith(t.glossary)
	memory := d.memoryOf(ctx, model, t, words)
	request := inference.Request{
		Text: t.text, From: t.from, To: t.to, Memory: memory(t.from), Glossary: words, Own: d.words.Translations(),
		Forget:  t.private || !d.settings().Memory.Enabled,
		Explain: true, // others may join who want to know
		Search:  t.search,
		Before: func(ctx context.Context) (bool, error) {
			err := gate(ctx)
			return out.Urgent(), err
		},
		Together: func() int { return d.together(out) },
		Progress: func(p inference.Progress) {
			out.Progress(p.Done, p.Total)
			out.Send(p)
		},
	}
	translate := model.Translate
	if t.parts != nil {
		translate = func(ctx context.Context, r inference.Request) (inference.Result, error) {
			return model.TranslateParts(ctx, r, t.parts, memory)
		}
	}
	result, err := translate(ctx, request)
	measured(result.Stats, err)
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, ctx.Err()) {
			err = cause
		}
		d.telemetry.Failed()
		return translation{}, err
	}
	d.totals.add(result.Stats)
	d.telemetry.Text(result.Stats, out.Waited(), out.Urgent())
	return translation{text: result.Text, from: t.from, model: model.recipe(), stats: result.Stats, doubts: result.Doubts, untouched: result.Untouched, notes: result.Notes, others: result.Alternatives, waited: out.Waited()}, nil
}

// together is how many sentences of a text may be on their way. What a person
// waits for comes in its order, and what is to be slow rests between two of them.
func (d *Daemon) together(out *queue.Stream[inference.Progress]) int {
	if out.Urgent() || d.supply.slow() {
		return 1
	}
	return inference.SentencesTogether
}

// detect finds out the language of a text among the model's.
func (d *Daemon) detect(ctx context.Context, text string) (api.Detection, error) {
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return api.Detection{}, err
	}
	defer release()
	found := language.Detect(text, model.Languages()).Prefer(d.hints.likely())
	return api.Detection{
		Language: found.Language, Confidence: found.Confidence, Unsure: found.Unsure,
		Alternatives: alternatives(found), Foreign: found.Other, Warning: found.Warning(), Hint: found.Hint(),
	}, nil
}

func alternatives(found language.Finding) (all []api.Alternative) {
	for _, a := range found.Alternatives {
		all = append(all, api.Alternative{Language: a.Language, Confidence: a.Confidence})
	}
	return all
}

// checkLanguages refuses languages that the model does not have before a text
// waits in the queue.
func (d *Daemon) checkLanguages(ctx context.Context, from, to string) error {
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return err
	}
	defer release()
	if from == api.Auto {
		from = to
	}
	return model.CheckLanguages(from, to)
}
