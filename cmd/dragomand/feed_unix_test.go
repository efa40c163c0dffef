//go:build unix

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/ipc"
	"dragoman/watch/document"
)

// watched is a daemon that texts are fed to.
type watched struct {
	*home
	*marks
	*process
	web     string // address of the LibreTranslate interface
	answers int    // that were problems
}

const secretKey = "0123456789abcdef0123"

func watch(t *testing.T, settings string) *watched {
	w := &watched{home: newHome(t, "log.level = \"debug\"\nlibretranslate.enabled = true\n"+
		"libretranslate.address = \"127.0.0.1:0\"\nlibretranslate.char_limit = 2000\nlibretranslate.api_key = \""+secretKey+"\"\n"+settings), marks: &marks{}}
	w.process = w.launch().warm()
	now, err := w.client().Status(t.Context())
	require.NoError(t, err)
	w.web = "http://" + now.LibreTranslate
	return w
}

// send sends a request as it is. An answer that is an error holds no mark.
func (w *watched) send(client *http.Client, method, address, kind, body string) int {
	t := w.home.t
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	require.NoError(t, err)
	if kind != "" {
		r.Header.Set("Content-Type", kind)
	}
	answer, err := client.Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	if answer.StatusCode >= 400 {
		w.answers++
		require.Empty(t, w.in(text), "%s: %s", address, text)
	}
	return answer.StatusCode
}

// socket sends to the API.
func (w *watched) socket(method, path, body string) int {
	w.home.t.Helper()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return ipc.Dial(ctx, ipc.Default(w.env["DRAGOMAN_RUNTIME"]))
	}}}
	return w.send(client, method, "http://dragoman"+path, "", body)
}

// libre sends to the LibreTranslate interface.
func (w *watched) libre(path, kind, body string) int {
	w.home.t.Helper()
	return w.send(http.DefaultClient, http.MethodPost, w.web+path, kind, body)
}

// text is a sentence with a mark, before others that are all different.
func text(mark string, more int) string {
	var b strings.Builder
	b.WriteString("The secret of " + mark + " is big.")
	for i := range more {
		fmt.Fprintf(&b, " The house number %d is big.", i)
	}
	return b.String()
}

func object(t *testing.T, value any) string {
	t.Helper()
	body, err := json.Marshal(value)
	require.NoError(t, err)
	return string(body)
}

// request is the body of one for the API.
func (w *watched) request(way string, change func(*api.TranslateRequest)) string {
	r := api.TranslateRequest{Texts: []string{text(w.of(way), 0)}, From: "en", To: "de"}
	if change != nil {
		change(&r)
	}
	return object(w.home.t, r)
}

// feedTranslations goes all ways of the API on which something is translated.
// Those of them that leave a trace where it is wanted are returned.
func (w *watched) feedTranslations() (kept []string) {
	t := w.home.t
	for way, change := range map[string]func(*api.TranslateRequest){
		"a text":          nil,
		"a streamed text": func(r *api.TranslateRequest) { r.Stream = true },
		"a batch text":    func(r *api.TranslateRequest) { r.Lane = api.LaneBatch },
		"any language":    func(r *api.TranslateRequest) { r.From = api.Auto },
	} {
		require.Equal(t, http.StatusOK, w.socket("POST", "/v1/translate", w.request(way, change)), way)
		kept = append(kept, way)
	}
	for way, change := range map[string]func(*api.TranslateRequest){
		"a private text":          func(r *api.TranslateRequest) { r.Private = true },
		"a private streamed text": func(r *api.TranslateRequest) { r.Private, r.Stream = true, true },
	} {
		require.Equal(t, http.StatusOK, w.socket("POST", "/v1/translate", w.request(way, change)), way)
	}

	// By the command, whose process shows nothing of its standard input. It waits
	// as long as the daemon stands still.
	p := w.prepare(shared.command, "translate", "--from", "en", "--to", "de", "-")
	p.cmd.Stdin = strings.NewReader(text(w.of("standard input"), 100))
	p.start()
	w.catch(func(now api.Snapshot) bool { return now.Queue.Running > 0 })
	w.signal(syscall.SIGSTOP)
	w.ofProcess(t, p)
	w.signal(syscall.SIGCONT)
	require.Zero(t, p.wait())
	require.Zero(t, w.runWith(text(w.of("private standard input"), 0), "translate", "--private", "--to", "de", "-").code)
	return append(kept, "standard input")
}

