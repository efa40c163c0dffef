package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/ipc"
)

// calls is one use of the client for each route that answers at once.
var calls = map[Route]struct {
	use  func(context.Context, *Client) (any, error)
	uri  string // that must be asked for
	body string // that must be sent
}{
	RouteStatus: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Status(ctx) }, uri: "/v1/status"},
	RouteTranslate: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.Translate(ctx, TranslateRequest{Texts: []string{"a"}, From: Auto, To: "es", Stream: true})
		}, uri: "/v1/translate", body: `{"texts":["a"],"from":"auto","to":"es"}`},
	RouteDetect: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.Detect(ctx, DetectRequest{Texts: []string{"a"}})
		},
		uri: "/v1/detect", body: `{"texts":["a"]}`},
	RouteAlign: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.Align(ctx, AlignRequest{Pairs: []AlignPair{{"a", "b"}}, From: "en", To: "es", Lane: LaneBatch})
		},
		uri: "/v1/align", body: `{"pairs":[{"source":"a","translation":"b"}],"from":"en","to":"es","lane":"batch"}`},
	RouteLanguages: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Languages(ctx) }, uri: "/v1/languages"},
	RouteJobs: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.Jobs(ctx, JobQuery{State: JobFailed, Folder: 2, Before: 3, Limit: 4})
		}, uri: "/v1/jobs?before=3&folder=2&limit=4&state=failed"},
	RouteJob: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Job(ctx, 7) }, uri: "/v1/jobs/7"},
	RouteCancelJob: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.CancelJob(ctx, 7) }, uri: "/v1/jobs/7"},
	RouteRetryJob: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.RetryJob(ctx, 7) }, uri: "/v1/jobs/7/retry"},
	RouteHistory: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.History(ctx, HistoryQuery{Search: "zwei Wörter&", Limit: 9})
		}, uri: "/v1/history?limit=9&search=zwei+W%C3%B6rter%26"},
	RouteEraseHistory: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.EraseHistory(ctx, time.Date(2026, 11, 27, 19, 0, 0, 0, time.FixedZone("", 3600)))
		}, uri: "/v1/history?before=2026-11-27T18%3A00%3A00Z"},
	RouteEraseEntry: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.EraseHistoryEntry(ctx, 7) }, uri: "/v1/history/7"},
	RouteFolders: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Folders(ctx) }, uri: "/v1/folders"},
	RouteAddFolder: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.AddFolder(ctx, FolderSettings{Path: "/p", From: "en", To: []string{"de"}})
		}, uri: "/v1/folders", body: `{"path":"/p","from":"en","to":["de"]}`},
	RouteFolder: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Folder(ctx, 7) }, uri: "/v1/folders/7"},
	RouteSetFolder: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.SetFolder(ctx, 7, FolderSettings{Path: "/p", From: "en", To: []string{"de"}, Paused: true})
		}, uri: "/v1/folders/7", body: `{"path":"/p","from":"en","to":["de"],"paused":true}`},
	RouteRemoveFolder: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.RemoveFolder(ctx, 7) }, uri: "/v1/folders/7"},
	RouteRescanFolder: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.RescanFolder(ctx, 7) }, uri: "/v1/folders/7/rescan"},
	RoutePauseFolder: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.PauseFolder(ctx, 7) }, uri: "/v1/folders/7/pause"},
	RouteResumeFolder: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.ResumeFolder(ctx, 7) }, uri: "/v1/folders/7/resume"},
	RouteGlossary: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Glossary(ctx) },
		uri: "/v1/glossary"},
	RouteAddTerm: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return nil, c.AddTerm(ctx, Term{From: "en", To: "de", Source: "a", Target: "b"})
		},
		uri: "/v1/glossary", body: `{"from":"en","to":"de","source":"a","target":"b"}`},
	RouteRemoveTerm: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return nil, c.RemoveTerm(ctx, Term{Source: "a b", From: "en", To: "de"})
		},
		uri: "/v1/glossary?from=en&term=a+b&to=de"},
	RouteAddGlossary: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.AddGlossary(ctx, WordsFile{"a.csv", "en,de"})
		},
		uri: "/v1/glossary/files", body: `{"name":"a.csv","content":"en,de"}`},
	RouteRemoveGlossary: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.RemoveGlossary(ctx, "a.csv") },
		uri: "/v1/glossary/files?name=a.csv"},
	RouteSearchMemory: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.SearchMemory(ctx, MemoryQuery{From: "en", To: "de", Text: "a"})
		},
		uri: "/v1/memory/search", body: `{"from":"en","to":"de","text":"a"}`},
	RouteCorrect: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return nil, c.Correct(ctx, Correction{"en", "de", "a", "b"})
		},
		uri: "/v1/memory/corrections", body: `{"from":"en","to":"de","text":"a","translation":"b"}`},
	RouteForgetCorrection: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.ForgetCorrection(ctx, "a") },
		uri: "/v1/memory/forget", body: `{"text":"a"}`},
	RouteMemoryFiles: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.MemoryFiles(ctx) },
		uri: "/v1/memory/files"},
	RouteAddMemory: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.AddMemory(ctx, WordsFile{"a.tmx", "<tmx/>"})
		},
		uri: "/v1/memory/files", body: `{"name":"a.tmx","content":"\u003ctmx/\u003e"}`},
	RouteRemoveMemory: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.RemoveMemory(ctx, "a.tmx") },
		uri: "/v1/memory/files?name=a.tmx"},
	RouteExportMemory: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.ExportMemory(ctx) },
		uri: "/v1/memory/export"},
	RouteSettings: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Settings(ctx) }, uri: "/v1/settings"},
	RouteSetSettings: {
		use: func(ctx context.Context, c *Client) (any, error) {
			return c.SetSettings(ctx, SettingsRequest{Values: map[string]*string{"a.b": new("true"), "c": nil}})
		}, uri: "/v1/settings", body: `{"values":{"a.b":"true","c":null}}`},
	RouteReload: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Reload(ctx) }, uri: "/v1/reload"},
	RoutePause: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Pause(ctx, PauseRequest{Seconds: 60}) },
		uri: "/v1/pause", body: `{"seconds":60}`},
	RouteResume: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Resume(ctx) }, uri: "/v1/resume"},
	RoutePulls: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Pulls(ctx) }, uri: "/v1/pulls"},
	RoutePull: {
		use: func(ctx context.Context, c *Client) (any, error) { return c.Pull(ctx, PullRequest{Model: "small100"}) },
		uri: "/v1/pulls", body: `{"model":"small100"}`},
	RouteCancelPull: {
		use: func(ctx context.Context, c *Client) (any, error) { return nil, c.CancelPull(ctx, 7) }, uri: "/v1/pulls/7"},
}

