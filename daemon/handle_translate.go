package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
	"unicode/utf8"

	"dragoman/daemon/api"
	"dragoman/daemon/queue"
	"dragoman/inference"
	"dragoman/inference/language"
)

func (d *Daemon) handleTranslate(w http.ResponseWriter, r *http.Request) (answer, error) {
	request, err := read[api.TranslateRequest](r)
	if err != nil {
		return nil, err
	}
	if err := checkTranslate(&request); err != nil {
		return nil, err
	}
	ctx := r.Context()
	if request.TimeoutMS > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeoutCause(ctx, time.Duration(request.TimeoutMS)*time.Millisecond, queue.ErrTimeout)
		defer cancel()
	}
	if err := d.checkLanguages(ctx, request.From, request.To); err != nil {
		return nil, err
	}
	search, err := inference.NewSearch(request.Beams, request.LengthPenalty, request.Others)
	if err != nil {
		return nil, badRequest(err)
	}
	texts := textsOf(request, search)
	if err := d.resolveAll(ctx, texts); err != nil {
		return nil, err
	}
	if request.Stream {
		return nil, d.stream(ctx, w, texts)
	}
	return orError(d.collect(ctx, texts))
}

// checkTranslate refuses what cannot be right and fills in what may be left out.
func checkTranslate(r *api.TranslateRequest) error {
	if len(r.Texts) == 0 || len(r.Texts) > api.MaxTexts {
		return mistake{api.CodeBadRequest, fmt.Sprintf("texts: %d given, 1 to %d are taken at once", len(r.Texts), api.MaxTexts)}
	}
	for i, t := range r.Texts {
		if !utf8.ValidString(t) {
			return mistake{api.CodeBadRequest, fmt.Sprintf("texts: the one with index %d is not valid UTF-8", i)}
		}
	}
	if r.From == "" {
		r.From = api.Auto
	}
	if r.To == "" || r.To == api.Auto {
		return mistake{api.CodeBadRequest, "to: name the language to translate into, see GET /v1/languages"}
	}
	if r.TimeoutMS < 0 {
		return mistake{api.CodeBadRequest, "timeout_ms: give a positive number of milliseconds, or leave it out"}
	}
	switch r.Lane {
	case "":
		r.Lane = api.LaneInteractive
	case api.LaneInteractive, api.LaneBatch:
	default:
		return mistake{api.CodeBadRequest, "lane: use interactive or batch"}
	}
	switch r.Origin {
	case "":
		r.Origin = api.OriginAPI
	case api.OriginCommand, api.OriginClipboard, api.OriginAPI:
	default:
		return mistake{api.CodeBadRequest, "origin: use command, clipboard or api"}
	}
	return nil
}

func textsOf(r api.TranslateRequest, search *inference.Search) []text {
	lane := queue.Interactive
	if r.Lane == api.LaneBatch {
		lane = queue.Batch
	}
	texts := make([]text, len(r.Texts))
	for i, t := range r.Texts {
		texts[i] = text{
			text: t, from: r.From, to: r.To, lane: lane, fair: string(r.Origin), origin: r.Origin, private: r.Private, explain: r.Explain, search: search, asked: time.Now(),
		}
	}
	return texts
}

// resolveAll finds out the languages of the texts. It is an error where all are
// in languages that the model does not have.
func (d *Daemon) resolveAll(ctx context.Context, texts []text) (problem error) {
	possible := false
	for i := range texts {
		if err := d.resolve(ctx, &texts[i]); err != nil {
			return err
		}
		if found := texts[i].detected; found != nil && found.problem != nil {
			problem = found.problem
		} else {
			possible = true
		}
	}
	if possible {
		return nil
	}
	return problem
}

// ahead is how many texts of one request are in the queue at a time: enough to
// keep the model busy, and no more, because others wait too.
const ahead = 8

// each submits the texts of a request and gives their tickets to use, in order.
// Where the queue is full it waits for its own texts first.
func (d *Daemon) each(ctx context.Context, texts []text, use func(i int, t *ticket) error) error {
	deadline, _ := ctx.Deadline()
	var tickets []*ticket
	defer func() {
		for _, t := range tickets {
			t.Leave()
		}
	}()
	for i := range texts {
		for len(tickets) < min(len(texts), i+ahead) {
			t, err := d.submit(ctx, texts[len(tickets)], deadline)
			if errors.Is(err, queue.ErrFull) && len(tickets) > i {
				break
			}
			if err != nil {
				return err
			}
			tickets = append(tickets, t)
		}
		if err := use(i, tickets[i]); err != nil {
			return err
		}
	}
	return nil
}

func (d *Daemon) collect(ctx context.Context, texts []text) (response api.TranslateResponse, err error) {
	err = d.each(ctx, texts, func(i int, t *ticket) error {
		done, err := t.Wait(ctx)
		d.answered(ctx, texts[i], t, done, err)
		if err == nil {
			response.Translations = append(response.Translations, wireTranslation(texts[i], t, done))
		}
		return err
	})
	return response, err
}

