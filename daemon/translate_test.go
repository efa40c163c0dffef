package daemon_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/ipc"
)

// lines is a text of n different sentences.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The house number %d is big and the garden is green.\n", i+1)
	}
	return b.String()
}

func TestStreamTellsTheTranslationsPartByPart(t *testing.T) {
	s := start(t, newPaths(t))
	texts := []string{lines(3), "Good morning.", "12:30"}
	joined := make([]string, len(texts))
	done := 0
	r, err := s.TranslateStream(t.Context(), api.TranslateRequest{Texts: texts, From: "en", To: "es"}, func(p api.Piece) error {
		joined[p.Index] += p.Text
		if p.Index == 0 {
			require.Equal(t, 3, p.Total)
			require.GreaterOrEqual(t, p.Done, done)
			done = p.Done
		}
		return nil
	})
	require.NoError(t, err)
	for i, tr := range r.Translations {
		require.Equal(t, tr.Text, joined[i])
	}
	require.Equal(t, 3, done)
}

// TestMoreTextsThanTheQueueTakes asks for more than may wait.
func TestMoreTextsThanTheQueueTakes(t *testing.T) {
	paths := newPaths(t)
	require.NoError(t, os.WriteFile(paths.ConfigFile, []byte("[queue]\ninteractive = 2\n"), 0o600))
	s := start(t, paths).warm()
	texts := make([]string, 40)
	for i := range texts {
		texts[i] = fmt.Sprintf("Dog number %d.", i)
	}
	r, err := s.Translate(t.Context(), api.TranslateRequest{Texts: texts, From: "en", To: "es"})
	require.NoError(t, err)
	require.Len(t, r.Translations, len(texts))
	for i, tr := range r.Translations {
		require.Contains(t, tr.Text, fmt.Sprint(i))
	}
}

func TestTheSameTextAtTheSameTimeIsTranslatedOnce(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	const clients = 20
	text := lines(5)
	answers := make([]api.Translation, clients)
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() { answers[i] = s.translate("en", "fr", text) })
	}
	wg.Wait()
	for _, a := range answers {
		require.Equal(t, answers[0].Text, a.Text)
	}
	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(5), now.Totals.Sentences)
}

func TestInteractiveTextsOvertakeBatchTexts(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	batch := make(chan error, 1)
	began := make(chan struct{})
	var once sync.Once
	long := lines(400) // several waves
	go func() {
		_, err := s.TranslateStream(t.Context(), api.TranslateRequest{Texts: []string{long}, From: "en", To: "de", Lane: api.LaneBatch},
			func(api.Piece) error { once.Do(func() { close(began) }); return nil })
		batch <- err
	}()
	<-began
	for i := range 5 {
		got := s.translate("en", "es", fmt.Sprintf("The dog number %d is small.", i))
		require.Contains(t, got.Text, "perro")
	}
	require.Empty(t, batch, "the batch text is not done before")
	require.NoError(t, <-batch)
}

func TestCancelTimeoutAndClientsThatLeave(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{lines(endless)}, From: "en", To: "de", TimeoutMS: 50})
	require.ErrorIs(t, err, api.ErrTimeout)

	running := func(want int) func(api.Snapshot) bool {
		return func(now api.Snapshot) bool { return now.Queue.Running == want }
	}
	s.until(running(0)) // it ends at the next sentence
	failed := make(chan error, 1)
	go func() {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{lines(endless + 1)}, From: "en", To: "de"})
		failed <- err
	}()
	s.catch(running(1))
	jobs, err := s.Jobs(t.Context(), api.JobQuery{State: api.JobRunning})
	require.NoError(t, err)
	require.Len(t, jobs.Jobs, 1)
	require.NoError(t, s.CancelJob(t.Context(), jobs.Jobs[0].ID))
	require.ErrorIs(t, <-failed, api.ErrCancelled)
	s.until(running(0))
	require.ErrorIs(t, s.CancelJob(t.Context(), jobs.Jobs[0].ID), api.ErrConflict)
	_, err = s.Job(t.Context(), 1<<50)
	require.ErrorIs(t, err, api.ErrNotFound)

	ctx, leave := context.WithCancel(t.Context())
	go func() {
		_, err := s.Translate(ctx, api.TranslateRequest{Texts: []string{lines(endless + 2)}, From: "en", To: "de"})
		failed <- err
	}()
	s.catch(running(1))
	leave()
	require.ErrorIs(t, <-failed, context.Canceled)
	s.until(running(0))
}

// post sends a body as it is and returns the answer's problem.
func (s *service) post(path, body string, change func(*http.Request)) (api.Problem, int) {
	s.t.Helper()
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return ipc.Dial(ctx, ipc.Default(s.paths.RuntimeDir))
	}}}
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, "http://dragoman"+path, strings.NewReader(body))
	require.NoError(s.t, err)
	if change != nil {
		change(r)
	}
	answer, err := client.Do(r)
	require.NoError(s.t, err)
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	require.NoError(s.t, err)
	var p api.Problem
	require.NoError(s.t, json.Unmarshal(text, &p), "%s", text)
	return p, answer.StatusCode
}

