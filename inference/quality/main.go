// Command quality compares the translations of a model with quantised weights
// with those of its float weights, by their chrF against human translations:
//
//	go run ./inference/quality --pair en-es --sentences 500
//
// It is for developers and is run from the checkout's root by `make quality`.
// The texts go through the whole translator, as a user's do. It exits with 1
// where the scores are farther apart than allowed and with 2 where they could
// not be found; where the test sets are missing it says so and exits with 0.
//
// It must not import anything of ours outside inference.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"dragoman/inference"
	"dragoman/inference/bench/chrf"
	"dragoman/inference/openvino/locate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := options{out: os.Stdout}
	flag.StringVar(&o.pair, "pair", "en-es", "languages, from and to")
	flag.IntVar(&o.sentences, "sentences", 500, "how many of the test set's first sentences are translated")
	flag.Float64Var(&o.allowed, "allowed", 0.3, "largest difference of the two scores")
	flag.StringVar(&o.model, "model", filepath.Join("assets", "starter"), "folder of the checkpoint")
	flag.StringVar(&o.corpus, "corpus", filepath.Join("..", "shared", "corpus", "test"), "folder of the test sets")
	flag.StringVar(&o.device, "device", "CPU", "where the encoder runs: CPU or CPU-static")
	build := flag.String("build", "build", "folder with the development runtime in data; takes the prepared model in cache")
	flag.Parse()
	o.cache = filepath.Join(*build, "cache")
	good, err := o.run(ctx, filepath.Join(*build, "data"))
	switch {
	case errors.Is(err, fs.ErrNotExist) && errors.Is(err, errTestSet):
		fmt.Fprintln(o.out, "skipped:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "quality:", err)
		os.Exit(2)
	case !good:
		os.Exit(1)
	}
}

// options are the flags and the place that the report goes to.
type options struct {
	pair      string
	sentences int
	allowed   float64 // chrF points
	model     string
	corpus    string
	device    string
	cache     string
	out       io.Writer
}

// run prints the scores and tells whether they are near enough.
func (o options) run(ctx context.Context, dataDir string) (good bool, err error) {
	set, err := readTestSet(o.corpus, o.pair, o.sentences)
	if err != nil {
		return false, err
	}
	rt, err := locate.Find(locate.Host("", dataDir))
	if err != nil {
		return false, fmt.Errorf("%w: run `make runtime`", err)
	}
	fmt.Fprintf(o.out, "laser-tatoeba %s to %s, %d sentences, %s on %s, OpenVINO %s\n", set.from, set.to, len(set.source), o.model, o.device, rt.Version)
	var scores []float64
	for _, recipe := range []string{"f32", "int8"} {
		translations, err := o.translate(ctx, rt, set, recipe)
		if err != nil {
			return false, fmt.Errorf("%s: %w", recipe, err)
		}
		score, err := chrf.Corpus(translations, set.reference)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(o.out, "%-5s chrF %.2f\n", recipe, score)
		scores = append(scores, score)
	}
	difference := scores[1] - scores[0]
	verdict := "within"
	if good = near(difference, o.allowed); !good {
		verdict = "NOT within"
	}
	fmt.Fprintf(o.out, "difference %+.2f, %s %.2f\n", difference, verdict, o.allowed)
	return good, nil
}

// near tells whether a difference is one that is allowed, in either direction:
// quantised weights have no reason to be better.
func near(difference, allowed float64) bool { return math.Abs(difference) <= allowed }

func (o options) translate(ctx context.Context, rt locate.Candidate, set testSet, recipe string) (translations []string, err error) {
	t, err := inference.Open(ctx, inference.Options{Runtime: rt, ModelDir: o.model, Cache: inference.Cache{Dir: o.cache}, Recipe: recipe, Encoder: o.device})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	for i, line := range set.source {
		r, err := t.Translate(ctx, inference.Request{Text: line, From: set.from, To: set.to})
		if err != nil {
			return nil, fmt.Errorf("sentence %d: %w", i+1, err)
		}
		translations = append(translations, r.Text)
	}
	return translations, nil
}

// testSet is sentences with a human translation each.
type testSet struct {
	from, to          string
	source, reference []string
}

// errTestSet is the error of a test set that cannot be used.
var errTestSet = errors.New("cannot read the test set")

// readTestSet reads the first sentences of laser-tatoeba for a pair with
// English on one side: laser-tatoeba-XX.en and laser-tatoeba-XX.XX, line by
// line.
func readTestSet(dir, pair string, sentences int) (testSet, error) {
	from, to, found := strings.Cut(pair, "-")
	if !found || (from == "en") == (to == "en") {
		return testSet{}, fmt.Errorf("%w: the pair %q is not like en-es or es-en", errTestSet, pair)
	}
	if sentences < 1 {
		return testSet{}, fmt.Errorf("%w: %d sentences are none", errTestSet, sentences)
	}
	other := from
	if from == "en" {
		other = to
	}
	set := testSet{from: from, to: to}
	for language, into := range map[string]*[]string{from: &set.source, to: &set.reference} {
		data, err := os.ReadFile(filepath.Join(dir, "laser-tatoeba-"+other+"."+language))
		if err != nil {
			return testSet{}, fmt.Errorf("%w: %w", errTestSet, err)
		}
		*into = strings.Split(strings.TrimSuffix(string(data), "\n"), "\n")
	}
	if len(set.source) != len(set.reference) {
		return testSet{}, fmt.Errorf("%w: %d sentences and %d translations in %s", errTestSet, len(set.source), len(set.reference), dir)
	}
	n := min(sentences, len(set.source))
	set.source, set.reference = set.source[:n], set.reference[:n]
	return set, nil
}
