package inference

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/check"
	"dragoman/inference/checksum"
	"dragoman/inference/glossary"
	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/draft"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/memory"
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
	weights    string // the format
	key        string // of the checkpoint's content
	scratch    string // folder to remove at the end, "" if there is none
	drafts     *draft.Memory
	looks      looks
	ways       ways

	placement    string        // of the encoder on the processor
	system       *system       // nil where nothing but the processor is tried
	accelerating *accelerating // of the encoder, nil likewise
	decoding     *decoding     // of the decoder, nil likewise
}

// Request is a text to translate. Languages are codes of Languages.
type Request struct {
	Text     string
	From, To string
	// Before, where not nil, is called before each sentence that goes to the
	// model, by one goroutine at a time. It may wait, and says whether a person
	// waits for the text: urgent sentences, as all are without Before, go before
	// others at the next decode step. An error ends the translation.
	Before func(context.Context) (urgent bool, err error)
	// Together, where not nil, says how many sentences of the text may be on
	// their way at once, which it is asked before each: those that are not urgent
	// take less time together. Without it that is one. What comes out is the same.
	Together func() int
	// Memory, where not nil, is asked before the model and told afterwards; with
	// Together by several goroutines.
	Memory Memory
	// Progress, where not nil, is told each part of the translation when it is
	// ready.
	Progress func(Progress)
	// Glossary has the person's own words, nil for none.
	Glossary *glossary.Glossary
	// Own has the person's own translations, nil for none: they count before all
	// others.
	Own *memory.Memory
	// Forget keeps nothing of the text for later ones, not even in the memory of the
	// process, where it makes those faster that are like it.
	Forget bool
	// Search asks for a beam search, nil for the fastest.
	Search *Search
	// Explain asks for Notes.
	Explain bool
	// Without leaves rules out, to measure what they are worth.
	Without Rules
}

// Rules are parts of the care around the model.
type Rules uint

const (
	Spans      Rules = 1 << iota // what must stay byte for byte is hidden from the model
	Numbers                      // are written as in the source
	Checks                       // of each result, with a second try
	Unwrapping                   // sentences of hard-wrapped paragraphs are whole ones
	Case                         // headings in capitals or Title Case go to the model in plain form
	Marks                        // a text without a full stop gets none
	// AllRules is the bare model, sentence by sentence.
	AllRules = 1<<iota - 1
)

// RulesVersion changes when the rules make other translations of the same
// sentences: memories of another version are not used.
const RulesVersion = "11"

// Memory knows sentences that were translated before, from and into the
// languages of the request, by the same model and recipe.
type Memory interface {
	Recall(sentence string) (translation string, found bool)
	Remember(sentence, translation string)
}

// Progress is the next part of a translation. All parts, joined, are the whole.
type Progress struct {
	Text        string
	Done, Total int // sentences
}

// Result is a translation and what it took.
type Result struct {
	Text   string
	Stats  Stats
	Doubts []Doubt
	// Untouched says why the model was not asked for anything; "" where it was.
	Untouched Reason
	Notes     []Note // where Explain asked for them
	// Alternatives are other translations, best first, as many as there are of
	// those that Search asked for.
	Alternatives []string

	variants []string // as many as were asked for, some of them the same
}

// Reason is why a text needs no model.
type Reason string

const (
	Nothing      Reason = "nothing"       // it has nothing to translate: numbers, signs, addresses
	SameLanguage Reason = "same-language" // it is in the target language
	Remembered   Reason = "remembered"    // all of it was translated before
	Protected    Reason = "protected"     // there is nothing besides what must stay
	UnknownWords Reason = "unknown"       // the model has no letters for it
)

// Note is what was done for a sentence, for people.
type Note struct {
	Sentence int // counted from 0
	What     string
	Details  []string // parts of the text
}

// Doubt is a sentence whose translation is of low quality, as far as that can
// be seen without a person.
type Doubt struct {
	Kind           check.Kind
	Sentence       int // counted from 0
	Source, Target string
}

// Close gives everything back.
func (t *Translator) Close() error {
	err := errors.Join(t.accelerating.close(), t.decoding.close())
	if t.engine != nil {
		err = errors.Join(err, t.engine.Close())
	}
	return errors.Join(err, t.closeBasics(), t.removeScratch())
}

// Abandon removes what would outlive the process and leaves everything else to
// the system, which takes memory back faster than the runtime does. It is for
// programs that end right afterwards.
func (t *Translator) Abandon() error {
	abandoned.Store(t, nil)
	return errors.Join(t.accelerating.abandon(), t.decoding.abandon(), t.removeScratch())
}

// abandoned are held, since the garbage collector ends a process that lets go of
// memory which was pinned for the runtime.
var abandoned sync.Map

