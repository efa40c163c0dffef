package inference

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"dragoman/inference/checksum"
	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/model"
	"dragoman/inference/openvino"
	"dragoman/inference/text"
)

// Translator is a loaded model. It is safe for concurrent use; sentences take
// turns.
type Translator struct {
	core       *openvino.Core
	checkpoint *model.Checkpoint
	tokenizer  *tokenizer.Tokenizer
	engine     *m2m100.Engine
	key        string // of the checkpoint's content
	scratch    string // folder to remove at the end, "" if there is none
}

// Request is a text to translate. Languages are codes of Languages.
type Request struct {
	Text     string
	From, To string
	// Progress, where not nil, is told after each sentence how many of all are done.
	Progress func(done, total int)
}

// Result is a translation and what it took.
type Result struct {
	Text  string
	Stats Stats
}

// Close gives everything back.
func (t *Translator) Close() error {
	var err error
	if t.engine != nil {
		err = t.engine.Close()
	}
	return errors.Join(err, t.checkpoint.Close(), t.removeScratch())
}

// Abandon removes what would outlive the process and leaves everything else to
// the system, which takes memory back faster than the runtime does. It is for
// programs that end right afterwards.
func (t *Translator) Abandon() error { return t.removeScratch() }

// Languages are the codes of the languages that the model translates between,
// sorted.
func (t *Translator) Languages() []string { return t.tokenizer.Languages() }

// Runtime is the library that the model runs on.
func (t *Translator) Runtime() *openvino.Runtime { return t.core.Runtime() }

// ModelKey stands for the content of the model's files, its vocabulary
// included: another key translates differently.
func (t *Translator) ModelKey() (string, error) {
	key := t.key
	for _, name := range tokenizer.Files {
		f, err := os.Open(filepath.Join(t.checkpoint.Dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue // loading has decided which may be missing
		}
		if err != nil {
			return "", err
		}
		sum, err := checksum.Read(f)
		if err := errors.Join(err, f.Close()); err != nil {
			return "", fmt.Errorf("read %s: %w", f.Name(), err)
		}
		key += " " + sum.String()
	}
	return key, nil
}

// CheckLanguages tells whether the model translates between two languages.
func (t *Translator) CheckLanguages(from, to string) error {
	for _, code := range []string{from, to} {
		if _, ok := t.tokenizer.LanguageID(code); !ok {
			return fmt.Errorf("language %q: %w", code, tokenizer.ErrUnknownLanguage)
		}
	}
	return nil
}

// Translate translates a text of any length, sentence by sentence. White
// space, line ends and what has nothing to translate stay as they are. It ends
// early with ctx, between two tokens.
func (t *Translator) Translate(ctx context.Context, r Request) (Result, error) {
	start := time.Now()
	if err := t.CheckLanguages(r.From, r.To); err != nil {
		return Result{}, err
	}
	if r.From == r.To {
		return Result{Text: r.Text}, nil
	}
	j := job{Translator: t, request: r, start: start, known: map[string]string{}}
	pieces := text.Split(r.Text, r.From)
	for _, p := range pieces {
		if p.Kind == text.Sentence {
			j.total++
		}
	}
	translated, err := j.run(ctx, pieces)
	if err != nil {
		return Result{}, err
	}
	j.stats.Total = time.Since(start)
	j.stats.finish(j.steps)
	return Result{Text: text.Join(pieces, translated, r.From, r.To), Stats: j.stats}, nil
}

// job is one text on its way.
type job struct {
	*Translator
	request Request
	start   time.Time
	total   int               // sentences
	known   map[string]string // sentences of this text that were translated
	stats   Stats
	steps   []time.Duration
}

func (j *job) run(ctx context.Context, pieces []text.Piece) ([]string, error) {
	translated := make([]string, 0, j.total)
	line := 1
	for _, p := range pieces {
		if p.Kind != text.Sentence {
			line += strings.Count(p.Text, "\n")
			continue
		}
		out, ok := j.known[p.Text]
		if !ok {
			var err error
			if out, err = j.sentence(ctx, p.Text); err != nil {
				return nil, fmt.Errorf("line %d, sentence %d of %d: %w", line, len(translated)+1, j.total, err)
			}
			j.known[p.Text] = out
		}
		translated = append(translated, out)
		if j.request.Progress != nil {
			j.request.Progress(len(translated), j.total)
		}
	}
	return translated, nil
}

// sentence translates one sentence, in parts where the model cannot take it
// whole.
func (j *job) sentence(ctx context.Context, sentence string) (string, error) {
	tokens, err := j.encode(sentence)
	if err != nil {
		return "", err
	}
	if !j.knows(tokens) {
		j.stats.Kept++
		return sentence, nil
	}
	longest := j.engine.Longest()
	if len(tokens) <= longest {
		return j.generate(ctx, tokens)
	}
	parts := text.Cut(sentence, func(part string) bool {
		tokens, err := j.encode(part)
		return err == nil && len(tokens) <= longest
	})
	var translated []string
	for _, p := range parts {
		if p.Kind != text.Sentence {
			continue
		}
		tokens, err := j.encode(p.Text)
		if err != nil {
			return "", err
		}
		out, err := j.generate(ctx, tokens)
		if err != nil {
			return "", err
		}
		translated = append(translated, out)
	}
	return text.Join(parts, translated, j.request.From, j.request.To), nil
}

// knows tells whether the model has words for most of a sentence. A run of
// characters outside its vocabulary is one unknown token however long it is,
// and the model would invent a word for it.
func (j *job) knows(tokens []int32) bool {
	known, unknown := 0, 0
	for _, token := range tokens {
		switch {
		case token == j.tokenizer.Unknown():
			unknown++
		case j.tokenizer.Decode([]int32{token}) != "":
			known++
		}
	}
	return unknown == 0 || known > unknown
}

func (j *job) encode(sentence string) ([]int32, error) {
	start := time.Now()
	defer func() { j.stats.Tokenise += time.Since(start) }()
	return j.tokenizer.Encode(j.request.From, sentence)
}

func (j *job) generate(ctx context.Context, tokens []int32) (string, error) {
	target, _ := j.tokenizer.LanguageID(j.request.To)
	begun := time.Since(j.start)
	g, err := j.engine.Generate(ctx, tokens, target)
	if err != nil {
		return "", err
	}
	out := j.tokenizer.Decode(g.Tokens)
	if strings.TrimSpace(out) == "" {
		return "", m2m100.ErrEmpty
	}
	if j.stats.Sentences == 0 {
		j.stats.FirstToken = begun + g.Encode + g.Steps[0]
	}
	j.stats.add(len(tokens), g)
	j.steps = append(j.steps, g.Steps[1:]...)
	return out, nil
}
