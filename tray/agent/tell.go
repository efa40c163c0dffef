package agent

import (
	"context"
	"errors"
	"log/slog"
	"strings"

	"dragoman/daemon/api"
	"dragoman/tray/message"
	"dragoman/tray/notify"
	resultnote "dragoman/tray/result"
)

// Actions of notifications. A language's code follows actFrom.
const (
	actCopy    = "copy"
	actReplace = "replace"
	actRestore = "restore"
	actOther   = "other"
	actStart   = "start"
	actRestart = "restart"
	actFrom    = "from:"
)

// maxGuesses are the languages that are offered for a wrong detection;
// notifications have room for three or four buttons.
const maxGuesses = 3

// tell shows one sentence, where notifications are on.
func (a *Agent) tell(ctx context.Context, key, text string, buttons ...notify.Action) {
	a.notify(ctx, notify.Note{Key: key, Title: "Dragoman", Body: text, Actions: buttons})
}

// notify shows a note, where notifications are on.
func (a *Agent) notify(ctx context.Context, n notify.Note) {
	if !a.settings.now().Tray.Notifications {
		return
	}
	a.inTurn(ctx, func() {
		if err := a.opts.Notifier.Show(ctx, n); err != nil && ctx.Err() == nil {
			slog.Warn("A notification was not shown", "err", err)
		}
	})
}

// inTurn does something to notes aside, so that a desktop that hangs holds
// nobody up, and after what was asked before: a whole translation must not be
// replaced by its beginning.
func (a *Agent) inTurn(ctx context.Context, f func()) {
	before, done := a.noted, make(chan struct{})
	a.noted = done
	a.aside(ctx, func() func() {
		defer close(done)
		if before != nil {
			<-before
		}
		f()
		return nil
	})
}

// translated keeps and shows a result.
func (a *Agent) translated(ctx context.Context, t task, r result) {
	a.failed = ""
	a.keep(r)
	s := a.settings.now()
	if a.clipboard != nil {
		// Who copies a part of what is shown does not want it translated back.
		a.clipboard.Remember(r.translation)
	}
	buttons := []notify.Action{{ID: notify.Default, Label: a.texts.Say(message.NoteCopy)}}
	if s.Clipboard.Replace && t.copies == a.copies {
		a.write(ctx, r, nil)
		buttons = append(buttons, notify.Action{ID: actRestore, Label: a.texts.Say(message.NoteRestore)})
	} else {
		buttons = append(buttons,
			notify.Action{ID: actCopy, Label: a.texts.Say(message.NoteCopy)},
			notify.Action{ID: actReplace, Label: a.texts.Say(message.NoteReplace)})
	}
	if len(r.guesses) == 1 {
		buttons = append(buttons, a.itWas(r.guesses[0]))
	} else {
		buttons = append(buttons, notify.Action{ID: actOther, Label: a.texts.Say(message.NoteOtherLanguage)})
	}
	a.notify(ctx, a.resultNote(r.key, r.translation, resultnote.Title(a.texts, a.name(r.to)), buttons...))
}

// growing shows the beginning of a long translation.
func (a *Agent) growing(ctx context.Context, t task, to, text string, done, total int) {
	title := resultnote.Title(a.texts, a.name(to)) + ": " +
		a.texts.Count(message.NoteProgress, int64(total), "Done", done)
	a.notify(ctx, a.resultNote(t.key, text, title))
}

func (a *Agent) resultNote(key, text, title string, buttons ...notify.Action) notify.Note {
	n := resultnote.Note(a.texts, key, title, text, a.settings.now().Tray.ShowText)
	n.Actions = buttons
	return n
}

// keep puts a result first, in the place of an earlier one of the same key.
func (a *Agent) keep(r result) {
	kept := []result{r}
	for _, other := range a.results {
		if other.key != r.key && len(kept) < maxResults {
			kept = append(kept, other)
		}
	}
	a.results = kept
}

func (a *Agent) find(key string) (result, bool) {
	for _, r := range a.results {
		if r.key == key {
			return r, true
		}
	}
	return result{}, false
}