// Languages are the codes of the languages that the model translates between,
// sorted.
func (t *Translator) Languages() []string { return t.tokenizer.Languages() }

// Runtime is the library that the model runs on.
func (t *Translator) Runtime() *openvino.Runtime { return t.core.Runtime() }

// Weights is how the weights are stored: "int8", "int4", "f32".
func (t *Translator) Weights() string { return t.weights }

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
			return tokenizer.UnknownLanguage(code, t.tokenizer.Languages())
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
		if r.Progress != nil && r.Text != "" {
			r.Progress(Progress{Text: r.Text})
		}
		return Result{Text: r.Text, Untouched: SameLanguage}, nil
	}
	j := job{Translator: t, request: r, start: start, before: new(sync.Mutex), watch: draft.NewWatch()}
	if out, ok := j.own(r.Text); ok {
		return out, nil
	}
	split := text.Split
	if r.Without&Unwrapping != 0 {
		split = text.SplitLines
	}
	pieces := split(r.Text, r.From)
	for _, p := range pieces {
		if p.Kind == text.Sentence {
			j.total++
		}
	}
	translated, variants, err := j.run(ctx, pieces)
	if err != nil {
		return Result{}, err
	}
	j.stats.Total = time.Since(start)
	j.stats.finish(j.steps)
	result := Result{Text: translated, Stats: j.stats, Doubts: j.doubts, Untouched: j.untouched(), Notes: j.notes}
	result.setAlternatives(variants)
	return result, nil
}

// job is one text on its way.
type job struct {
	*Translator
	request Request
	start   time.Time
	total   int         // sentences
	done    int         // sentences
	lane    m2m100.Lane // of the sentence under way
	before  *sync.Mutex // held while the request's Before is called
	watch   *draft.Watch
	likely  []int32 // tokens of a translation of a sentence like the one under way
	stats   Stats
	doubts  []Doubt
	notes   []Note
	steps   []time.Duration
	out     strings.Builder

	found map[string][]string // what a search has found, by the source's tokens
	rank  int                 // of what is taken of it, 0 for the best
}

func (j *job) run(ctx context.Context, pieces []text.Piece) (translation string, others []string, err error) {
	sentences, stop := j.sentences(ctx, pieces)
	defer stop()
	joiner := text.NewJoiner(pieces, j.request.From, j.request.To)
	variants := newVariants(j.request.alternatives(), pieces, j.request.From, j.request.To)
	line := 1
	for _, p := range pieces {
		if p.Kind != text.Sentence {
			line += strings.Count(p.Text, "\n")
			continue
		}
		s := sentences.next()
		if s.flat != p.Text {
			j.note("lines joined, and broken again about where they were", nil)
		}
		out, err := j.take(s)
		if err != nil {
			return "", nil, fmt.Errorf("line %d, sentence %d of %d: %w", line, j.done+1, j.total, err)
		}
		j.done++
		line += strings.Count(p.Text, "\n")
		j.part(joiner.Next(s.breaks.Wrap(out)))
		variants.next(s, out)
	}
	j.part(joiner.Rest())
	return j.out.String(), variants.rest(), nil
}

// part adds to the translation what is ready.
func (j *job) part(ready string) {
	if ready == "" {
		return
	}
	j.out.WriteString(ready)
	if j.request.Progress != nil {
		j.request.Progress(Progress{Text: ready, Done: j.done, Total: j.total})
	}
}

// translate finds the translation of a sentence: in the memory, by the model, which
// alone has alternatives to it.
func (j *job) translate(ctx context.Context, sentence string) (translation string, others []string, err error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	if out, ok := j.request.Own.Exact(j.request.From, j.request.To, sentence); ok {
		j.stats.Remembered++
		j.note(ownNote, nil)
		return out, nil, nil
	}
	memory := j.request.Memory
	if memory != nil && j.request.alternatives() == 0 {
		if out, ok := memory.Recall(sentence); ok {
			j.stats.Remembered++
			j.note("remembered from earlier", nil)
			j.recalled(sentence, out)
			return out, nil, nil
		}
	}
	if err := j.askBefore(ctx); err != nil {
		return "", nil, err
	}
	j.likely = j.similar(sentence)
	out, doubts, err := j.care(ctx).translate(sentence)
	if err != nil {
		return "", nil, err
	}
	if others, err = j.alternativesTo(ctx, sentence, out, len(doubts)); err != nil {
		return "", nil, err
	}
	for _, kind := range doubts {
		j.doubts = append(j.doubts, Doubt{Kind: kind, Sentence: j.done, Source: sentence, Target: out})
	}
	// What the model did not finish, or went wrong, is not worth being kept.
	if memory != nil && j.stats.Kept == 0 && j.stats.Cut == 0 && len(doubts) == 0 {
		memory.Remember(sentence, out)
	}
	return out, others, nil
}

