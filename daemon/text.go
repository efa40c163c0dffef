package daemon

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"time"
	"unicode/utf8"

	"dragoman/daemon/api"
	"dragoman/daemon/queue"
	"dragoman/inference"
	"dragoman/inference/language"
)

// text is one text to translate and for whom.
type text struct {
	text, from, to string
	lane           queue.Lane
	fair           string // batch texts of different values take turns
	origin         api.Origin
	private        bool // leaves no trace in history and memory
}

// translation is what became of a text.
type translation struct {
	text, from string
	stats      inference.Stats
	waited     time.Duration
}

// noDeadline is the deadline of work that may take as long as it needs.
var noDeadline time.Time

type ticket = queue.Ticket[inference.Progress, translation]

// submit puts a text into the queue. The same text that is already there is
// translated once for all who ask.
func (d *Daemon) submit(ctx context.Context, t text, deadline time.Time) (*ticket, error) {
	return d.queue.Submit(ctx, queue.Task[inference.Progress, translation]{
		Key: t.key(d.models.recipe()), Lane: t.lane, Fair: t.fair, Deadline: deadline,
		Detail: api.Job{
			Kind: api.JobText, Origin: t.origin, From: t.from, To: t.to, Chars: utf8.RuneCountInString(t.text),
		},
		Run: func(ctx context.Context, out *queue.Stream[inference.Progress]) (translation, error) {
			return d.translate(ctx, t, out)
		},
	})
}

// key is the same for texts whose translations are the same and leave the same
// traces. Lengths keep the parts apart.
func (t text) key(recipe string) string {
	h := sha256.New()
	private := ""
	if t.private {
		private = "private"
	}
	for _, part := range []string{recipe, t.from, t.to, private, t.text} {
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
	from := t.from
	if from == api.Auto {
		if from = language.Detect(t.text, model.Languages()).Language; from == "" {
			// Nothing says what language it is, so there is nothing to translate.
			out.Send(inference.Progress{Text: t.text})
			return translation{text: t.text, waited: out.Waited()}, model.CheckLanguages(t.to, t.to)
		}
	}
	result, err := model.Translate(ctx, inference.Request{
		Text: t.text, From: from, To: t.to, Memory: d.memoryOf(ctx, model, from, t),
		Before: func(ctx context.Context) (bool, error) {
			err := out.Gate(ctx)
			return out.Urgent(), err
		},
		Progress: func(p inference.Progress) {
			out.Progress(p.Done, p.Total)
			out.Send(p)
		},
	})
	if err != nil {
		if cause := context.Cause(ctx); cause != nil && errors.Is(err, ctx.Err()) {
			err = cause
		}
		return translation{}, err
	}
	d.totals.add(result.Stats)
	d.keep(ctx, t, from, result.Text)
	return translation{text: result.Text, from: from, stats: result.Stats, waited: out.Waited()}, nil
}

// detect finds out the language of a text among the model's.
func (d *Daemon) detect(ctx context.Context, text string) (api.Detection, error) {
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return api.Detection{}, err
	}
	defer release()
	found := language.Detect(text, model.Languages())
	return api.Detection{Language: found.Language, Confidence: found.Confidence}, nil
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