// TestEachCallReachesItsRoute registers the table as the daemon does.
func TestEachCallReachesItsRoute(t *testing.T) {
	type asked struct {
		route           Route
		uri, body, kind string
	}
	seen := make(chan asked, 1)
	mux := http.NewServeMux()
	for _, route := range Routes {
		mux.HandleFunc(route.String(), func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			seen <- asked{route, r.RequestURI, string(body), r.Header.Get("Content-Type")}
			if answer, ok := operations[route].gives[TypeJSON]; ok {
				reply(w, http.StatusOK, TypeJSON, sample(answer))
			} else {
				w.WriteHeader(http.StatusNoContent)
			}
		})
	}
	s := serve(t, mux)
	for _, route := range Routes {
		if route == RouteEvents {
			continue
		}
		t.Run(route.Name, func(t *testing.T) {
			call, ok := calls[route]
			require.True(t, ok, "the client has no method for it")
			got, err := call.use(t.Context(), s.Client)
			require.NoError(t, err)
			want := asked{route: route, uri: call.uri, body: call.body}
			if call.body != "" {
				want.kind = TypeJSON
			}
			require.Equal(t, want, <-seen)
			if answer, ok := operations[route].gives[TypeJSON]; ok {
				require.Equal(t, sample(answer), got)
			} else {
				require.Nil(t, got)
			}
		})
	}
}

// sample fills the strings and numbers of a value's first level, so that what
// comes back differs from nothing.
func sample(value any) any {
	v := reflect.New(reflect.TypeOf(value)).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Kind() {
		case reflect.String:
			f.SetString("filled")
		case reflect.Int, reflect.Int64:
			f.SetInt(42)
		case reflect.Bool:
			f.SetBool(true)
		}
	}
	return v.Interface()
}

func TestNobodyListens(t *testing.T) {
	for name, cause := range map[string]error{
		"no socket":    fs.ErrNotExist,
		"refused":      syscall.ECONNREFUSED,
		"of a command": nil, // ipc's own, below
	} {
		t.Run(name, func(t *testing.T) {
			c := NewClient(func(ctx context.Context) (net.Conn, error) {
				if cause == nil {
					return ipc.DialAny(ctx, testAddress(t), testAddress(t))
				}
				return nil, fmt.Errorf("connect: %w", cause)
			})
			_, err := c.Status(t.Context())
			require.ErrorIs(t, err, ErrNotRunning)
			require.ErrorContains(t, err, "dragoman service start")
			err = c.Events(t.Context(), 0, func(Event) error { return nil })
			require.ErrorIs(t, err, ErrNotRunning)
		})
	}
	denied := NewClient(func(context.Context) (net.Conn, error) { return nil, fs.ErrPermission })
	_, err := denied.Status(t.Context())
	require.ErrorIs(t, err, fs.ErrPermission)
	require.NotErrorIs(t, err, ErrNotRunning)
}

