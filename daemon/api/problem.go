package api

import "errors"

// Problem is an error's body (RFC 9457, application/problem+json).
type Problem struct {
	Type   string `json:"type"` // "about:blank" or a path of the documentation
	Title  string `json:"title"`
	Status int    `json:"status"`
	Detail string `json:"detail,omitempty"` // for people: what, where, the way out
	Code   Code   `json:"code"`             // for programs
}

// Error makes a Problem an error.
func (p *Problem) Error() string {
	if p.Detail != "" {
		return p.Detail
	}
	return p.Title
}

// Is lets errors.Is tell problems by their code.
func (p *Problem) Is(target error) bool {
	code, ok := target.(codeError)
	return ok && p.Code == Code(code)
}

// Code says what went wrong; codes keep their meaning.
type Code string

const (
	CodeBadRequest Code = "bad_request"       // 400
	CodeLanguage   Code = "unknown_language"  // 400
	CodeForbidden  Code = "forbidden"         // 403
	CodeNotFound   Code = "not_found"         // 404
	CodeUnknown    Code = "unknown_operation" // 404: this version of the service does not have it
	CodeConflict   Code = "conflict"          // 409
	CodeTooLarge   Code = "too_large"         // 413
	CodeBusy       Code = "busy"              // 503, with Retry-After: the queue is full
	CodeNoModel    Code = "no_model"          // 503: runtime or model is missing, see the detail
	CodeTimeout    Code = "timeout"           // 504
	CodeCancelled  Code = "cancelled"         // 499, the text was cancelled
	CodeForeign    Code = "foreign_text"      // 422: the text is in a language that the model does not have
	CodeNoAlign    Code = "no_alignment"      // 501: the model that serves does not show which words stand for which
	CodeFailed     Code = "failed"            // 500: the work itself failed
	CodeInternal   Code = "internal"          // 500: a mistake of dragoman's
)

type codeError Code

func (c codeError) Error() string { return string(c) }

// What callers branch on: errors.Is(err, api.ErrBusy).
var (
	ErrLanguage  error = codeError(CodeLanguage)
	ErrNotFound  error = codeError(CodeNotFound)
	ErrUnknown   error = codeError(CodeUnknown)
	ErrConflict  error = codeError(CodeConflict)
	ErrBusy      error = codeError(CodeBusy)
	ErrNoModel   error = codeError(CodeNoModel)
	ErrTimeout   error = codeError(CodeTimeout)
	ErrCancelled error = codeError(CodeCancelled)
	ErrForeign   error = codeError(CodeForeign)
	ErrNoAlign   error = codeError(CodeNoAlign)
)

// ErrNotRunning is the error of a client that found no daemon.
var ErrNotRunning = errors.New("the dragoman service is not running: start it with `dragoman service start`, or install it with `dragoman service install`")
