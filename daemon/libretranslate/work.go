package libretranslate

import (
	"context"
	"net/http"
	"time"
)

// work wraps what needs the key: it bounds how many requests are worked on at
// once, reads the parameters and checks the key before anything is done.
func (h *Handler) work(do func(context.Context, http.ResponseWriter, *http.Request, params) error) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		select {
		case h.slots <- struct{}{}:
			defer func() { <-h.slots }()
		default:
			return failure{http.StatusServiceUnavailable, "too many requests at once: try again in a moment"}
		}
		outside := keyOutsideBody(r)
		if outside != "" {
			if err := h.checkKey(w, r, outside); err != nil {
				return err
			}
		}
		limits := limits{body: h.options.MaxBody, file: h.options.MaxFile, texts: h.options.MaxTexts}
		if routeOf(r.URL.Path) == "/translate_file" {
			limits.body = max(limits.body, h.options.MaxFile+64<<10)
		}
		p, err := readParams(w, r, limits)
		if err != nil {
			return err
		}
		if outside == "" {
			if err := h.checkKey(w, r, p.key); err != nil {
				return err
			}
		}
		timeout := h.options.Timeout
		if p.file != nil {
			timeout = h.options.FileTimeout
		}
		// The body is read: from here on the work has its own time. A read deadline
		// that passed meanwhile would look like a client that went away.
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Now().Add(timeout + writeTime))
		ctx, cancel := context.WithTimeout(r.Context(), timeout)
		defer cancel()
		return do(ctx, w, r, p)
	}
}
