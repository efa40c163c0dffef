package inference

import (
	"context"
	"fmt"
	"strings"
	"time"

	"dragoman/inference/language"
)

// TranslateParts is Translate for a text with parts in several languages; From
// of the request is that of the whole. What is in no language of the model stays as it
// is. memory, where not nil, gives the memory of a language.
func (t *Translator) TranslateParts(ctx context.Context, r Request, parts []language.Part, memory func(from string) Memory) (Result, error) {
	start := time.Now()
	if out, ok := (&job{Translator: t, request: r, start: start}).own(r.Text); ok {
		return out, nil
	}
	whole := Result{Untouched: UnknownWords}
	var text strings.Builder
	variants := make([]string, r.alternatives())
	tell := r.Progress
	before := 0 // sentences of the parts before
	for i, part := range parts {
		var now Progress
		progress := func(p Progress) {
			now = p
			if tell != nil {
				tell(Progress{Text: p.Text, Done: before + p.Done, Total: before + p.Total})
			}
		}
		one := Result{Text: part.Text, Untouched: UnknownWords}
		if r.Explain {
			whole.Notes = append(whole.Notes, Note{Sentence: before, What: inLanguage(part)})
		}
		if part.Language == "" {
			progress(Progress{Text: part.Text})
		} else {
			r.Text, r.From, r.Memory, r.Progress = part.Text, part.Language, nil, progress
			if memory != nil {
				r.Memory = memory(part.Language)
			}
			var err error
			if one, err = t.Translate(ctx, r); err != nil {
				return Result{}, fmt.Errorf("part %d of %d: %w", i+1, len(parts), err)
			}
		}
		text.WriteString(one.Text)
		for i := range variants {
			variants[i] += one.variant(i)
		}
		whole.join(one, before)
		before += now.Total
	}
	whole.Text, whole.Stats.Total = text.String(), time.Since(start)
	whole.setAlternatives(variants)
	return whole, nil
}

func inLanguage(p language.Part) string {
	if p.Language == "" {
		return "from here on in a language that the model does not know, which stays"
	}
	return "from here on in " + language.Label(p.Language)
}

// join adds what a further part took. Sentences before it shift its own.
func (r *Result) join(part Result, before int) {
	r.Stats.join(part.Stats)
	for _, d := range part.Doubts {
		d.Sentence += before
		r.Doubts = append(r.Doubts, d)
	}
	for _, n := range part.Notes {
		n.Sentence += before
		r.Notes = append(r.Notes, n)
	}
	if part.Untouched == "" {
		r.Untouched = ""
	} else if r.Untouched != "" {
		r.Untouched = part.Untouched
	}
}
