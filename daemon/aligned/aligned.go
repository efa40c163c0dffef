// Package aligned has a model tell what package segment asks for: in the service, and in
// the command where there is none.
package aligned

import (
	"context"
	"errors"

	"dragoman/daemon/api"
	"dragoman/inference"
	"dragoman/watch/document/segment"
)

// Model is a *inference.Translator.
type Model interface {
	Align(ctx context.Context, r inference.AlignRequest) ([][]inference.Link, error)
}

// By is segment.Align of texts in two languages. From is "" or api.Auto where it is not known;
// urgent pairs go before other work.
func By(ctx context.Context, m Model, pairs []segment.Pair, from, to string, urgent bool) ([][]segment.Link, error) {
	if from == "" || from == api.Auto {
		return nil, segment.ErrNoAlignment
	}
	r := inference.AlignRequest{From: from, To: to, Before: func(context.Context) (bool, error) { return urgent, nil }}
	for _, p := range pairs {
		r.Pairs = append(r.Pairs, inference.AlignPair{Source: p.Source, Translation: p.Target})
	}
	found, err := m.Align(ctx, r)
	if errors.Is(err, inference.ErrNoAlignment) {
		return nil, segment.ErrNoAlignment
	}
	if err != nil {
		return nil, err
	}
	all := make([][]segment.Link, len(found))
	for i, links := range found {
		for _, l := range links {
			all[i] = append(all[i], segment.Link{Source: segment.Span(l.Source), Target: segment.Span(l.Target), Weight: l.Weight})
		}
	}
	return all, nil
}
