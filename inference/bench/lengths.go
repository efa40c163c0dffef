package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/inference/m2m100"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/inference/text"
)

// otherBuckets are sets that m2m100.Buckets is compared with.
var otherBuckets = [][]int{
	{128}, {32, 128}, {48, 128}, {32, 64, 128}, {24, 48, 128}, {16, 32, 64, 128}, {16, 32, 48, 128}, {16, 24, 32, 48, 64, 128},
}

// measureLengths counts the tokens of real sentences, cut out of the test sets
// as the translator cuts them, and the share of padding with sets of buckets.
func (b *bench) measureLengths(_ context.Context, m checkpoint) error {
	if !m.hasTokenizer() {
		return errors.New("it has no tokenizer")
	}
	files, err := filepath.Glob(filepath.Join(b.root, corpus, "*.en"))
	if err != nil {
		return err
	}
	if len(files) == 0 {
		return fmt.Errorf("no test sets in %s", corpus)
	}
	t, err := tokenizer.Load(m.dir)
	if err != nil {
		return err
	}
	var lengths []int
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		for _, p := range text.Split(string(content), "en") {
			if p.Kind != text.Sentence {
				continue
			}
			ids, err := t.Encode("en", p.Text)
			if err != nil {
				return err
			}
			lengths = append(lengths, len(ids))
		}
	}
	slices.Sort(lengths)
	group := fmt.Sprintf("tokens of %d English sentences: %s", len(lengths), m.name)
	for _, percent := range []int{50, 90, 99, 100} {
		at := (len(lengths)*percent+99)/100 - 1
		b.report.add(group, fmt.Sprintf("%d %% have at most", percent), "tokens", 0, float64(lengths[at]))
	}
	for _, bucket := range []int{16, 24, 32, 48, 64, 128} {
		at, _ := slices.BinarySearch(lengths, bucket+1)
		b.report.add(group, fmt.Sprintf("share of at most %d tokens", bucket), "", 0, float64(at)/float64(len(lengths)))
	}
	b.report.add(group, fmt.Sprintf("padding with buckets %s", list(m2m100.Buckets)), "", 0, padding(lengths, m2m100.Buckets))
	for _, buckets := range otherBuckets {
		if !slices.Equal(buckets, m2m100.Buckets) {
			b.report.add(group, fmt.Sprintf("with %s", list(buckets)), "", 0, padding(lengths, buckets))
		}
	}
	return nil
}

// padding is the share of all tokens of the static graphs that hold none.
// Sentences beyond the largest bucket are cut by the translator; they are left out.
func padding(lengths, buckets []int) float64 {
	used, all := 0, 0
	for _, n := range lengths {
		i, _ := slices.BinarySearch(buckets, n)
		if i < len(buckets) {
			used, all = used+n, all+buckets[i]
		}
	}
	return 1 - float64(used)/float64(all)
}

func list(buckets []int) string {
	return strings.Trim(strings.ReplaceAll(fmt.Sprint(buckets), " ", ", "), "[]")
}
