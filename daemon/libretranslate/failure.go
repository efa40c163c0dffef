package libretranslate

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"

	"dragoman/daemon/api"
	"dragoman/internal/english"
)

// failure is an error whose text is meant for the client.
type failure struct {
	status int
	text   string
}

func (f failure) Error() string { return f.text }

func badRequest(text string) failure { return failure{http.StatusBadRequest, text} }

// statusOf are the statuses of the daemon's problems where LibreTranslate's
// clients know others.
var statusOf = []struct {
	err    error
	status int
}{
	{api.ErrLanguage, http.StatusBadRequest},
	{api.ErrBusy, http.StatusServiceUnavailable},
	{api.ErrNoModel, http.StatusServiceUnavailable},
	{api.ErrTimeout, http.StatusGatewayTimeout},
	{context.DeadlineExceeded, http.StatusGatewayTimeout},
	{api.ErrCancelled, http.StatusInternalServerError},
}

// explain makes a failure of any error. What a client may not know becomes a
// plain sentence.
func explain(err error) failure {
	if f, ok := errors.AsType[failure](err); ok {
		return f
	}
	if large, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return failure{http.StatusRequestEntityTooLarge, "the request has more than " + english.Size(large.Limit)}
	}
	text := ""
	problem, isProblem := errors.AsType[*api.Problem](err)
	if isProblem {
		text = problem.Error()
	}
	for _, s := range statusOf {
		if errors.Is(err, s.err) {
			if text == "" {
				text = err.Error()
			}
			return failure{s.status, text}
		}
	}
	if isProblem && problem.Status >= 400 && problem.Status < 500 {
		return failure{http.StatusBadRequest, text}
	}
	return failure{http.StatusInternalServerError, "the translation failed: see `dragoman service logs`"}
}

// refuse answers with an error.
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, err error) {
	f := explain(err)
	if f.status >= 500 && r.Context().Err() == nil {
		h.options.Log.Warn("LibreTranslate request failed", "path", routeOf(r.URL.Path), "status", f.status, "error", err)
	}
	if f.status == http.StatusServiceUnavailable || f.status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, f.status, map[string]string{"error": f.text})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(body) // the client went away
}
