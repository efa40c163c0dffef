package telemetry

import (
	"maps"
	"slices"
	"sync"
	"time"

	"dragoman/inference"
)

// Unit is what a distribution's values are.
type Unit string

// The units, as Prometheus names them at the end of a metric's name.
const (
	Seconds   Unit = "seconds"
	Ratio     Unit = "ratio"
	PerSecond Unit = "per_second"
)

// distribution is a histogram with its name.
type distribution struct {
	name  string
	unit  Unit
	label string // of lanes, "" for none
	help  string
	*histogram
}

// counter is a count with its name.
type counter struct {
	name, help string
	label      string // the name of what its values are told apart by, "" if they are not
	values     map[string]int64
}

// mostReasons bounds what a count is told apart by; what comes later is "other".
const mostReasons = 16

// Recorder keeps all. It may be used by several goroutines.
type Recorder struct {
	since time.Time

	mu            sync.Mutex
	distributions []distribution
	counters      []counter
	fallen        string
}

// The distributions.
const (
	waitInteractive = iota
	waitBatch
	firstToken
	eachToken
	tokenise
	encode
	whole
	speed
	padding
	compileGraph
	importGraph
	start
)

// The counters.
const (
	texts = iota
	failed
	sentences
	remembered
	tokensIn
	tokensOut
	cut
	drafted
	accepted
	guarded
	kept
	compiled
	imported
	falls
)

// New keeps from now on.
func New() *Recorder {
	time1 := func(name, label, help string) distribution {
		return distribution{name, Seconds, label, help, newHistogram(seconds)}
	}
	r := &Recorder{since: time.Now(), distributions: []distribution{
		waitInteractive: time1("queue_wait", "interactive", "Time from being accepted to the start of the work."),
		waitBatch:       time1("queue_wait", "batch", "Time from being accepted to the start of the work."),
		firstToken:      time1("first_token", "", "Time from the start of a text to its first token (TTFT)."),
		eachToken:       time1("token", "", "Median time of the later tokens of a text (ITL)."),
		tokenise:        time1("tokenise", "", "Time of cutting a text's sentences into tokens."),
		encode:          time1("encode", "", "Time of a text in the encoder."),
		whole:           time1("text", "", "Time of a text without its wait."),
		speed:           {"tokens", PerSecond, "", "Tokens made a second, of a text.", newHistogram(rates)},
		padding:         {"padding", Ratio, "", "Share of padding in the static graphs of a text.", newHistogram(shares)},
		compileGraph:    time1("graph_compile", "", "Time of compiling one graph for a device."),
		importGraph:     time1("graph_import", "", "Time of importing one compiled graph."),
		start:           time1("model_start", "", "Time from a start to a model that serves."),
	}, counters: []counter{
		texts:      {name: "texts", help: "Texts that were translated."},
		failed:     {name: "texts_failed", help: "Texts that were not, cancelled ones among them."},
		sentences:  {name: "sentences", help: "Sentences that the model translated."},
		remembered: {name: "sentences_remembered", help: "Sentences that the memory answered."},
		tokensIn:   {name: "tokens_in", help: "Tokens that the model read."},
		tokensOut:  {name: "tokens_out", help: "Tokens that the model made."},
		cut:        {name: "sentences_cut", help: "Sentences that reached the bound of their length."},
		drafted:    {name: "tokens_guessed", help: "Tokens that were guessed and checked, several in one step."},
		accepted:   {name: "tokens_guessed_right", help: "Tokens that were guessed and were right, each of which saved a step."},
		guarded:    {name: "tokens_guarded", help: "Tokens that the guard against repetition refused."},
		kept:       {name: "sentences_kept", help: "Sentences left as they are, since the model does not know their words."},
		compiled:   {name: "graphs_compiled", help: "Graphs that were compiled: the store of compiled models did not have them."},
		imported:   {name: "graphs_imported", help: "Graphs that the store of compiled models had."},
		falls:      {name: "falls", label: "reason", help: "Times that a device was given up for another one."},
	}}
	for i := range r.counters {
		r.counters[i].values = map[string]int64{}
	}
	return r
}

// Text keeps what a text took; urgent says in which lane it waited.
func (r *Recorder) Text(s inference.Stats, waited time.Duration, urgent bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if urgent {
		r.time(waitInteractive, waited)
	} else {
		r.time(waitBatch, waited)
	}
	r.time(whole, s.Total)
	r.time(tokenise, s.Tokenise)
	if s.Sentences > 0 {
		r.time(encode, s.Encode)
		r.time(firstToken, s.FirstToken)
	}
	if s.TokenMedian > 0 {
		r.time(eachToken, s.TokenMedian)
	}
	if s.TokensOut > 0 && s.Total > 0 {
		r.distributions[speed].add(float64(s.TokensOut) / s.Total.Seconds())
	}
	if s.BucketTokens > 0 {
		r.distributions[padding].add(s.PaddingShare())
	}
	for which, n := range map[int]int{
		texts: 1, sentences: s.Sentences, remembered: s.Remembered, tokensIn: s.TokensIn, tokensOut: s.TokensOut,
		cut: s.Cut, guarded: s.Guarded, kept: s.Kept, drafted: s.Drafted, accepted: s.Accepted,
	} {
		r.count(which, "", n)
	}
}

// Failed counts a text that was not translated.
func (r *Recorder) Failed() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count(failed, "", 1)
}

// Graph keeps how one graph came to a device.
func (r *Recorder) Graph(fromStore bool, took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if fromStore {
		r.count(imported, "", 1)
		r.time(importGraph, took)
		return
	}
	r.count(compiled, "", 1)
	r.time(compileGraph, took)
}

// Started keeps how long a model took to serve.
func (r *Recorder) Started(took time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.time(start, took)
}

// Fell counts a fall from a device, by its reason; "" says that the best device
// serves again. The same reason twice in a row is one fall.
func (r *Recorder) Fell(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if reason != "" && reason != r.fallen {
		r.count(falls, reason, 1)
	}
	r.fallen = reason
}

func (r *Recorder) time(which int, d time.Duration) { r.distributions[which].add(d.Seconds()) }

func (r *Recorder) count(which int, value string, n int) {
	c := &r.counters[which]
	if _, known := c.values[value]; !known && len(c.values) >= mostReasons {
		value = "other"
	}
	c.values[value] += int64(n)
}

// sorted are the values of a counter in the order of their labels; a counter
// without labels has one.
func (c counter) sorted() []string {
	if c.label == "" {
		return []string{""}
	}
	return slices.Sorted(maps.Keys(c.values))
}
