package libretranslate

import (
	"bytes"
	"fmt"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func fileRequest(t *testing.T, name, content string, fields map[string]string) *http.Request {
	t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	if name != "" {
		part, err := form.CreateFormFile("file", name)
		require.NoError(t, err)
		_, err = part.Write([]byte(content))
		require.NoError(t, err)
	}
	for k, v := range fields {
		require.NoError(t, form.WriteField(k, v))
	}
	require.NoError(t, form.Close())
	return request(http.MethodPost, "/translate_file", form.FormDataContentType(), body.String())
}

func fields(change map[string]string) map[string]string {
	f := map[string]string{"source": "en", "target": "es", "api_key": testKey}
	for k, v := range change {
		f[k] = v
	}
	return f
}

func TestTranslateFile(t *testing.T) {
	h, _, _ := setup(t, nil)
	for name, test := range map[string]struct{ file, content, source, want, as string }{
		"plain":     {"letter.txt", "Hello\r\nyou", "en", "[es]Hello\r\nyou", "letter_es.txt"},
		"detected":  {"LETTER.TXT", "Where is the house?", "auto", "[es]Where is the house?", "LETTER_es.txt"},
		"BOM":       {"a.txt", "\xEF\xBB\xBFHello", "en", "\xEF\xBB\xBF[es]Hello", "a_es.txt"},
		"UTF-16LE":  {"a.txt", "\xFF\xFEH\x00i\x00", "en", "\xFF\xFE[\x00e\x00s\x00]\x00H\x00i\x00", "a_es.txt"},
		"UTF-16BE":  {"a.txt", "\xFE\xFF\x00H\x00i", "en", "\xFE\xFF\x00[\x00e\x00s\x00]\x00H\x00i", "a_es.txt"},
		"empty":     {"a.txt", "", "en", "", "a_es.txt"},
		"path":      {`C:\dir\..\b c.txt`, "Hello", "en", "[es]Hello", "b c_es.txt"},
		"umlaut":    {"Brief an Jürgen.v2.txt", "Hello", "en", "[es]Hello", "Brief an Jürgen.v2_es.txt"},
		"HTML":      {"a.HTML", "<p>Hello <b>you", "en", "<p>[es]Hello <b>you", "a_es.html"},
		"Markdown":  {"a.md", "# Hello\n\n`code`\n", "en", "# \\[es\\]Hello\n\n`code`\n", "a_es.md"},
		"same":      {"a.txt", "Hello", "es", "Hello", "a_es.txt"},
		"same, .md": {"a.md", "# Hello *you*\n", "es", "# Hello *you*\n", "a_es.md"},
		"no words":  {"a.html", "<p>12:30</p>", "auto", "<p>12:30</p>", "a_es.html"},
		"long name": {strings.Repeat("ä", 200) + ".txt", "Hello", "en", "[es]Hello", strings.Repeat("ä", 50) + "_es.txt"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := answer(t, h, fileRequest(t, test.file, test.content, fields(map[string]string{"source": test.source})))
			require.Equal(t, 200, status, "%v", body)
			address, err := url.Parse(body.(object)["translatedFileUrl"].(string))
			require.NoError(t, err)
			require.Equal(t, "http://127.0.0.1:5000", address.Scheme+"://"+address.Host)

			w := httptest.NewRecorder()
			h.ServeHTTP(w, request(http.MethodGet, address.EscapedPath(), "", ""))
			require.Equal(t, 200, w.Code)
			require.Equal(t, test.want, w.Body.String())
			require.Equal(t, test.as, fileName(t, w))

			w = httptest.NewRecorder()
			h.ServeHTTP(w, request(http.MethodGet, address.EscapedPath(), "", ""))
			require.Equal(t, 404, w.Code, "once")
		})
	}
}

// What is asked for while another model takes over is of the new one as a whole.
func TestDocumentsAreOfOneModel(t *testing.T) {
	const source = "<p>one <b>Two</b> three</p><p>four</p>"
	for _, others := range []int{0, 1} {
		asked := object{"q": source, "source": "en", "target": "es", "format": "html", "alternatives": others}
		h, backend, _ := setup(t, nil)
		backend.hides = "Two"
		_, before := postJSON(t, h, "/translate", asked)
		questions := len(backend.seen)
		require.Greater(t, questions, 1)
		h, backend, _ = setup(t, nil)
		backend.hides, backend.newer = "Two", questions-1
		status, after := postJSON(t, h, "/translate", asked)
		require.Equal(t, 200, status)
		want := strings.ReplaceAll(before.(object)["translatedText"].(string), "[es]", "[new es]")
		require.Equal(t, want, after.(object)["translatedText"], "%d others, %v", others, backend.seen)
	}
}

