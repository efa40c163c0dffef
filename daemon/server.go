package daemon

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"time"

	"dragoman/daemon/api"
	"dragoman/daemon/crowd"
)

// How long a client may take before its connection is given up.
const (
	headerTime = 5 * time.Second
	bodyTime   = 30 * time.Second
	idleTime   = 2 * time.Minute
	writeTime  = 10 * time.Second // for each answer or part of a stream
)

// answer is what a handler returns; nil is no content.
type answer any

// handler answers one path of the API.
type handler func(w http.ResponseWriter, r *http.Request) (answer, error)

// newServer makes the HTTP server of the API and the listener that it is to
// serve: connections that only wait give way to newcomers. Requests end with
// ctx.
func (d *Daemon) newServer(ctx context.Context, listener net.Listener) (*http.Server, net.Listener) {
	server := &http.Server{
		Handler:           d.routes(),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    16 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
		ErrorLog:          slog.NewLogLogger(slog.Default().Handler(), slog.LevelWarn),
	}
	return server, crowd.Bound(server, listener, crowd.Options{
		Max: d.settings().API.MaxClients,
		Refused: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			writeProblem(w, mistake{api.CodeBusy, "too many programs are being answered at once: try again, or raise api.max_clients"})
		}),
	})
}

// routes gives each path of the API its handler.
func (d *Daemon) routes() http.Handler {
	mux := http.NewServeMux()
	for _, handlers := range []map[api.Route]handler{d.handlers(), d.wordsHandlers()} {
		for route, h := range handlers {
			mux.Handle(route.String(), d.serve(h))
		}
	}
	mux.HandleFunc("GET "+metricsPath, d.serveMetrics)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		writeProblem(w, mistake{api.CodeUnknown, fmt.Sprintf(
			"the service (version %s) does not know %s %s and seems to be older than the program that asks: replace it with `dragoman service install`, or start the newer dragomand where it runs in the foreground (docs/openapi.yaml lists what it knows)",
			d.opts.Version, r.Method, r.URL.Path)})
	})
	return local(mux)
}

// handlers answer the operations of the interface.
func (d *Daemon) handlers() map[api.Route]handler {
	return map[api.Route]handler{
		api.RouteStatus:       d.handleStatus,
		api.RouteEvents:       d.handleEvents,
		api.RouteTranslate:    d.handleTranslate,
		api.RouteDetect:       d.handleDetect,
		api.RouteAlign:        d.handleAlign,
		api.RouteLanguages:    d.handleLanguages,
		api.RouteJobs:         d.handleJobs,
		api.RouteJob:          d.handleJob,
		api.RouteCancelJob:    d.handleCancelJob,
		api.RouteRetryJob:     d.handleRetryJob,
		api.RouteHistory:      d.handleHistory,
		api.RouteEraseHistory: d.handleEraseHistory,
		api.RouteEraseEntry:   d.handleDeleteHistory,
		api.RouteFolders:      d.handleFolders,
		api.RouteAddFolder:    d.handleAddFolder,
		api.RouteFolder:       d.handleFolder,
		api.RouteSetFolder:    d.handleSetFolder,
		api.RouteRemoveFolder: d.handleRemoveFolder,
		api.RouteRescanFolder: d.handleRescanFolder,
		api.RoutePauseFolder:  d.handlePauseFolder,
		api.RouteResumeFolder: d.handleResumeFolder,
		api.RouteSettings:     d.handleSettings,
		api.RouteSetSettings:  d.handleSetSettings,
		api.RouteReload:       d.handleReload,
		api.RoutePause:        d.handlePause,
		api.RouteResume:       d.handleResume,
		api.RoutePulls:        d.handlePulls,
		api.RoutePull:         d.handlePull,
		api.RouteCancelPull:   d.handleCancelPull,
	}
}

// local refuses what a page of the web could send, were the interface ever
// reachable by one: a browser names where a page comes from.
func local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" {
			writeProblem(w, mistake{api.CodeForbidden, "this interface is not for pages of the web: turn on the LibreTranslate interface"})
			return
		}
		next.ServeHTTP(w, r)
	})
}

// serve bounds a request, answers it and turns errors into problems.
func (d *Daemon) serve(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // all our connections have deadlines
		r.Body = http.MaxBytesReader(w, r.Body, api.MaxBody)
		got, err := h(w, r)
		_ = control.SetWriteDeadline(time.Now().Add(writeTime))
		switch {
		case errors.Is(err, errAnswered):
		case err != nil:
			writeProblem(w, err)
		case got == nil:
			w.WriteHeader(http.StatusNoContent)
		default:
			writeJSON(w, http.StatusOK, api.TypeJSON, got)
		}
	})
}

// errAnswered says that a handler has written its answer itself.
var errAnswered = errors.New("answered")

func writeProblem(w http.ResponseWriter, err error) {
	p := problemOf(err)
	if p.Code == api.CodeBusy {
		w.Header().Set("Retry-After", "1")
	}
	writeJSON(w, p.Status, api.TypeProblem, p)
}

func writeJSON(w http.ResponseWriter, status int, kind string, value any) {
	body, err := json.Marshal(value)
	if err != nil {
		slog.Error("Answer cannot be written as JSON", "err", err)
		status, body = http.StatusInternalServerError, []byte(`{"type":"about:blank","title":"Internal Server Error","status":500,"code":"internal"}`)
		kind = api.TypeProblem
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away needs no answer
}

// read takes a request's JSON body. Fields that this version does not know are
// left out: they may come from a newer client. Errors never quote the body,
// which may hold texts.
func read[T any](r *http.Request) (T, error) {
	var value T
	decoder := json.NewDecoder(r.Body)
	err := decoder.Decode(&value)
	if err == nil {
		if _, err = decoder.Token(); errors.Is(err, io.EOF) {
			return value, nil
		}
		err = errors.New("more than one JSON value")
	}
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return value, mistake{api.CodeTooLarge, "the request has more than " + strconv.Itoa(api.MaxBody>>20) + " MiB: send the text in parts"}
	}
	return value, mistake{api.CodeBadRequest, "the body is not the JSON object that docs/openapi.yaml describes: " + describeJSON(err)}
}

// describeJSON says where a body is wrong without quoting it.
func describeJSON(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return "syntax error at byte " + strconv.FormatInt(syntax.Offset, 10)
	case errors.As(err, &kind):
		return "field " + strconv.Quote(kind.Field) + " must be " + wanted(kind.Type) + ", not " + jsonKind(kind.Value)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	}
	return "it cannot be read"
}

// wanted is what a field of a type takes.
func wanted(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Slice, reflect.Array:
		return "an array"
	case reflect.Float32, reflect.Float64:
		return "a number of usual size"
	case reflect.Pointer:
		return wanted(t.Elem())
	}
	if t.Kind() >= reflect.Int && t.Kind() <= reflect.Uint64 {
		return "a whole number of usual size"
	}
	return "an object"
}

// jsonKind is what the library says that a value is, without a number's digits.
func jsonKind(value string) string {
	switch kind, digits, _ := strings.Cut(value, " "); {
	case digits != "" && strings.ContainsAny(digits, ".eE"):
		return "a fraction or so large a number"
	case digits != "":
		return "so large a number"
	case kind == "bool":
		return "true or false"
	case kind == "array", kind == "object":
		return "an " + kind
	default:
		return "a " + kind
	}
}

// closedIsFine takes a server's end as what was asked for.
func closedIsFine(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