func TestBadRequestsHaveClearAnswers(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	many := `{"texts":["x"` + strings.Repeat(`,"x"`, api.MaxTexts) + `],"to":"de"}`
	for name, test := range map[string]struct {
		path, body, detail string
		code               api.Code
	}{
		"not JSON":          {"/v1/translate", "Geheimnis", "syntax error at byte 1", api.CodeBadRequest},
		"cut":               {"/v1/translate", `{"texts":["Geheimnis`, "ends too early", api.CodeBadRequest},
		"two values":        {"/v1/translate", `{} {}`, "docs/openapi.yaml", api.CodeBadRequest},
		"wrong type":        {"/v1/translate", `{"texts":"Geheimnis"}`, `"texts" must be an array, not a string`, api.CodeBadRequest},
		"half a beam":       {"/v1/translate", `{"texts":["x"],"to":"de","beams":1.5}`, `"beams" must be a whole number of usual size, not a fraction`, api.CodeBadRequest},
		"many beams":        {"/v1/translate", `{"texts":["x"],"to":"de","beams":99999999999999999999}`, `"beams" must be a whole number of usual size, not so large`, api.CodeBadRequest},
		"beams in quotes":   {"/v1/translate", `{"texts":["x"],"to":"de","beams":"4"}`, `"beams" must be a whole number of usual size, not a string`, api.CodeBadRequest},
		"number for a text": {"/v1/translate", `{"texts":[4],"to":"de"}`, `must be a string, not a number`, api.CodeBadRequest},
		"no texts":          {"/v1/translate", `{"to":"de"}`, "texts: 0 given", api.CodeBadRequest},
		"too many texts":    {"/v1/translate", many, "texts: 257 given", api.CodeBadRequest},
		"no target":         {"/v1/translate", `{"texts":["x"]}`, "to: ", api.CodeBadRequest},
		"unknown language":  {"/v1/translate", `{"texts":["x"],"from":"en","to":"xx"}`, `language "xx"`, api.CodeLanguage},
		"unknown lane":      {"/v1/translate", `{"texts":["x"],"to":"de","lane":"fast"}`, "lane: ", api.CodeBadRequest},
		"unknown origin":    {"/v1/translate", `{"texts":["x"],"to":"de","origin":"me"}`, "origin: ", api.CodeBadRequest},
		"negative time":     {"/v1/translate", `{"texts":["x"],"to":"de","timeout_ms":-1}`, "timeout_ms: ", api.CodeBadRequest},
		"too large":         {"/v1/translate", `{"texts":["` + strings.Repeat("x", api.MaxBody) + `"],"to":"de"}`, "8 MiB", api.CodeTooLarge},
		"detect nothing":    {"/v1/detect", `{}`, "texts: 0 given", api.CodeBadRequest},
		"unknown path":      {"/v1/nowhere", `{}`, "POST /v1/nowhere", api.CodeUnknown},
		"long pause":        {"/v1/pause", `{"seconds":99999999999}`, "seconds: ", api.CodeBadRequest},
		"relative folder":   {"/v1/folders", `{"path":"here","to":["de"],"from":"en"}`, "here", api.CodeBadRequest},
		"folder language":   {"/v1/folders", `{"path":"` + t.TempDir() + `","to":["xx"],"from":"en"}`, "xx", api.CodeLanguage},
	} {
		t.Run(name, func(t *testing.T) {
			p, status := s.post(test.path, test.body, nil)
			require.Equal(t, test.code, p.Code, "%+v", p)
			require.Equal(t, p.Status, status)
			require.Contains(t, p.Detail, test.detail)
			require.NotContains(t, p.Detail, "Geheimnis")
		})
	}
	p, _ := s.post("/v1/translate", `{}`, func(r *http.Request) { r.Header.Set("Origin", "https://example.org") })
	require.Equal(t, api.CodeForbidden, p.Code)
}

func TestEventsResume(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	before, err := s.Status(t.Context())
	require.NoError(t, err)
	for _, text := range []string{"One dog.", "Two dogs.", "Three dogs."} {
		s.translate("en", "de", text)
	}
	enough := errors.New("enough")
	var jobs []api.Job
	revision := before.Revision
	err = s.Events(t.Context(), before.Revision, func(e api.Event) error {
		require.GreaterOrEqual(t, e.ID, revision)
		revision = e.ID
		if e.Job != nil {
			jobs = append(jobs, *e.Job)
		}
		if e.Snapshot != nil {
			return enough
		}
		return nil
	})
	require.ErrorIs(t, err, enough)
	require.Len(t, jobs, 3, "what was missed comes before the snapshot")
	require.True(t, slices.IsSortedFunc(jobs, func(a, b api.Job) int { return int(a.ID - b.ID) }))
	err = s.Events(t.Context(), 0, func(e api.Event) error {
		require.NotNil(t, e.Snapshot, "a new client begins with the state")
		return enough
	})
	require.ErrorIs(t, err, enough)
}

// TestReadersThatDoNotReadDelayNobody lets clients ask for events and never read.
func TestReadersThatDoNotReadDelayNobody(t *testing.T) {
	s := start(t, newPaths(t)).warm()
	for range 5 {
		c, err := ipc.Dial(t.Context(), ipc.Default(s.paths.RuntimeDir))
		require.NoError(t, err)
		defer c.Close()
		_, err = io.WriteString(c, "GET /v1/events HTTP/1.1\r\nHost: dragoman\r\n\r\n")
		require.NoError(t, err)
		line, err := bufio.NewReader(c).ReadString('\n')
		require.NoError(t, err)
		require.Contains(t, line, "200")
	}
	for i := range 20 {
		require.NotEmpty(t, s.translate("en", "de", fmt.Sprintf("Dog number %d.", i)).Text)
	}
}