// feedFailures goes all ways on which nothing is translated to the end.
func (w *watched) feedFailures() {
	t := w.home.t
	for way, change := range map[string]func(*api.TranslateRequest){
		"a wrong language": func(r *api.TranslateRequest) { r.To = "xx" },
		"no language":      func(r *api.TranslateRequest) { r.To = "" },
		"a wrong lane":     func(r *api.TranslateRequest) { r.Lane = "fast" },
		"too many texts":   func(r *api.TranslateRequest) { r.Texts = append(r.Texts, make([]string, api.MaxTexts)...) },
		"too long a text":  func(r *api.TranslateRequest) { r.Texts[0] += strings.Repeat(" ", api.MaxBody) },
		"too late": func(r *api.TranslateRequest) {
			r.Texts[0], r.TimeoutMS, r.Private = text(w.of("too late"), endless), 50, true
		},
	} {
		require.GreaterOrEqual(t, w.socket("POST", "/v1/translate", w.request(way, change)), 400, way)
	}
	bad := w.of("malformed JSON")
	for _, body := range []string{
		bad, `{"texts":["` + bad, `{"texts":"` + bad + `"}`, `{"texts":[` + bad + `]}`, `{"texts":["a"],"timeout_ms":"` + bad + `"}`,
		`{"texts":["\u12` + bad + `"]}`, `{"texts":["a"]} "` + bad + `"`, `["` + bad + `"]`, `{"` + bad + `":{`,
		"{\"texts\":[\"" + bad + "\xff\"],\"from\":\"xx\",\"to\":\"de\"}",
	} {
		require.GreaterOrEqual(t, w.socket("POST", "/v1/translate", body), 400, body)
		w.socket("POST", "/v1/detect", body)
	}
	require.Equal(t, http.StatusOK, w.socket("POST", "/v1/detect", object(t, api.DetectRequest{Texts: []string{text(w.of("detection"), 0)}})))
	require.Equal(t, http.StatusOK, w.socket("GET", "/v1/history?search="+w.of("search"), ""))
	require.GreaterOrEqual(t, w.socket("GET", "/v1/history?limit=x&search="+w.of("bad search"), ""), 400)
	o := w.runWith(text(w.of("command with wrong language"), 0), "translate", "--to", "xx", "-")
	require.NotZero(t, o.code)
	require.Empty(t, w.in([]byte(o.stderr.String())))

	// Given up while it is translated: by another client, and by its own.
	w.until(func(now api.Snapshot) bool { return now.Queue.Running == 0 })
	long := api.TranslateRequest{Texts: []string{text(w.of("cancelled"), endless)}, From: "en", To: "de", Private: true}
	failed := make(chan error, 1)
	go func() { _, err := w.client().Translate(t.Context(), long); failed <- err }()
	w.catch(func(now api.Snapshot) bool { return now.Queue.Running > 0 })
	jobs, err := w.client().Jobs(t.Context(), api.JobQuery{State: api.JobRunning})
	require.NoError(t, err)
	require.NotEmpty(t, jobs.Jobs)
	require.Empty(t, w.in([]byte(w.succeeds("jobs", "--json"))))
	require.NoError(t, w.client().CancelJob(t.Context(), jobs.Jobs[0].ID))
	err = <-failed
	require.ErrorIs(t, err, api.ErrCancelled)
	require.Empty(t, w.in([]byte(err.Error())))
	ctx, leave := context.WithCancel(t.Context())
	long.Texts[0] = text(w.of("left alone"), endless)
	go func() { _, err := w.client().Translate(ctx, long); failed <- err }()
	w.catch(func(now api.Snapshot) bool { return now.Queue.Running > 0 })
	leave()
	<-failed
	w.until(func(now api.Snapshot) bool { return now.Queue.Running == 0 })
}