// translationFailed tells a failure once; the same one again is no news. The
// clipboard stays as it is.
func (a *Agent) translationFailed(ctx context.Context, t task, err error) {
	if ctx.Err() != nil {
		return
	}
	slog.Warn("A text was not translated", "bytes", len(t.text), "err", err)
	a.judge.Forget()
	a.withdraw(ctx, t.key) // what had been shown of it
	if errors.Is(err, errSilent) {
		a.fellSilent(ctx)
		a.waiting = nil // each would take as long, and then be old
		if a.failed != err.Error() || t.asked {
			a.tellSilent(ctx)
		}
		a.failed = err.Error()
		return
	}
	if errors.Is(err, api.ErrNotRunning) {
		if a.failed != "away" || t.asked {
			a.tell(ctx, "away", a.texts.Say(message.NoteStopped), a.startButton()...)
		}
		a.failed = "away"
		return
	}
	reason := err.Error()
	if reason != a.failed || t.asked {
		a.tell(ctx, "failed", a.texts.Say(message.NoteFailed)+": "+reason)
	}
	a.failed = reason
}

func (a *Agent) startButton() []notify.Action {
	if a.opts.Desktop.StartService == nil {
		return nil
	}
	return []notify.Action{{ID: actStart, Label: a.texts.Say(message.ServiceStart)}}
}

// withdraw takes a note away.
func (a *Agent) withdraw(ctx context.Context, key string) {
	a.inTurn(ctx, func() {
		_ = a.opts.Notifier.Withdraw(ctx, key) // it may be gone, with its desktop
	})
}

// nothing answers a person who asked for what needs no translation.
func (a *Agent) nothing(ctx context.Context) {
	a.tell(ctx, "now", a.texts.Say(message.NoteNothing))
}

// answered does what was clicked on a notification.
func (a *Agent) answered(ctx context.Context, e notify.Event) {
	switch e.Action {
	case actStart:
		a.startService(ctx)
		return
	case actRestart:
		a.restartService(ctx)
		return
	}
	r, found := a.find(e.Key)
	if !found {
		return
	}
	from, named := strings.CutPrefix(e.Action, actFrom)
	switch {
	case named:
		a.enqueue(ctx, task{text: r.source, from: from, key: r.key, copies: r.copies, asked: true})
	case e.Action == notify.Default, e.Action == actCopy:
		a.write(ctx, r, nil)
	case e.Action == actReplace:
		a.write(ctx, r, func() {
			a.tell(ctx, r.key, a.texts.Say(message.NoteCopied), notify.Action{ID: actRestore, Label: a.texts.Say(message.NoteRestore)})
		})
	case e.Action == actRestore:
		a.write(ctx, result{translation: r.source}, func() { a.tell(ctx, r.key, a.texts.Say(message.NoteRestored)) })
	case e.Action == actOther:
		a.askLanguage(ctx, r)
	}
}

// write fills the clipboard with a translation, and then does then.
func (a *Agent) write(ctx context.Context, r result, then func()) {
	c := a.clipboard
	if c == nil {
		a.tell(ctx, "write", a.texts.Say(message.ClipImpossible, "Reason", a.impossible.Say(a.texts)))
		return
	}
	a.aside(ctx, func() func() {
		limited, cancel := context.WithTimeout(ctx, readPatience)
		defer cancel()
		if err := c.Write(limited, r.translation); err != nil {
			slog.Warn("The clipboard was not filled", "bytes", len(r.translation), "err", err)
			return func() { a.tell(ctx, "write", err.Error()) }
		}
		return then
	})
}

// askLanguage asks what a text was in: what it may be by the detector, then
// what the person uses, then the rest.
func (a *Agent) askLanguage(ctx context.Context, r result) {
	var buttons []notify.Action
	offered := map[string]bool{r.from: true, r.to: true}
	codes := append(append([]string{}, r.guesses...), a.memory.Recent...)
	for _, l := range a.languages {
		codes = append(codes, l.Code)
	}
	for _, code := range codes {
		if !offered[code] && len(buttons) < maxGuesses && a.known().Has(code) {
			offered[code] = true
			buttons = append(buttons, a.itWas(code))
		}
	}
	a.notify(ctx, a.resultNote(r.key, r.source, a.texts.Say(message.NoteOtherLanguage), buttons...))
}

func (a *Agent) itWas(code string) notify.Action {
	return notify.Action{ID: actFrom + code, Label: a.texts.Say(message.NoteItWas, "Language", a.name(code))}
}

// name is a language's for people.
func (a *Agent) name(code string) string {
	for _, l := range a.languages {
		if l.Code == code {
			return a.texts.Name(code, l.Name)
		}
	}
	return a.texts.Name(code, "")
}
