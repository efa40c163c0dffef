// Command rules measures what the care around the model is worth: chrF and
// BLEU with all rules and with none, of all pairs of the starter's languages,
// so that no rule that hurts stays in:
//
//	go run ./inference/quality/rules -variant capitals -sentences 50
//
// The variant says what is done to the test set before: nothing, or what a
// rule is for. It prints a table for docs/quality.md. It must not import
// anything of ours outside inference.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"dragoman/inference"
	"dragoman/inference/bench/bleu"
	"dragoman/inference/bench/chrf"
	"dragoman/inference/openvino/locate"
	"dragoman/inference/quality/corpus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var o options
	flag.StringVar(&o.model, "model", filepath.Join("assets", "starter"), "folder of the checkpoint")
	flag.StringVar(&o.corpus, "corpus", filepath.Join("..", "shared", "corpus", "test"), "folder of the test sets")
	flag.StringVar(&o.build, "build", "build", "folder with the development runtime in data; takes the prepared model in cache")
	flag.IntVar(&o.sentences, "sentences", 50, "sentences for each pair")
	flag.StringVar(&o.variant, "variant", "plain", "plain, capitals, title, wrapped or spans")
	flag.BoolVar(&o.english, "english", false, "only pairs with English")
	flag.BoolVar(&o.show, "show", false, "print the sentences that rules change")
	flag.Parse()
	err := o.run(ctx)
	switch {
	case errors.Is(err, corpus.ErrMissing) && errors.Is(err, fs.ErrNotExist):
		fmt.Println("skipped:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "rules:", err)
		os.Exit(2)
	}
}

type options struct {
	model, corpus, build, variant string
	sentences                     int
	english, show                 bool
}

// tally is what one way of translating gives.
type tally struct {
	out                     []string
	doubtful, retried, lost int
}

func (o options) run(ctx context.Context) error {
	change, ok := variants[o.variant]
	if !ok {
		return fmt.Errorf("there is no variant %q", o.variant)
	}
	rt, err := locate.Find(locate.Host("", filepath.Join(o.build, "data")))
	if err != nil {
		return fmt.Errorf("%w: run `make runtime`", err)
	}
	t, err := inference.Open(ctx, inference.Options{Runtime: rt, ModelDir: o.model, Cache: inference.Cache{Dir: filepath.Join(o.build, "cache")}})
	if err != nil {
		return err
	}
	defer t.Close()
	fmt.Println("| pair | sentences | chrF without | with | BLEU without | with | changed | spans lost without | with | tried again | marked |")
	fmt.Println("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
	var all [2]tally
	var references []string
	for _, from := range corpus.Languages {
		for _, to := range corpus.Languages {
			if from == to || o.english && from != "en" && to != "en" {
				continue
			}
			p, err := corpus.Read(o.corpus, from, to, 1000)
			if err != nil {
				return err
			}
			p = change(p)
			n := min(o.sentences, len(p.Source))
			p.Source, p.Reference = p.Source[:n], p.Reference[:n]
			var two [2]tally
			for i, without := range []inference.Rules{inference.AllRules, 0} {
				if two[i], err = o.translate(ctx, t, p, without); err != nil {
					return err
				}
				all[i].add(two[i])
			}
			references = append(references, p.Reference...)
			if o.show {
				show(p, two)
			}
			if err := row(from+"→"+to, two, p.Reference); err != nil {
				return err
			}
		}
	}
	return row("all", all, references)
}

func (o options) translate(ctx context.Context, t *inference.Translator, p corpus.Pair, without inference.Rules) (all tally, err error) {
	for _, s := range p.Source {
		r, err := t.Translate(ctx, inference.Request{Text: s, From: p.From, To: p.To, Without: without})
		if err != nil {
			return all, err
		}
		one := tally{out: []string{strings.ReplaceAll(r.Text, "\n", " ")}, doubtful: r.Stats.Doubtful, retried: r.Stats.Retried}
		if o.variant == "spans" && strings.Count(r.Text, mark) != 1 {
			one.lost++
		}
		all.add(one)
	}
	return all, nil
}

func (t *tally) add(more tally) {
	t.out = append(t.out, more.out...)
	t.doubtful += more.doubtful
	t.retried += more.retried
	t.lost += more.lost
}

func row(name string, two [2]tally, references []string) error {
	if len(references) == 0 {
		return nil
	}
	var c, b [2]float64
	for i := range two {
		var err error
		if c[i], err = chrf.Corpus(two[i].out, references); err != nil {
			return err
		}
		if b[i], err = bleu.Corpus(two[i].out, references); err != nil {
			return err
		}
	}
	changed := 0
	for i := range references {
		if two[0].out[i] != two[1].out[i] {
			changed++
		}
	}
	fmt.Printf("| %s | %d | %.2f | %.2f | %.2f | %.2f | %d | %d | %d | %d | %d |\n", name, len(references), c[0], c[1], b[0], b[1], changed,
		two[0].lost, two[1].lost, two[1].retried, two[1].doubtful)
	return nil
}

func show(p corpus.Pair, two [2]tally) {
	for i := range p.Source {
		if two[0].out[i] != two[1].out[i] {
			fmt.Printf("  %s-%s %q\n    reference %q\n    without   %q\n    with      %q\n", p.From, p.To, p.Source[i], p.Reference[i], two[0].out[i], two[1].out[i])
		}
	}
}
