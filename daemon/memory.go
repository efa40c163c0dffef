package daemon

import (
	"context"
	"log/slog"
	"sync"

	"dragoman/daemon/store"
	"dragoman/inference"
	"dragoman/inference/glossary"
	"dragoman/inference/memory"
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

// memoryOf returns the memory for a text that is translated with the person's
// words, nil where there is none.
func (d *Daemon) memoryOf(ctx context.Context, model *loaded, t text, words *glossary.Glossary) inference.Memory {
	if !d.settings().Memory.Enabled {
		return nil
	}
	return sentences{
		ctx: ctx, store: d.store, private: t.private, failed: &d.memoryFailed,
		scope: store.Scope{Model: model.key, Recipe: model.about.Weights + " rules " + inference.RulesVersion + words.Key(), From: t.from, To: t.to},
	}
}

// words are the person's own. What is wrong with a file of them is logged once;
// it then counts for nothing.
func (d *Daemon) words() *glossary.Glossary {
	words, err := d.glossaries.Current()
	if err != nil {
		slog.Warn("A glossary cannot be used: `dragoman glossary check` says why, too", "err", err)
	}
	return words
}

// own are the person's own translations.
func (d *Daemon) own() *memory.Memory {
	own, err := d.memories.Current()
	if err != nil {
		slog.Warn("A translation memory cannot be used: `dragoman memory list` says why, too", "err", err)
	}
	return own
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
