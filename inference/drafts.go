package inference

import (
	"sync"
	"time"

	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/draft"
)

// nearPercent is how much alike a text must be whose translation is worth being
// followed as far as it is right.
const nearPercent = 60

// similar are the tokens of the person's own translation of what is most like a
// sentence, nil where nothing is.
func (j *job) similar(sentence string) []int32 {
	if j.request.Own == nil || j.request.Search != nil || !j.engine.Guesses() || !j.looks.worth(j.watch) {
		return nil
	}
	start := time.Now()
	found := j.request.Own.Similar(j.request.From, j.request.To, sentence, nearPercent, 1)
	j.looks.took(time.Since(start), len(found) > 0)
	if len(found) == 0 {
		return nil
	}
	return j.output(found[0].Target)
}

// looks are those into the person's memories, which take milliseconds where these
// are large. What is found need not be what the model says.
type looks struct {
	mu            sync.Mutex
	spent, worked time.Duration // looking, and translating
	all, found    float64       // the older ones counting less
}

const (
	looksShare = 0.02 // of the time, where little is found
	looksFade  = 0.9
)

// worth tells whether to look once more, for a text whose guesses a watch knows.
func (l *looks) worth(w *draft.Watch) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return float64(l.spent) <= looksShare*float64(l.worked) || 2*l.found > l.all && w.ToldPays()
}

func (l *looks) took(d time.Duration, found bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.spent += d
	l.all, l.found = l.all*looksFade+1, l.found*looksFade
	if found {
		l.found++
	}
}

// translated adds the time of a sentence, that of the batch lane as if it had been
// one of many.
func (l *looks) translated(d time.Duration, lane m2m100.Lane) {
	if lane == m2m100.Batch {
		d /= SentencesTogether / 4
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.worked += d
}

// output is a translation as the tokens that the model would give.
func (j *job) output(translation string) []int32 {
	tokens, err := j.tokenizer.Encode(j.request.To, translation)
	if err != nil || len(tokens) < 2 {
		return nil
	}
	return tokens[1 : len(tokens)-1]
}

// recalled keeps what the request's memory knew for sentences that are like it.
func (j *job) recalled(sentence, translation string) {
	if j.request.Forget || !j.engine.Guesses() {
		return
	}
	source, err := j.encode(sentence)
	target, ok := j.tokenizer.DecoderLanguage(j.request.To)
	if err == nil && ok {
		j.drafts.Learn(source, target, j.output(translation))
	}
}

// guesses are those of a source, nil where nothing checks them.
func (j *job) guesses(source []int32, target int32) *draft.Sentence {
	if !j.engine.Guesses() {
		return nil
	}
	return j.drafts.Sentence(j.watch, source, target, j.likely)
}

// Forget drops what earlier texts left in the memory of the process.
func (t *Translator) Forget() { t.drafts.Forget() }
