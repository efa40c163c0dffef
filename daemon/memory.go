package daemon

import (
	"context"
	"log/slog"
	"sync"

	"dragoman/daemon/store"
	"dragoman/inference"
	"dragoman/inference/glossary"
)

// sentences is the translation memory as a text uses it. A memory that fails is
// none: the model answers instead.
type sentences struct {
	ctx     context.Context // of the text, which is what the memory works for
	store   *store.Store
	scope   store.Scope
	private bool // remembers nothing
	failed  *sync.Once
}

// memoryOf returns the memory of each language for a text that is translated with
// the person's words.
func (d *Daemon) memoryOf(ctx context.Context, model *loaded, t text, words *glossary.Glossary) func(from string) inference.Memory {
	enabled := d.settings().Memory.Enabled
	return func(from string) inference.Memory {
		if !enabled {
			return nil
		}
		return sentences{
			ctx: ctx, store: d.store, private: t.private, failed: &d.memoryFailed,
			scope: store.Scope{Model: model.key, Recipe: model.about.Weights + " rules " + inference.RulesVersion + words.Key() + searchOf(t), From: from, To: t.to},
		}
	}
}

// searchOf sets apart what a beam search remembers: it is another translation than
// the fastest one.
func searchOf(t text) string {
	if key := t.search.Key(); key != "" {
		return " " + key
	}
	return ""
}

func (s sentences) Recall(sentence string) (string, bool) {
	translation, found, err := s.store.Recall(s.ctx, s.scope, sentence)
	if err != nil && s.ctx.Err() == nil {
		s.failed.Do(func() { slog.Warn("Translation memory cannot be read", "err", err) })
	}
	return translation, found && err == nil
}

func (s sentences) Remember(sentence, translation string) {
	if s.private {
		return
	}
	err := s.store.Remember(s.ctx, s.scope, []store.Pair{{Source: sentence, Target: translation}})
	if err != nil {
		s.failed.Do(func() { slog.Warn("Translation memory cannot be written", "err", err) })
	}
}