func wireTranslation(asked text, t *ticket, done translation) api.Translation {
	s := done.stats
	wire := api.Translation{
		Job: t.ID(), Text: done.text, From: done.from, Model: done.model, Shared: t.Shared(),
		Stats: api.Stats{
			Sentences: s.Sentences, Remembered: s.Remembered, Kept: s.Kept, Cut: s.Cut, Guarded: s.Guarded,
			TokensIn: s.TokensIn, TokensOut: s.TokensOut, BucketTokens: s.BucketTokens, Padding: s.PaddingTokens,
			WaitedUS: done.waited.Microseconds(), TokeniseUS: s.Tokenise.Microseconds(), EncodeUS: s.Encode.Microseconds(),
			FirstTokenUS: s.FirstToken.Microseconds(), TokenUS: s.TokenMedian.Microseconds(), TokenP95US: s.TokenP95.Microseconds(),
			TotalUS: s.Total.Microseconds(), Protected: s.Protected, Retried: s.Retried, Doubtful: s.Doubtful,
		},
	}
	wire.Others = done.others
	wire.Doubts, wire.Untouched = wireDoubts(done.doubts), api.Untouched(done.untouched)
	if asked.explain {
		for _, n := range done.notes[:min(len(done.notes), api.MaxDoubts)] {
			wire.Notes = append(wire.Notes, api.Note{Sentence: n.Sentence, What: n.What, Details: n.Details})
		}
	}
	if found := asked.detected; found != nil {
		wire.Confidence, wire.Unsure, wire.Alternatives = found.Confidence, found.Unsure, alternatives(found.Finding)
		wire.Foreign, wire.Warning, wire.Hint = found.Other, found.Warning(), found.Hint()
		if found.problem != nil {
			wire.Warning = found.problem.Error()
		}
	}
	return wire
}

// wireDoubts are the first doubts of a text, with why for people.
func wireDoubts(doubts []inference.Doubt) (wire []api.Doubt) {
	for _, d := range doubts[:min(len(doubts), api.MaxDoubts)] {
		wire = append(wire, api.Doubt{
			Kind: api.DoubtKind(d.Kind), Why: d.Kind.Explain(), Sentence: d.Sentence, Source: d.Source, Text: d.Target,
		})
	}
	return wire
}

// stream writes the parts of the translations as they come, text by text.
func (d *Daemon) stream(ctx context.Context, w http.ResponseWriter, texts []text) error {
	w.Header().Set("Content-Type", api.TypeLines)
	lines := lineWriter{w: w, control: http.NewResponseController(w)}
	var response api.TranslateResponse
	err := d.each(ctx, texts, func(i int, t *ticket) error {
		for p, err := range t.Pieces(ctx) {
			if err != nil {
				d.answered(ctx, texts[i], t, translation{}, err)
				return err
			}
			if !lines.write(api.StreamLine{Piece: &api.Piece{Index: i, Text: p.Text, Done: p.Done, Total: p.Total}}) {
				return errAnswered // the client is gone or too slow
			}
		}
		done, err := t.Wait(ctx)
		d.answered(ctx, texts[i], t, done, err)
		response.Translations = append(response.Translations, wireTranslation(texts[i], t, done))
		return err
	})
	switch {
	case errors.Is(err, errAnswered):
	case err != nil:
		lines.write(api.StreamLine{Problem: problemOf(err)})
	default:
		lines.write(api.StreamLine{Done: &response})
	}
	return errAnswered
}

// lineWriter writes lines of JSON, each within writeTime.
type lineWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func (l lineWriter) write(line any) bool {
	_ = l.control.SetWriteDeadline(time.Now().Add(writeTime))
	if err := json.NewEncoder(l.w).Encode(line); err != nil {
		return false
	}
	return l.control.Flush() == nil
}

func (d *Daemon) handleDetect(_ http.ResponseWriter, r *http.Request) (answer, error) {
	request, err := read[api.DetectRequest](r)
	if err != nil {
		return nil, err
	}
	if len(request.Texts) == 0 || len(request.Texts) > api.MaxTexts {
		return nil, mistake{api.CodeBadRequest, fmt.Sprintf("texts: %d given, 1 to %d are taken at once", len(request.Texts), api.MaxTexts)}
	}
	var response api.DetectResponse
	for _, t := range request.Texts {
		found, err := d.detect(r.Context(), t)
		if err != nil {
			return nil, err
		}
		response.Detections = append(response.Detections, found)
	}
	return response, nil
}

func (d *Daemon) handleLanguages(_ http.ResponseWriter, r *http.Request) (answer, error) {
	return orError(d.languages(r.Context()))
}

// languages are those of the model.
func (d *Daemon) languages(ctx context.Context) (response api.LanguagesResponse, err error) {
	model, release, err := d.models.acquire(ctx)
	if err != nil {
		return response, err
	}
	defer release()
	for _, code := range model.Languages() {
		english, native := language.Names(code)
		response.Languages = append(response.Languages, api.Language{Code: code, Name: english, Native: native})
	}
	return response, nil
}