// What a user should know of a file is told with its address.
func TestTranslateFileTellsNotes(t *testing.T) {
	h, _, _ := setup(t, nil)
	raw, err := os.ReadFile(filepath.Join("..", "..", "watch", "document", "testdata", "pdf", "doc.pdf"))
	require.NoError(t, err)
	for name, content := range map[string]string{"a.pdf": string(raw), "a.txt": "Hello"} {
		status, body := answer(t, h, fileRequest(t, name, content, fields(nil)))
		require.Equal(t, 200, status, "%v", body)
		if name == "a.pdf" {
			require.Contains(t, body.(object)["notes"].([]any)[0], "only the text of a PDF is translated")
		} else {
			require.NotContains(t, body.(object), "notes")
		}
	}
}

// The language that a client says tells an encoding that few bytes would not.
func TestTranslateFileInLatin1(t *testing.T) {
	h, _, _ := setup(t, nil)
	status, body := answer(t, h, fileRequest(t, "a.txt", "caf\xe9", fields(nil)))
	require.Equal(t, 200, status, "%v", body)
	address, err := url.Parse(body.(object)["translatedFileUrl"].(string))
	require.NoError(t, err)
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request(http.MethodGet, address.EscapedPath(), "", ""))
	require.Equal(t, "[es]caf\xe9", w.Body.String())
}

func fileName(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	_, parameters, err := mime.ParseMediaType(w.Header().Get("Content-Disposition"))
	require.NoError(t, err)
	return parameters["filename"]
}

func TestTranslateFileRefuses(t *testing.T) {
	h, backend, _ := setup(t, func(o *Options) { o.MaxFile, o.MaxBody = 100, 1000 })
	for name, test := range map[string]struct {
		file, content string
		fields        map[string]string
		status        int
		says          string
	}{
		"no file":    {"", "", fields(nil), 400, "file is missing"},
		"other kind": {"a.docx", "PK", fields(nil), 400, "a.docx cannot be read as Word document"},
		"German":     {"a.po", "msgid \"\"\nmsgstr \"Language: de\\n\"\n\nmsgid \"Open\"\nmsgstr \"Öffnen\"\n", fields(nil), 400, "a.po: its translations are in the language \"de\""},
		"no suffix":  {"a", "Hello", fields(nil), 400, "send one of"},
		"no source":  {"a.txt", "Hello", fields(map[string]string{"source": ""}), 400, "source is missing"},
		"no target":  {"a.txt", "Hello", fields(map[string]string{"target": ""}), 400, "target is missing"},
		"unknown":    {"a.txt", "Hello", fields(map[string]string{"target": "zz"}), 400, "zz is not supported"},
		"no text":    {"a.txt", "Hel\x00lo", fields(nil), 400, "not UTF-8 text"},
		"unclear":    {"a.txt", "caf\xff", fields(nil), 400, "not UTF-8 text"},
		"large":      {"a.txt", strings.Repeat("a", 101), fields(nil), 413, "100 bytes"},
		"larger":     {"a.txt", strings.Repeat("a", 100_000), fields(nil), 413, "bytes"},
		"no key":     {"a.txt", "Hello", fields(map[string]string{"api_key": ""}), 400, "API key"},
		"wrong key":  {"a.txt", "Hello", fields(map[string]string{"api_key": "wrong"}), 403, "API key"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := answer(t, h, fileRequest(t, test.file, test.content, test.fields))
			assert.Equal(t, test.status, status)
			assert.Contains(t, body.(object)["error"], test.says)
		})
	}
	require.Empty(t, backend.seen)
}

func TestFormOfManyFieldsIsRefused(t *testing.T) {
	h, _, _ := setup(t, func(o *Options) { o.MaxTexts = 10 })
	many := fields(nil)
	for i := range 40 {
		many[fmt.Sprint("x", i)] = ""
	}
	status, body := answer(t, h, fileRequest(t, "a.txt", "Hello", many))
	require.Equal(t, 400, status)
	require.Contains(t, body.(object)["error"], "too many fields")
}

func TestShelf(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShelf(time.Minute)
		old := s.put("old.txt", []byte("old"))
		time.Sleep(50 * time.Second)
		fresh := s.put("new.txt", []byte("new"))
		time.Sleep(20 * time.Second)
		synctest.Wait()
		_, ok := s.take(old)
		require.False(t, ok, "expired")
		file, ok := s.take(fresh)
		require.True(t, ok)
		require.Equal(t, "new", string(file.data))
		_, ok = s.take("")
		require.False(t, ok)

		first := s.put("1.txt", nil)
		for range shelfFiles {
			s.put("n.txt", nil)
		}
		_, ok = s.take(first)
		require.False(t, ok, "the oldest makes room")
		for range 3 {
			s.put("big.txt", make([]byte, shelfBytes/2))
		}
		require.LessOrEqual(t, s.bytes, shelfBytes)
		s.clear()
		require.Zero(t, s.bytes)
		require.Empty(t, s.files)
	})
}
