package daemon

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/words"
	"dragoman/inference/glossary"
	"dragoman/inference/memory"
)

// tellOfWords says what is wrong with files of the person's own words, one a line.
func (d *Daemon) tellOfWords(err error) {
	for line := range strings.SplitSeq(err.Error(), "\n") {
		d.notify(api.Notice{Time: time.Now(), Level: "warning", Message: line + ": it counts for nothing until that is mended"})
	}
}

// wordsPatience is how long a text waits for a large file of words that is new.
const wordsPatience = time.Second

// wordsHandlers answer what is asked of the person's own words.
func (d *Daemon) wordsHandlers() map[api.Route]handler {
	return map[api.Route]handler{
		api.RouteGlossary: giving(d.words.Glossary),
		api.RouteAddTerm:  taking(d.words.AddTerm),
		api.RouteRemoveTerm: func(_ http.ResponseWriter, r *http.Request) (answer, error) {
			q := r.URL.Query()
			return nil, ofWords(d.words.RemoveTerm(r.Context(), api.Term{Source: q.Get("term"), From: q.Get("from"), To: q.Get("to")}))
		},
		api.RouteAddGlossary: exchanging(d.words.AddGlossary),
		api.RouteRemoveGlossary: func(_ http.ResponseWriter, r *http.Request) (answer, error) {
			return nil, ofWords(d.words.RemoveGlossary(r.Context(), r.URL.Query().Get("name")))
		},
		api.RouteSearchMemory: exchanging(d.words.SearchMemory),
		api.RouteCorrect:      taking(d.words.Correct),
		api.RouteForgetCorrection: taking(func(ctx context.Context, f api.ForgetRequest) error {
			return d.words.ForgetCorrection(ctx, f.Text)
		}),
		api.RouteMemoryFiles: giving(d.words.MemoryFiles),
		api.RouteAddMemory:   exchanging(d.words.AddMemory),
		api.RouteRemoveMemory: func(_ http.ResponseWriter, r *http.Request) (answer, error) {
			return nil, ofWords(d.words.RemoveMemory(r.Context(), r.URL.Query().Get("name")))
		},
		api.RouteExportMemory: giving(d.words.ExportMemory),
	}
}

// giving answers with what do gives.
func giving[T any](do func(context.Context) (T, error)) handler {
	return func(_ http.ResponseWriter, r *http.Request) (answer, error) { return orError(do(r.Context())) }
}

// taking does something with the body of a request.
func taking[T any](do func(context.Context, T) error) handler {
	return func(_ http.ResponseWriter, r *http.Request) (answer, error) {
		body, err := read[T](r)
		if err == nil {
			err = ofWords(do(r.Context(), body))
		}
		return nil, err
	}
}

// exchanging answers a body with what do makes of it.
func exchanging[T, R any](do func(context.Context, T) (R, error)) handler {
	return func(_ http.ResponseWriter, r *http.Request) (answer, error) {
		body, err := read[T](r)
		if err != nil {
			return nil, err
		}
		made, err := do(r.Context(), body)
		return made, ofWords(err)
	}
}

// ofWords gives an error of what a client wants to be kept its code.
func ofWords(err error) error {
	var terms *glossary.FileError
	var units *memory.FileError
	switch {
	case errors.Is(err, words.ErrNotFound):
		return mistake{api.CodeNotFound, err.Error()}
	case errors.Is(err, words.ErrName), errors.Is(err, words.ErrWords), errors.Is(err, words.ErrQuery), errors.As(err, &terms), errors.As(err, &units):
		return badRequest(err)
	}
	return err
}
