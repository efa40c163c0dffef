// Command standins measures which form a model carries through a translation
// unharmed, so that something which must stay byte for byte can be hidden
// behind it:
//
//	go run ./inference/quality/standins
//
// It takes sentences of ../shared/corpus/test that have a name which their
// reference has too, puts the form in the name's place, translates without any
// rules, and counts how often the form comes out exactly once. With the name
// put back, chrF against the reference tells what the form costs the words
// around it.
//
// It must not import anything of ours outside inference.
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
	"unicode"

	"dragoman/inference"
	"dragoman/inference/bench/chrf"
	"dragoman/inference/openvino/locate"
	"dragoman/inference/quality/corpus"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	model := flag.String("model", filepath.Join("assets", "starter"), "folder of the checkpoint")
	sets := flag.String("corpus", filepath.Join("..", "shared", "corpus", "test"), "folder of the test sets")
	build := flag.String("build", "build", "folder with the development runtime in data; takes the prepared model in cache")
	each := flag.Int("sentences", 6, "sentences for each pair and form")
	only := flag.String("forms", "", "the forms to try, separated by spaces (default: all)")
	flag.Parse()
	err := run(ctx, *model, *sets, *build, *each, strings.Fields(*only))
	switch {
	case errors.Is(err, corpus.ErrMissing) && errors.Is(err, fs.ErrNotExist):
		fmt.Println("skipped:", err)
	case err != nil:
		fmt.Fprintln(os.Stderr, "standins:", err)
		os.Exit(2)
	}
}

// forms that are tried; "=" leaves the name itself.
var forms = strings.Fields("= X1 XX1 Q1 A1 Z7 XQ [1] <1> {0} {1} %s %1 #1 @1 $1 __1__ (1) «1» X-1 ID1 1001 7391 Tom Maria www.x1.com file1.txt <x1> F1 K2 X_1 XYZ")

type example struct {
	from, to            string
	before, after, name string
	reference           string
}

func run(ctx context.Context, model, sets, build string, each int, chosen []string) error {
	if len(chosen) == 0 {
		chosen = forms
	}
	rt, err := locate.Find(locate.Host("", filepath.Join(build, "data")))
	if err != nil {
		return fmt.Errorf("%w: run `make runtime`", err)
	}
	t, err := inference.Open(ctx, inference.Options{Runtime: rt, ModelDir: model, Cache: inference.Cache{Dir: filepath.Join(build, "cache")}})
	if err != nil {
		return err
	}
	defer t.Close()
	examples, err := read(sets, each)
	if err != nil {
		return err
	}
	fmt.Printf("%d sentences over all pairs of %v\n", len(examples), corpus.Languages)
	for _, form := range chosen {
		once, lost := 0, 0
		var got, want []string
		for _, e := range examples {
			mark := form
			if form == "=" {
				mark = e.name
			}
			r, err := t.Translate(ctx, inference.Request{Text: e.before + mark + e.after, From: e.from, To: e.to, Without: inference.AllRules})
			if err != nil {
				return err
			}
			switch n := count(r.Text, mark); n {
			case 1:
				once++
			case 0:
				lost++
			}
			got, want = append(got, strings.ReplaceAll(r.Text, mark, e.name)), append(want, e.reference)
		}
		score, err := chrf.Corpus(got, want)
		if err != nil {
			return err
		}
		fmt.Printf("| `%s` | %.1f | %.1f | %.2f |\n", form, percent(once, len(examples)), percent(lost, len(examples)), score)
	}
	return nil
}

func percent(n, of int) float64 { return 100 * float64(n) / float64(of) }

// count is how often a form stands by itself.
func count(s, form string) (n int) {
	for at := 0; ; {
		i := strings.Index(s[at:], form)
		if i < 0 {
			return n
		}
		before, after := s[:at+i], s[at+i+len(form):]
		if len(strings.TrimRightFunc(before, isWord)) == len(before) && len(strings.TrimLeftFunc(after, isWord)) == len(after) {
			n++
		}
		at += i + len(form)
	}
}

func isWord(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }

// read finds sentences with a name, as many for each pair as there are, at most
// each.
func read(dir string, each int) (all []example, err error) {
	for _, from := range corpus.Languages {
		for _, to := range corpus.Languages {
			if from == to {
				continue
			}
			p, err := corpus.Read(dir, from, to, 1000)
			if err != nil {
				return nil, err
			}
			n := 0
			for i := range p.Source {
				if e, ok := makeExample(p.Source[i], p.Reference[i]); ok && n < each {
					e.from, e.to = from, to
					all = append(all, e)
					n++
				}
			}
		}
	}
	return all, nil
}

// makeExample takes the first word with a capital that is not the first of the
// sentence and stands once in both.
func makeExample(source, target string) (example, bool) {
	if len(source) > 150 {
		return example{}, false
	}
	words := strings.Fields(source)
	for _, w := range words[1:] {
		name := strings.TrimFunc(w, func(c rune) bool { return !isWord(c) })
		first := []rune(name + " ")[0]
		if len(name) < 3 || !unicode.IsUpper(first) || count(source, name) != 1 || count(target, name) != 1 || strings.Count(source, name) != 1 {
			continue
		}
		before, after, _ := strings.Cut(source, name)
		return example{before: before, after: after, name: name, reference: target}, true
	}
	return example{}, false
}