// own is a whole text that the person has translated.
func (j *job) own(whole string) (Result, bool) {
	out, ok := j.request.Own.Exact(j.request.From, j.request.To, whole)
	if !ok {
		return Result{}, false
	}
	body := strings.TrimSpace(whole)
	before, after, _ := strings.Cut(whole, body)
	out = before + strings.TrimSpace(out) + after
	j.total, j.done, j.stats.Remembered = 1, 1, 1
	j.part(out)
	j.done = 0
	j.note(ownNote, nil)
	j.stats.Total = time.Since(j.start)
	return Result{Text: out, Stats: j.stats, Untouched: Remembered, Notes: j.notes}, true
}

// ownNote says where a translation is from.
const ownNote = "from your own translations"

// untouched is why the model was not asked.
func (j *job) untouched() Reason {
	switch s := j.stats; {
	case j.total == 0:
		return Nothing
	case s.Sentences > 0:
		return ""
	case s.Kept > 0:
		return UnknownWords
	case s.Remembered > 0:
		return Remembered
	}
	return Protected
}

func (j *job) note(what string, details []string) {
	if j.request.Explain {
		j.notes = append(j.notes, Note{Sentence: j.done, What: what, Details: details})
	}
}

// care is what is done around the model for a sentence.
func (j *job) care(ctx context.Context) *care {
	return &care{
		from: j.request.From, to: j.request.To, without: j.request.Without, stats: &j.stats,
		model:   func(s string) (string, error) { return j.sentence(ctx, s) },
		unknown: j.unknown, name: j.name, glossary: j.request.Glossary, explain: j.note,
	}
}

// askBefore finds out how urgent the next sentence is.
func (j *job) askBefore(ctx context.Context) error {
	j.lane = m2m100.Interactive
	if j.request.Before == nil {
		return nil
	}
	j.before.Lock()
	defer j.before.Unlock()
	urgent, err := j.request.Before(ctx)
	if !urgent {
		j.lane = m2m100.Batch
	}
	return err
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
		j.note("left as it is, the model does not know its words", nil)
		return sentence, nil
	}
	longest := j.engine.Longest()
	if len(tokens) <= longest {
		return j.generate(ctx, tokens)
	}
	j.note("too long for the model, translated in parts", nil)
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

// unknown tells whether a word has characters that the model does not know.
func (j *job) unknown(word string) bool {
	tokens, err := j.encode(word)
	return err == nil && slices.Contains(tokens, j.tokenizer.Unknown())
}

// name tells whether the model knows a word of small letters better with a capital:
// in fewer pieces, or as one that comes far earlier in the vocabulary, which is in the
// order of frequency. It was counted in ordinary text, so that it has Monday, Tom and
// German nouns that way. "Office" comes before "office", but no more than a product's
// name does where texts of software were counted.
func (j *job) name(word string) bool {
	small, err := j.encode(word)
	if err != nil {
		return false
	}
	c, size := utf8.DecodeRuneInString(word)
	large, err := j.encode(string(unicode.ToTitle(c)) + word[size:])
	if err != nil || slices.Contains(large, j.tokenizer.Unknown()) {
		return false
	}
	if len(large) != len(small) {
		return len(large) < len(small)
	}
	const (
		piece = 1 // behind the language
		far   = 8 // times as early
	)
	return len(large) == piece+2 && large[piece] < small[piece]/far
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
	return j.tokenizer.Encode(j.tokenizer.SourceLanguage(j.request.From, j.request.To), sentence)
}

func (j *job) generate(ctx context.Context, tokens []int32) (string, error) {
	target, _ := j.tokenizer.DecoderLanguage(j.request.To)
	if j.request.Search != nil {
		found, err := j.outputs(ctx, tokens, target)
		if err != nil {
			return "", err
		}
		return found[min(j.rank, len(found)-1)], nil
	}
	begun := time.Since(j.start)
	guesses := j.guesses(tokens, target)
	g, err := j.engine.GenerateDrafted(ctx, j.lane, tokens, target, guesses)
	if err != nil {
		return "", err
	}
	j.looks.translated(g.Encode+g.Infer, j.lane)
	guesses.Done(g.Tokens, j.request.Forget || g.Cut)
	out := j.tokenizer.Decode(g.Tokens)
	if strings.TrimSpace(out) == "" {
		return "", m2m100.ErrEmpty
	}
	j.took(len(tokens), g, begun)
	return out, nil
}

// took adds what the model took for a source, since a time of the job.
func (j *job) took(source int, g m2m100.Generation, begun time.Duration) {
	if j.stats.Sentences == 0 {
		j.stats.FirstToken = begun + g.Encode + g.Steps[0]
	}
	j.stats.add(source, g)
	j.steps = append(j.steps, g.Steps[1:]...)
}
