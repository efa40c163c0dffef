package libretranslate

import (
	"context"

	"dragoman/daemon/api"
	"dragoman/watch/document/segment"
)

// Backend translates. Its errors are *api.Problem or are told by errors.Is from
// the sentinels of package api; others are answered as failures without their
// text. It must be safe for concurrent use.
type Backend interface {
	// Translate returns a text's translation and at most so many others that differ
	// from it, likeliest first, for each text in their order, with the white space
	// around and within as it was. From and to are codes of Languages. Model stands for
	// the model that has translated the texts, "" if they are of several.
	Translate(ctx context.Context, texts []string, from, to string, others int) (all [][]string, model string, err error)
	// Detect returns the most likely language of Languages and how sure that is,
	// from 0 to 1; "" where the text gives no reason for any.
	Detect(ctx context.Context, text string) (code string, confidence float64, err error)
	// Align is segment.Align of texts in two languages.
	Align(ctx context.Context, pairs []segment.Pair, from, to string) ([][]segment.Link, error)
	// Languages are those of the model, each translated from and into; api.ErrNoModel
	// while there is none.
	Languages(ctx context.Context) ([]api.Language, error)
}
