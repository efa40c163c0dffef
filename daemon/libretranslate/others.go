package libretranslate

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"dragoman/daemon/api"
	"dragoman/internal/english"
	"dragoman/watch/document/segment"
)

// mostOthers is how many alternatives a text may have; who asks for more gets these.
const mostOthers = api.MaxBeams - 1

// alternatives is how many are asked for.
func (p params) wantsAlternatives() (int, error) {
	if p.alternatives == "" {
		return 0, nil
	}
	n, err := strconv.Atoi(p.alternatives)
	if err != nil {
		return 0, badRequest("alternatives is not a number")
	}
	return max(0, min(n, mostOthers)), nil
}

// translator translates texts, and tells the model that they are of.
type translator func(ctx context.Context, texts []string, pair pair) (out []string, model string, err error)

// wordings are translations and their alternatives, which the backend is asked for
// once: documents are then filled in with each in turn.
type wordings struct {
	handler *Handler
	others  int
	rank    int                 // 0 for the translations
	found   map[string][]string // by the languages and the text
	model   string              // that all of them are of
}

func (w *wordings) translate(ctx context.Context, texts []string, pair pair) ([]string, string, error) {
	key := func(text string) string { return pair.from + ">" + pair.to + ">" + text }
	for {
		missing := slices.DeleteFunc(slices.Clone(texts), func(t string) bool { return w.found[key(t)] != nil })
		if len(missing) == 0 {
			break
		}
		all, model, err := w.handler.ask(ctx, missing, pair, w.others)
		if err != nil {
			return nil, "", err
		}
		if model != w.model {
			clear(w.found)
			w.model = model
		}
		for i, t := range missing {
			w.found[key(t)] = all[i]
		}
	}
	out := make([]string, len(texts))
	for i, t := range texts {
		found := w.found[key(t)]
		out[i] = found[0]
		if w.rank < len(found) {
			out[i] = found[w.rank]
		}
	}
	return out, w.model, nil
}

// translateWith fills documents in, and returns them as texts, by document, the
// translation first and the others that differ after it.
func (h *Handler) translateWith(ctx context.Context, others int, documents []*segment.Part, to pair, markup bool) ([][]string, []detection, error) {
	w := &wordings{handler: h, others: others, found: map[string][]string{}}
	bySource, detections, err := h.sourcesOf(ctx, documents, to)
	if err != nil {
		return nil, nil, err
	}
	fill := h.eachOf(w.translate, markup)
	texts := make([][]string, len(documents))
	for w.rank = 0; w.rank <= others; w.rank++ {
		for from, segments := range bySource {
			if err := fill(ctx, segments, pair{from, to.to}); err != nil {
				return nil, nil, err
			}
		}
		for i, d := range documents {
			text, err := d.Render(segment.Options{})
			if err != nil {
				return nil, nil, err
			}
			if w.rank == 0 || !slices.Contains(texts[i], text) {
				texts[i] = append(texts[i], text)
			}
		}
	}
	return texts, detections, nil
}

// ask has the backend translate.
func (h *Handler) ask(ctx context.Context, texts []string, pair pair, others int) (out [][]string, model string, err error) {
	out, model, err = h.options.Backend.Translate(ctx, texts, pair.from, pair.to, others)
	if err != nil {
		return nil, "", err
	}
	if len(out) != len(texts) || slices.ContainsFunc(out, func(all []string) bool { return len(all) == 0 }) {
		return nil, "", fmt.Errorf("translate %s: %d came back, or some without a translation", english.Count(len(texts), "text"), len(out))
	}
	return out, model, nil
}