func TestProblemsAreErrors(t *testing.T) {
	sentinels := map[Code]error{
		CodeLanguage: ErrLanguage, CodeNotFound: ErrNotFound, CodeConflict: ErrConflict, CodeBusy: ErrBusy,
		CodeNoModel: ErrNoModel, CodeTimeout: ErrTimeout, CodeCancelled: ErrCancelled,
	}
	var sent Problem
	s := serve(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		reply(w, sent.Status, TypeProblem+"; charset=utf-8", sent)
	}))
	for code, sentinel := range sentinels {
		sent = Problem{Type: "about:blank", Title: "T", Status: 499, Detail: "why, and the way out", Code: code}
		_, err := s.Status(t.Context())
		require.ErrorIs(t, err, sentinel)
		for other, wrong := range sentinels {
			require.Equal(t, other == code, errors.Is(err, wrong), "%s is %s", code, other)
		}
		var got *Problem
		require.ErrorAs(t, err, &got)
		require.Equal(t, sent, *got)
		require.EqualError(t, err, "why, and the way out")
		require.ErrorIs(t, s.CancelJob(t.Context(), 1), sentinel)
	}
	sent.Detail = ""
	_, err := s.Status(t.Context())
	require.EqualError(t, err, "T")
}

// secret stands for a text of a user, which no error may quote.
const secret = "Geheimnis"

func TestAnswersThatAreNotTheDaemons(t *testing.T) {
	for name, test := range map[string]struct {
		handler http.HandlerFunc
		want    string
	}{
		"a page":              {raw(http.StatusBadGateway, "text/html", "<p>"+secret), "502 Bad Gateway with text/html"},
		"a page that is fine": {raw(http.StatusOK, "text/html; charset=utf-8", secret), "200 OK with text/html"},
		"nothing":             {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }, "204 No Content with no content"},
		"elsewhere":           {raw(http.StatusFound, TypeJSON, "{}"), "302 Found"},
		"an error as JSON":    {raw(http.StatusTeapot, TypeJSON, `"`+secret+`"`), "418"},
		"broken JSON":         {raw(http.StatusOK, TypeJSON, `{"version":`+secret), "no JSON at byte 12 of 20"},
		"another JSON":        {raw(http.StatusOK, TypeJSON, `{"version":17,"state":"`+secret+`"}`), `"version" is not of type string`},
		"a broken problem":    {raw(http.StatusConflict, TypeProblem, secret), "409 Conflict"},
		"too long":            {func(w http.ResponseWriter, _ *http.Request) { endless(w, TypeJSON) }, "64 MiB"},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", TypeJSON)
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"version":"`+secret)
		}, "the connection ended early"},
		"silence": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, "the connection ended early"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := serve(t, test.handler).Status(t.Context())
			require.ErrorContains(t, err, test.want)
			require.ErrorContains(t, err, "GET /v1/status")
			require.NotContains(t, err.Error(), secret)
			require.Equal(t, Snapshot{}, got)
		})
	}
}

// endless writes one JSON string until the client has had enough.
func endless(w http.ResponseWriter, kind string) {
	w.Header().Set("Content-Type", kind)
	part := strings.Repeat("x", 1<<20)
	_, err := io.WriteString(w, `{"version":"`)
	for err == nil {
		_, err = io.WriteString(w, part)
	}
}

func TestTheEndOfAContextEndsTheWork(t *testing.T) {
	begun, ended := make(chan struct{}), make(chan struct{})
	s := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.ReadAll(r.Body) // the server sees the end of a client only behind its body
		close(begun)
		<-r.Context().Done()
		close(ended)
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	_, err := s.Translate(ctx, TranslateRequest{Texts: []string{"a"}})
	require.ErrorIs(t, err, context.Canceled)
	<-ended
}

func TestADeadlineIsTheContextsError(t *testing.T) {
	s := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := s.Status(ctx)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestNoConnectionIsLeftOpen(t *testing.T) {
	s := serve(t, raw(http.StatusOK, TypeJSON, "{}"))
	for range 20 {
		_, err := s.Status(t.Context())
		require.NoError(t, err)
	}
	for s.open() > 0 {
		select {
		case <-s.gone:
		case <-time.After(10 * time.Second):
			require.Zero(t, s.open(), "connections are left open")
		}
	}
}

func TestOneClientTooManyIsToldSo(t *testing.T) {
	l, err := ipc.Listen(ipc.Options{Address: testAddress(t), MaxClients: 1})
	require.NoError(t, err)
	defer l.Close()
	ready := make(chan net.Conn, 1)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			ready <- c // and nobody closes it
		}
	}()
	address := ipc.Address(l.Addr().String())
	dial := func(ctx context.Context) (net.Conn, error) { return ipc.Dial(ctx, address) }
	for accepted := false; !accepted; { // wine loses the first
		held, err := dial(t.Context())
		require.NoError(t, err)
		defer held.Close()
		select {
		case c := <-ready:
			defer c.Close()
			accepted = true
		case <-time.After(2 * time.Second):
		}
	}
	_, err = NewClient(dial).Status(t.Context())
	require.ErrorContains(t, err, "too many clients")
}

func TestWireFormsOfZeroValues(t *testing.T) {
	data, err := json.Marshal(Event{ID: 5, Notice: &Notice{Level: "info"}})
	require.NoError(t, err)
	require.JSONEq(t, `{"notice":{"time":"0001-01-01T00:00:00Z","level":"info","message":""}}`, string(data))
	data, err = json.Marshal(Snapshot{})
	require.NoError(t, err)
	require.NotContains(t, string(data), "paused_until", "a time that is none")
}
