// Command quality compares the translations of a model with quantised weights
// with those of its float weights, by their chrF against human translations:
//
//	go run ./inference/quality --pair en-es --sentences 500
//	go run ./inference/quality --pair en-es,pud:en-de --recipes int8,int4
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

	"golang.org/x/sync/errgroup"

	"dragoman/inference"
	"dragoman/inference/bench/chrf"
	"dragoman/inference/openvino/locate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	o := options{out: os.Stdout}
	flag.StringVar(&o.pair, "pair", "en-es", "languages, from and to; several with commas between; pud:en-es is of that test set instead of laser-tatoeba")
	recipes := flag.String("recipes", "int8", "formats of weights that are compared with f32, with commas between")
	flag.IntVar(&o.sentences, "sentences", 500, "how many of the test set's first sentences are translated")
	flag.Float64Var(&o.allowed, "allowed", 0.3, "largest difference of the two scores")
	flag.StringVar(&o.model, "model", filepath.Join("assets", "starter"), "folder of the checkpoint")
	flag.StringVar(&o.corpus, "corpus", filepath.Join("..", "shared", "corpus", "test"), "folder of the test sets")
	flag.StringVar(&o.device, "device", "CPU", "where the encoder runs: CPU or CPU-static")
	build := flag.String("build", "build", "folder with the development runtime in data; takes the prepared model in cache")
	flag.Parse()
	o.cache, o.recipes = filepath.Join(*build, "cache"), strings.Split(*recipes, ",")
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
	recipes   []string
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
	var sets []testSet
	for _, pair := range strings.Split(o.pair, ",") {
		set, err := readTestSet(o.corpus, pair, o.sentences)
		if err != nil {
			return false, err
		}
		sets = append(sets, set)
	}
	rt, err := locate.Find(locate.Host("", dataDir))
	if err != nil {
		return false, fmt.Errorf("%w: run `make runtime`", err)
	}
	fmt.Fprintf(o.out, "%s on %s, OpenVINO %s\n", o.model, o.device, rt.Version)
	exact, err := o.translate(ctx, rt, sets, "f32")
	if err != nil {
		return false, err
	}
	good = true
	for _, recipe := range o.recipes {
		other, err := o.translate(ctx, rt, sets, recipe)
		if err != nil {
			return false, err
		}
		sum := 0.0
		for i, set := range sets {
			difference := other[i].score - exact[i].score
			fmt.Fprintf(o.out, "%s %s to %s, %d sentences: chrF f32 %.2f, %s %.2f, %+.2f; %d the same\n", set.name, set.from, set.to,
				len(set.source), exact[i].score, recipe, other[i].score, difference, same(exact[i].texts, other[i].texts))
			sum += difference
		}
		mean, verdict := sum/float64(len(sets)), "within"
		if !near(mean, o.allowed) {
			good, verdict = false, "NOT within"
		}
		fmt.Fprintf(o.out, "%s difference %+.2f, %s %.2f\n", recipe, mean, verdict, o.allowed)
	}
	return good, nil
}

func same(a, b []string) (n int) {
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return n
}

// near tells whether a difference is one that is allowed, in either direction:
// quantised weights have no reason to be better.
func near(difference, allowed float64) bool { return math.Abs(difference) <= allowed }

// translated is a test set's translations and their score.
type translated struct {
	texts []string
	score float64
}

// together is how many sentences are asked for at once: the batch lane makes waves
// of them.
const together = 32

func (o options) translate(ctx context.Context, rt locate.Candidate, sets []testSet, recipe string) (all []translated, err error) {
	t, err := inference.Open(ctx, inference.Options{Runtime: rt, ModelDir: o.model, Cache: inference.Cache{Dir: o.cache}, Recipe: recipe, Encoder: o.device})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", recipe, err)
	}
	defer func() { err = errors.Join(err, t.Close()) }()
	patient := func(context.Context) (urgent bool, err error) { return false, nil }
	for _, set := range sets {
		texts := make([]string, len(set.source))
		g, ctx := errgroup.WithContext(ctx)
		g.SetLimit(together)
		for i, line := range set.source {
			g.Go(func() error {
				r, err := t.Translate(ctx, inference.Request{Text: line, From: set.from, To: set.to, Before: patient})
				if err != nil {
					return fmt.Errorf("%s, %s to %s, sentence %d: %w", recipe, set.from, set.to, i+1, err)
				}
				texts[i] = r.Text
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return nil, err
		}
		score, err := chrf.Corpus(texts, set.reference)
		if err != nil {
			return nil, err
		}
		all = append(all, translated{texts, score})
	}
	return all, nil
}

// testSet is sentences with a human translation each.
type testSet struct {
	name              string
	from, to          string
	source, reference []string
}

// errTestSet is the error of a test set that cannot be used.
var errTestSet = errors.New("cannot read the test set")

// readTestSet reads the first sentences of a test set for a pair, line by line:
// of laser-tatoeba, which has English on one side, from laser-tatoeba-XX.en and
// laser-tatoeba-XX.XX, of pud from pud.XX and pud.YY.
func readTestSet(dir, pair string, sentences int) (testSet, error) {
	set := testSet{name: "laser-tatoeba"}
	if name, rest, found := strings.Cut(pair, ":"); found {
		set.name, pair = name, rest
	}
	var found bool
	set.from, set.to, found = strings.Cut(pair, "-")
	if !found || set.name != "pud" && (set.from == "en") == (set.to == "en") {
		return testSet{}, fmt.Errorf("%w: the pair %q is not like en-es or es-en", errTestSet, pair)
	}
	if sentences < 1 {
		return testSet{}, fmt.Errorf("%w: %d sentences are none", errTestSet, sentences)
	}
	prefix := set.name
	if set.name != "pud" {
		prefix += "-" + strings.Trim(strings.Replace("-"+pair+"-", "-en-", "-", 1), "-")
	}
	for language, into := range map[string]*[]string{set.from: &set.source, set.to: &set.reference} {
		data, err := os.ReadFile(filepath.Join(dir, prefix+"."+language))
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
