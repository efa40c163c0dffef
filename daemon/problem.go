package daemon

import (
	"context"
	"errors"
	"net/http"

	"dragoman/daemon/api"
	"dragoman/daemon/queue"
	"dragoman/daemon/store"
	"dragoman/inference/language"
	"dragoman/inference/m2m100/tokenizer"
	"dragoman/watch/document/segment"
)

// mistake is an error of a client: its request cannot be right.
type mistake struct {
	code   api.Code
	detail string
}

func (m mistake) Error() string { return m.detail }

func badRequest(err error) error { return mistake{api.CodeBadRequest, err.Error()} }

// statusClosed is the status of work that was cancelled, as proxies use it;
// HTTP has none.
const statusClosed = 499

// statuses are the HTTP statuses of problems.
var statuses = map[api.Code]int{
	api.CodeBadRequest: http.StatusBadRequest,
	api.CodeLanguage:   http.StatusBadRequest,
	api.CodeForbidden:  http.StatusForbidden,
	api.CodeNotFound:   http.StatusNotFound,
	api.CodeUnknown:    http.StatusNotFound,
	api.CodeConflict:   http.StatusConflict,
	api.CodeTooLarge:   http.StatusRequestEntityTooLarge,
	api.CodeBusy:       http.StatusServiceUnavailable,
	api.CodeNoModel:    http.StatusServiceUnavailable,
	api.CodeTimeout:    http.StatusGatewayTimeout,
	api.CodeCancelled:  statusClosed,
	api.CodeForeign:    http.StatusUnprocessableEntity,
	api.CodeNoAlign:    http.StatusNotImplemented,
	api.CodeFailed:     http.StatusInternalServerError,
	api.CodeInternal:   http.StatusInternalServerError,
}

// problemOf says an error in the words of the API.
func problemOf(err error) *api.Problem {
	if p, ok := errors.AsType[*api.Problem](err); ok {
		return p
	}
	code := codeOf(err)
	status := statuses[code]
	title := http.StatusText(status)
	if status == statusClosed {
		title = "Cancelled"
	}
	return &api.Problem{Type: "about:blank", Title: title, Status: status, Detail: err.Error(), Code: code}
}

func codeOf(err error) api.Code {
	var m mistake
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &m):
		return m.code
	case errors.As(err, &large):
		return api.CodeTooLarge
	case errors.Is(err, language.ErrForeign):
		return api.CodeForeign
	case errors.Is(err, tokenizer.ErrUnknownLanguage):
		return api.CodeLanguage
	case errors.Is(err, errNoModel):
		return api.CodeNoModel
	case errors.Is(err, queue.ErrFull), errors.Is(err, queue.ErrStopped), errors.Is(err, errStopping):
		return api.CodeBusy
	case errors.Is(err, store.ErrNotFound):
		return api.CodeNotFound
	case errors.Is(err, store.ErrTaken):
		return api.CodeConflict
	case errors.Is(err, segment.ErrNoAlignment):
		return api.CodeNoAlign
	case errors.Is(err, queue.ErrPanic):
		return api.CodeInternal
	case errors.Is(err, queue.ErrTimeout), errors.Is(err, context.DeadlineExceeded):
		return api.CodeTimeout
	case errors.Is(err, queue.ErrCancelled), errors.Is(err, context.Canceled):
		return api.CodeCancelled
	}
	return api.CodeFailed
}
