package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/internal/english"
	"dragoman/watch/document"
	"dragoman/watch/document/segment"
)

// translateDocument has the texts of a document translated. The result's Text is
// left empty.
func translateDocument(ctx context.Context, by translating, doc *document.Document, l languageFlags, progress func(inference.Progress)) (translated, error) {
	w := documentWork{by: by, asked: l.from, to: l.to, progress: progress}
	w.begin()
	if err := doc.Into(l.to); err != nil {
		return translated{}, err
	}
	doc.Align = w.align
	err := doc.Translate(ctx, w.translate)
	return w.whole, err
}

// documentWork adds up what the texts of one document took.
type documentWork struct {
	by       translating
	asked    string // source language, or api.Auto
	from, to string // from is asked until it is found out
	progress func(inference.Progress)
	begun    bool
	whole    translated
	before   inference.Progress // of the texts that are done
	model    segment.OneModel
}

// begin forgets what there was. What a first try took is not told.
func (w *documentWork) begin() {
	w.begun, w.whole, w.before, w.from = false, translated{}, inference.Progress{}, w.asked
	if w.asked != api.Auto {
		w.whole.from = w.asked
	}
}

func (w *documentWork) translate(ctx context.Context, text string) (string, error) {
	last := w.before
	done, err := w.by.translate(ctx, text, w.from, w.to, func(p inference.Progress) {
		p.Done, p.Total = p.Done+w.before.Done, p.Total+w.before.Total
		last = p
		if w.progress != nil {
			w.progress(p)
		}
	})
	if err != nil {
		return "", err
	}
	if err := w.model.Check(done.model); err != nil {
		w.begin()
		return "", err
	}
	out := done.Text
	if strings.TrimSpace(out) == "" && strings.TrimSpace(text) != "" {
		return "", errors.New("the translation came out empty: try another source language")
	}
	before := w.before.Done
	w.before = last
	done.Text = ""
	if !w.begun {
		w.whole, w.begun = done, true
	} else {
		addWork(&w.whole.Stats, done.Stats)
		for _, d := range done.Doubts {
			d.Sentence += before
			w.whole.Doubts = append(w.whole.Doubts, d)
		}
		for _, n := range done.Notes {
			n.Sentence += before
			w.whole.Notes = append(w.whole.Notes, n)
		}
		if done.Untouched != w.whole.Untouched {
			w.whole.Untouched = "" // of all texts, or of none
		}
		w.whole.foreign = cmp.Or(w.whole.foreign, done.foreign)
		w.whole.warning, w.whole.hint = cmp.Or(w.whole.warning, done.warning), cmp.Or(w.whole.hint, done.hint)
	}
	if done.from != "" {
		w.from = done.from // of all texts of a document
	}
	return out, nil
}

func (w *documentWork) align(ctx context.Context, pairs []segment.Pair) ([][]segment.Link, error) {
	if w.from == api.Auto {
		return nil, segment.ErrNoAlignment
	}
	return w.by.align(ctx, pairs, w.from, w.to)
}

// addWork adds what a further text took. Times of single tokens are those of the
// last that had any.
func addWork(sum *inference.Stats, s inference.Stats) {
	us := time.Duration.Microseconds
	addStats(sum, api.Stats{
		Sentences: s.Sentences, Remembered: s.Remembered, Kept: s.Kept, Cut: s.Cut, Guarded: s.Guarded,
		Protected: s.Protected, Retried: s.Retried, Doubtful: s.Doubtful,
		TokensIn: s.TokensIn, TokensOut: s.TokensOut, BucketTokens: s.BucketTokens, Padding: s.PaddingTokens,
		TokeniseUS: us(s.Tokenise), EncodeUS: us(s.Encode), FirstTokenUS: us(s.FirstToken),
		TokenUS: us(s.TokenMedian), TokenP95US: us(s.TokenP95), TotalUS: us(s.Total),
	})
}

// jsonSegment is what --dry-run --json prints of a segment.
type jsonSegment struct {
	File      string   `json:"file,omitempty"`
	ID        string   `json:"id"`
	Kind      string   `json:"kind"`
	Text      string   `json:"text"`
	Protected []string `json:"protected,omitempty"`
	Keep      string   `json:"keep,omitempty"`
}

// showSegments prints what of a document would be translated.
func showSegments(out io.Writer, in input, doc *document.Document, asJSON bool) error {
	if !asJSON {
		if _, err := fmt.Fprintf(out, "%s: %s, %s\n", printable(in.name), doc.Format, english.Count(len(doc.Segments()), "segment")); err != nil {
			return err
		}
	}
	for _, s := range doc.Segments() {
		line := jsonSegment{File: in.path, ID: s.ID, Kind: string(s.Kind), Text: s.Source(), Protected: s.Protected(), Keep: s.Keep}
		if asJSON {
			if err := json.NewEncoder(out).Encode(line); err != nil {
				return err
			}
			continue
		}
		note := ""
		if line.Keep != "" {
			note = "  [kept: " + line.Keep + "]"
		} else if len(line.Protected) > 0 {
			note = fmt.Sprintf("  [protected: %q]", line.Protected)
		}
		if _, err := fmt.Fprintf(out, "%s\t%s\t%q%s\n", printable(line.ID), line.Kind, line.Text, note); err != nil {
			return err
		}
	}
	return nil
}
