package libretranslate

import (
	"context"
	"net/http"
	"slices"
	"strings"

	files "dragoman/watch/document"
)

// languages answers GET /languages. Like the other questions about the service
// it needs no key: clients ask it before they have one, and it tells nothing
// of what is translated.
func (h *Handler) languages(w http.ResponseWriter, r *http.Request) error {
	codes, err := h.codes(r.Context())
	if err != nil {
		return err
	}
	known, err := h.options.Backend.Languages(r.Context())
	if err != nil {
		return err
	}
	slices.Sort(codes)
	type entry struct {
		Code    string   `json:"code"`
		Name    string   `json:"name"`
		Targets []string `json:"targets"`
	}
	entries := make([]entry, len(known))
	for i, l := range known {
		entries[i] = entry{l.Code, l.Name, codes}
		setDefault(&entries[i].Name, l.Code)
	}
	writeJSON(w, http.StatusOK, entries)
	return nil
}

// settings answers GET /frontend/settings.
func (h *Handler) settings(w http.ResponseWriter, r *http.Request) error {
	known, err := h.options.Backend.Languages(r.Context())
	if err != nil {
		return err
	}
	limit := h.options.CharLimit
	if limit == 0 {
		limit = -1
	}
	type named struct {
		Code string `json:"code"`
		Name string `json:"name"`
	}
	target := named{}
	for i, l := range known {
		if i == 0 || l.Code == "en" {
			target = named{l.Code, l.Name}
		}
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"charLimit":            limit,
		"frontendTimeout":      500, // ms a page waits after a key press; LibreTranslate's default
		"apiKeys":              true,
		"keyRequired":          true,
		"suggestions":          false,
		"filesTranslation":     true,
		"supportedFilesFormat": files.Extensions(),
		"language":             map[string]named{"source": {auto, "Auto Detect"}, "target": target},
	})
	return nil
}

// health answers GET /health: well is who can translate.
func (h *Handler) health(w http.ResponseWriter, r *http.Request) error {
	if _, err := h.codes(r.Context()); err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, map[string]string{"status": "ok"})
	return nil
}

// suggest answers POST /suggest as a server does that takes no suggestions.
func suggest(http.ResponseWriter, *http.Request) error {
	return failure{http.StatusForbidden, "suggestions are not taken"}
}

// detect answers POST /detect: the likely languages, which is one.
func (h *Handler) detect(ctx context.Context, w http.ResponseWriter, _ *http.Request, p params) error {
	if err := h.checkTexts(p); err != nil {
		return err
	}
	codes, err := h.codes(ctx)
	if err != nil {
		return err
	}
	code, confidence, err := h.options.Backend.Detect(ctx, strings.Join(p.texts, "\n"))
	if err != nil {
		return err
	}
	writeJSON(w, http.StatusOK, []detection{detection{percent(confidence), code}.orEnglish(codes)})
	return nil
}
