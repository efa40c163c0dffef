package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/internal/english"
	"dragoman/tray/target"
)

// task is a text that shall be translated.
type task struct {
	text   string
	from   string // named by the person, "" to be detected
	key    string // of the result that it replaces, "" for a new one
	copies int    // of Agent.copies when the clipboard held it; it holds another text when there are more
	asked  bool   // by a key or a click: the person waits for an answer in any case
}

// result is a text that was translated.
type result struct {
	key         string
	source      string
	translation string
	from, to    string
	guesses     []string // what it may be in as well
	copies      int      // as of its task
}

const (
	// maxWaiting texts wait; of a flood of copies the newest are worth most.
	maxWaiting = 32
	// longText is from how many bytes on a text is long: others do not wait for
	// it, which may take minutes.
	longText = 2000
	// maxResults are kept, in this process alone.
	maxResults = 20
	// patience is how long the service may take for a text.
	patience = 2 * time.Minute
	// showFrom is when the beginning of a long translation is shown, and
	// showEvery how often it grows.
	showFrom, showEvery = 1500 * time.Millisecond, time.Second
)

// errSlow is for people: a service that lives, but is too slow.
var errSlow = fmt.Errorf("the service took longer than %s", english.Duration(patience))

// enqueue has a text translated after those that wait already.
func (a *Agent) enqueue(ctx context.Context, t task) {
	a.waiting = append(a.waiting, t)
	if len(a.waiting) > maxWaiting {
		a.waiting = append(a.waiting[:0:0], a.waiting[1:]...)
	}
	a.next(ctx)
}

func (t task) long() bool { return len(t.text) >= longText }

// next begins with the next short and the next long text, where none such is in
// work. The service translates them side by side, sentence by sentence.
func (a *Agent) next(ctx context.Context) {
	for _, long := range []bool{false, true} {
		i := slices.IndexFunc(a.waiting, func(t task) bool { return t.long() == long })
		if i >= 0 && !a.busy[long] {
			t := a.waiting[i]
			a.waiting = slices.Delete(a.waiting, i, i+1)
			a.begin(ctx, t)
		}
	}
}

func (a *Agent) begin(ctx context.Context, t task) {
	a.busy[t.long()] = true
	if t.key == "" {
		a.number++
		t.key = "r" + strconv.Itoa(a.number)
	}
	wish := a.wish()
	a.aside(ctx, func() func() {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		var r result
		var done bool
		err := a.ask(limited, func(ctx context.Context) (err error) {
			r, done, err = a.translate(ctx, t, wish)
			return err
		})
		return func() {
			a.busy[t.long()] = false
			switch {
			case err == nil:
				a.silent = false
			case errors.Is(err, context.DeadlineExceeded):
				err = errSlow
			}
			switch {
			case err != nil:
				a.translationFailed(ctx, t, err)
			case done:
				a.translated(ctx, t, r)
			case t.asked:
				a.nothing(ctx)
			}
			a.next(ctx)
		}
	})
}

// translate asks the service. done is false for a text that needs no
// translation. It runs beside Run's goroutine.
func (a *Agent) translate(ctx context.Context, t task, w target.Wish) (r result, done bool, err error) {
	detected := api.Detection{Language: t.from, Confidence: 1}
	if t.from == "" {
		answer, err := a.opts.Client.Detect(ctx, api.DetectRequest{Texts: []string{t.text}})
		if err != nil {
			return result{}, false, err
		}
		if len(answer.Detections) == 1 {
			detected = answer.Detections[0]
		}
	}
	to := w.Choose(detected)
	if to == "" || target.Foreign(detected) {
		slog.Debug("A text needs no translation", "bytes", len(t.text), "from", detected.Language, "foreign", detected.Foreign)
		return result{}, false, nil
	}
	g := growth{begun: time.Now(), next: showFrom}
	answer, err := a.opts.Client.TranslateStream(ctx, api.TranslateRequest{
		Texts: []string{t.text}, From: target.From(detected), To: to, Lane: api.LaneInteractive, Origin: api.OriginClipboard,
		TimeoutMS: patience.Milliseconds(),
	}, func(p api.Piece) error {
		if text, due := g.add(p); due {
			a.do(ctx, func() { a.growing(ctx, t, to, text, p.Done, p.Total) })
		}
		return nil
	})
	if err != nil || len(answer.Translations) != 1 {
		return result{}, false, err
	}
	tr := answer.Translations[0]
	r = result{key: t.key, source: t.text, translation: tr.Text, from: tr.From, to: to, copies: t.copies}
	for _, alternative := range detected.Alternatives {
		if alternative.Language != to {
			r.guesses = append(r.guesses, alternative.Language)
		}
	}
	return r, strings.TrimSpace(tr.Text) != strings.TrimSpace(t.text), nil
}

// growth collects the pieces of a long text.
type growth struct {
	begun time.Time
	next  time.Duration // since begun, when more shall be shown
	text  strings.Builder
}

// add takes a piece, and says whether it is time to show what there is.
func (g *growth) add(p api.Piece) (text string, due bool) {
	g.text.WriteString(p.Text)
	since := time.Since(g.begun)
	if since < g.next || p.Done == p.Total {
		return "", false
	}
	g.next = since + showEvery
	return g.text.String(), true
}