// feedLibre goes the ways of the other interface.
func (w *watched) feedLibre() (kept []string) {
	t := w.home.t
	const asJSON, asForm = "application/json", "application/x-www-form-urlencoded"
	fields := func(way, key string, more ...string) map[string]string {
		f := map[string]string{"q": text(w.of(way), 0), "source": "en", "target": "de", "api_key": key}
		for i := 0; i < len(more); i += 2 {
			f[more[i]] = more[i+1]
		}
		return f
	}
	form := func(f map[string]string) string {
		values := url.Values{}
		for name, value := range f {
			values.Set(name, value)
		}
		return values.Encode()
	}
	var upload bytes.Buffer
	writer := multipart.NewWriter(&upload)
	for name, value := range fields("uploaded file", secretKey) {
		if name != "q" {
			require.NoError(t, writer.WriteField(name, value))
		}
	}
	part, err := writer.CreateFormFile("file", "letter.txt")
	require.NoError(t, err)
	_, err = io.WriteString(part, text(w.of("uploaded file"), 0))
	require.NoError(t, err)
	require.NoError(t, writer.Close())
	for _, good := range []struct{ way, path, kind, body string }{
		{"JSON", "/translate", asJSON, object(t, fields("JSON", secretKey))},
		{"HTML", "/translate", asJSON, object(t, fields("HTML", secretKey, "format", "html", "q", "<p>"+text(w.of("HTML"), 0)+"<br/></p>"))},
		{"a form", "/translate", asForm, form(fields("a form", secretKey))},
		{"a query", "/translate?" + form(fields("a query", secretKey)), "", ""},
		{"uploaded file", "/translate_file", writer.FormDataContentType(), upload.String()},
	} {
		require.Equal(t, http.StatusOK, w.libre(good.path, good.kind, good.body), good.way)
		kept = append(kept, good.way)
	}
	require.Equal(t, http.StatusOK, w.libre("/detect", asJSON, object(t, fields("detected JSON", secretKey))))
	bad := w.of("malformed JSON or form")
	for _, wrong := range []struct{ path, kind, body string }{
		{"/translate", asJSON, object(t, fields("a bad key", "9876543210abcdef9876"))},
		{"/translate", asJSON, object(t, fields("no key", ""))},
		{"/translate", asForm, form(fields("a bad key in a form", "9876543210abcdef9876"))},
		{"/translate", asJSON, object(t, fields("wrong target", secretKey, "target", "xx"))},
		{"/translate", asJSON, object(t, fields("wrong format", secretKey, "format", "pdf"))},
		{"/translate", asJSON, object(t, fields("mixed up", secretKey, "target", text(w.of("mixed up"), 0)))},
		{"/translate", asJSON, object(t, fields("many characters", secretKey, "q", text(w.of("many characters"), 500)))},
		{"/translate", asJSON, `{"q":"` + bad},
		{"/translate", asJSON, `{"q":{"` + bad + `":1},"source":"en","target":"de","api_key":"` + secretKey + `"}`},
		{"/translate", asForm, "q=" + bad + "&%zz"},
		{"/translate", "text/plain", bad},
		{"/translate_file", asJSON, `{"q":"` + bad + `"}`},
	} {
		require.GreaterOrEqual(t, w.libre(wrong.path, wrong.kind, wrong.body), 400, wrong.body)
	}
	return kept
}

// feedFolder drops files that can and cannot be translated.
func (w *watched) feedFolder() (kept []string) {
	t := w.home.t
	w.succeeds("folders", "add", "--from", "en", "--to", "de", "inbox")
	w.write("inbox/good.txt", text(w.of("a file"), 0)+"\n")
	w.write("inbox/latin.txt", text(w.of("a file that is not UTF-8"), 0)+"\xfc\n")
	w.write("inbox/nul.txt", text(w.of("a file with a NUL"), 0)+"\x00\n")
	large := w.write("inbox/large.txt", text(w.of("a large file"), 0))
	require.NoError(t, os.Truncate(large, document.DefaultLimit+1))
	w.write("inbox/other.bin", text(w.of("a file of another kind"), 0))
	w.until(func(now api.Snapshot) bool {
		return len(now.Folders) == 1 && now.Folders[0].Status.Done == 1 && now.Folders[0].Status.Failed == 3
	})
	require.NotZero(t, w.run("jobs", "retry", "1000").code)
	return []string{"a file"}
}

// all feeds everything, and looks at what is told meanwhile.
func (w *watched) all() (kept []string) {
	t := w.home.t
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	told, last := make(chan []byte, 1), make(chan struct{}, 1)
	go func() {
		var all []byte
		_ = w.client().Events(ctx, 0, func(e api.Event) error { // ends with ctx
			line, err := json.Marshal(e)
			all = append(all, line...)
			if bytes.Contains(line, []byte("latin.txt")) {
				select {
				case last <- struct{}{}:
				default:
				}
			}
			return err
		})
		told <- all
	}()
	kept = append(w.feedTranslations(), w.feedLibre()...)
	w.feedFailures()
	kept = append(kept, w.feedFolder()...)
	select {
	case <-last:
	case <-time.After(patience):
		t.Fatal("the events do not tell of the files")
	}
	stop()
	events := <-told
	require.Empty(t, w.in(events))
	for _, args := range [][]string{{"status"}, {"jobs"}, {"folders", "list"}} {
		require.Empty(t, w.in([]byte(w.succeeds(args...))), args)
	}
	require.Greater(t, w.answers, 30)
	return kept
}
