package libretranslate

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"

	"dragoman/daemon/api"
	"dragoman/inference/language"
	"dragoman/internal/english"
	"dragoman/watch/document/segment"
)

// auto as a source asks us to find out.
const auto = "auto"

// detection is the shape of a detected language; confidence is in percent.
type detection struct {
	Confidence float64 `json:"confidence"`
	Language   string  `json:"language"`
}

// translate answers POST /translate.
func (h *Handler) translate(ctx context.Context, w http.ResponseWriter, _ *http.Request, p params) error {
	if err := h.checkTexts(p); err != nil {
		return err
	}
	alternatives, err := p.wantsAlternatives()
	if err != nil {
		return err
	}
	codes, err := h.codes(ctx)
	if err != nil {
		return err
	}
	pair, err := pairOf(p, codes)
	if err != nil {
		return err
	}
	read := plainDocument
	switch p.format {
	case "", "text":
	case "html":
		read = htmlDocument
	default:
		return badRequest("the format is neither text nor html")
	}
	documents := make([]*segment.Part, len(p.texts))
	for i, t := range p.texts {
		if documents[i], err = read(t); err != nil {
			return err
		}
	}
	out, detections, err := h.translateWith(ctx, alternatives, documents, pair, p.format == "html")
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, answerOf(out, detections, p.list, pair.from == auto, alternatives > 0, codes))
	return nil
}

// answerOf puts the answer together: one value for a string, lists for a list.
// out are the translations, each with its alternatives after it.
func answerOf(out [][]string, detections []detection, list, detected, alternatives bool, codes []string) map[string]any {
	texts, others := make([]string, len(out)), make([][]string, len(out))
	for i, all := range out {
		texts[i], others[i] = all[0], all[1:]
	}
	for i := range detections {
		detections[i] = detections[i].orEnglish(codes)
	}
	answer := map[string]any{}
	set := func(name string, one, all any) {
		if list {
			answer[name] = all
		} else {
			answer[name] = one
		}
	}
	set("translatedText", texts[0], texts)
	if detected {
		set("detectedLanguage", detections[0], detections)
	}
	if alternatives {
		set("alternatives", others[0], others)
	}
	return answer
}

// orEnglish stands in for "nothing detected", which LibreTranslate answers so.
func (d detection) orEnglish(codes []string) detection {
	if d.Language != "" {
		return d
	}
	if slices.Contains(codes, "en") {
		return detection{0, "en"}
	}
	return detection{0, codes[0]}
}

func (h *Handler) checkTexts(p params) error {
	if len(p.texts) == 0 || !p.list && p.texts[0] == "" {
		return badRequest("q is missing: give the text to translate")
	}
	if len(p.texts) > h.options.MaxTexts {
		return badRequest(fmt.Sprintf("q has %d texts, more than %d", len(p.texts), h.options.MaxTexts))
	}
	for _, t := range p.texts {
		if n := utf8.RuneCountInString(t); h.options.CharLimit > 0 && n > h.options.CharLimit {
			return badRequest(fmt.Sprintf("q has a text of %s, more than %d", english.Count(n, "character"), h.options.CharLimit))
		}
	}
	return nil
}

// codes are the model's languages; there is at least one.
func (h *Handler) codes(ctx context.Context) ([]string, error) {
	languages, err := h.options.Backend.Languages(ctx)
	if err != nil {
		return nil, err
	}
	if len(languages) == 0 {
		return nil, failure{http.StatusServiceUnavailable, "no model is there to translate with: see `dragoman status`"}
	}
	codes := make([]string, len(languages))
	for i, l := range languages {
		codes[i] = l.Code
	}
	return codes, nil
}

type pair struct{ from, to string }

// pairOf matches the languages of a request to the model's: clients say zh-Hans
// where LibreTranslate does, or pt-BR.
func pairOf(p params, codes []string) (pair, error) {
	if p.source == "" {
		return pair{}, badRequest("source is missing: give a language of /languages or auto")
	}
	if p.target == "" {
		return pair{}, badRequest("target is missing: give a language of /languages")
	}
	from := auto
	if !strings.EqualFold(p.source, auto) {
		if from = language.Match(p.source, codes); from == "" {
			return pair{}, unsupported(p.source)
		}
	}
	to := language.Match(p.target, codes)
	if to == "" {
		return pair{}, unsupported(p.target)
	}
	return pair{from, to}, nil
}

// unsupported repeats a short code only: a client may have mixed up its
// parameters.
func unsupported(code string) error {
	if len(code) > 16 {
		return badRequest("the language is not supported: see /languages")
	}
	return badRequest(fmt.Sprintf("%s is not supported: see /languages", strings.ToValidUTF8(code, "")))
}

// sourcesOf are the documents' segments that are to be translated, by the language that they
// are in, and what language each document was taken for.
func (h *Handler) sourcesOf(ctx context.Context, documents []*segment.Part, to pair) (map[string][]*segment.Segment, []detection, error) {
	detections := make([]detection, len(documents))
	bySource := map[string][]*segment.Segment{}
	for i, d := range documents {
		from := to.from
		if from == auto {
			code, confidence, err := h.options.Backend.Detect(ctx, sample(d))
			if err != nil {
				return nil, nil, err
			}
			detections[i] = detection{percent(confidence), code}
			from = code
		}
		// What is of no language or the right one stays as it is.
		if from != "" && from != to.to {
			bySource[from] = append(bySource[from], d.Segments...)
		}
	}
	return bySource, detections, nil
}

// eachOf fills segments in: those with markup in them, or each as a text of its own.
func (h *Handler) eachOf(by translator, markup bool) func(context.Context, []*segment.Segment, pair) error {
	if markup {
		return func(ctx context.Context, segments []*segment.Segment, pair pair) error {
			return segment.TranslateAligned(ctx, segments, oneText(by, pair), h.align(pair))
		}
	}
	return func(ctx context.Context, segments []*segment.Segment, pair pair) error {
		for part := range slices.Chunk(segments, min(h.options.MaxTexts, api.MaxTexts)) {
			texts := make([]string, len(part))
			for i, s := range part {
				texts[i] = s.Source()
			}
			out, _, err := by(ctx, texts, pair)
			if err != nil {
				return err
			}
			for i, s := range part {
				s.Reset()
				s.Slots[0].Out = out[i]
			}
		}
		return nil
	}
}

// oneText translates the texts of a document.
func oneText(by translator, pair pair) segment.Func {
	var whole segment.OneModel
	return func(ctx context.Context, text string) (string, error) {
		out, model, err := by(ctx, []string{text}, pair)
		if err != nil {
			return "", err
		}
		return out[0], whole.Check(model)
	}
}

// oneText translates the texts of a file.
func (h *Handler) oneText(pair pair) segment.Func { return oneText(h.backend, pair) }

func (h *Handler) align(pair pair) segment.Align {
	return func(ctx context.Context, pairs []segment.Pair) ([][]segment.Link, error) {
		return h.options.Backend.Align(ctx, pairs, pair.from, pair.to)
	}
}

func (h *Handler) backend(ctx context.Context, texts []string, pair pair) (out []string, model string, err error) {
	all, model, err := h.ask(ctx, texts, pair, 0)
	for _, found := range all {
		out = append(out, found[0])
	}
	return out, model, err
}

// percent has one decimal.
func percent(confidence float64) float64 {
	return float64(int(confidence*1000+0.5)) / 10
}
