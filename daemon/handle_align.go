package daemon

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"unicode/utf8"

	"dragoman/daemon/aligned"
	"dragoman/daemon/api"
	"dragoman/watch/document/segment"
)

func (d *Daemon) handleAlign(_ http.ResponseWriter, r *http.Request) (answer, error) {
	request, err := read[api.AlignRequest](r)
	if err != nil {
		return nil, err
	}
	if len(request.Pairs) == 0 || len(request.Pairs) > api.MaxTexts {
		return nil, mistake{api.CodeBadRequest, fmt.Sprintf("pairs: %d given, 1 to %d are taken at once", len(request.Pairs), api.MaxTexts)}
	}
	switch request.Lane {
	case "", api.LaneInteractive, api.LaneBatch:
	default:
		return nil, mistake{api.CodeBadRequest, "lane: use interactive or batch"}
	}
	pairs := make([]segment.Pair, len(request.Pairs))
	for i, p := range request.Pairs {
		if !utf8.ValidString(p.Source) || !utf8.ValidString(p.Translation) {
			return nil, mistake{api.CodeBadRequest, fmt.Sprintf("pairs: the one with index %d is not valid UTF-8", i)}
		}
		pairs[i] = segment.Pair{Source: p.Source, Target: p.Translation}
	}
	links, err := d.align(r.Context(), pairs, request.From, request.To, request.Lane != api.LaneBatch)
	if err != nil {
		return nil, err
	}
	response := api.AlignResponse{Alignments: make([]api.Alignment, len(links))}
	for i, all := range links {
		response.Alignments[i].Links = make([]api.Link, len(all))
		for k, l := range all {
			weight := math.Ceil(l.Weight*1000) / 1000
			response.Alignments[i].Links[k] = api.Link{Source: api.Span(l.Source), Target: api.Span(l.Target), Weight: weight}
		}
	}
	return response, nil
}

// align tells which words stand for which. It takes a small part of the time that the
// texts took, and is not held up by what holds up those: it comes when they are done.
func (d *Daemon) align(ctx context.Context, pairs []segment.Pair, from, to string, urgent bool) ([][]segment.Link, error) {
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	return aligned.By(ctx, model, pairs, from, to, urgent)
}

// Align is align for the text of a file that is being translated, and goes behind
// what people wait for.
func (f fileTranslator) Align(ctx context.Context, pairs []segment.Pair, from, to string) ([][]segment.Link, error) {
	links, err := f.align(ctx, pairs, from, to, false)
	return links, notTheFile(err)
}

// Align is align for the interface of LibreTranslate.
func (b libreBackend) Align(ctx context.Context, pairs []segment.Pair, from, to string) ([][]segment.Link, error) {
	links, err := b.d.align(ctx, pairs, from, to, true)
	if err != nil && !errors.Is(err, segment.ErrNoAlignment) {
		return nil, problemOf(err)
	}
	return links, err
}
