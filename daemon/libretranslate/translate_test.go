package libretranslate

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

type object = map[string]any
type list = []any

func TestTranslateShapes(t *testing.T) {
	h, _, _ := setup(t, nil)
	for name, test := range map[string]struct{ request, want object }{
		"string":        {object{"q": "Hello", "source": "en", "target": "es"}, object{"translatedText": "[es]Hello"}},
		"list":          {object{"q": list{"Hello", "World"}, "source": "en", "target": "es", "format": "text"}, object{"translatedText": list{"[es]Hello", "[es]World"}}},
		"list of one":   {object{"q": list{"Hello"}, "source": "en", "target": "es"}, object{"translatedText": list{"[es]Hello"}}},
		"blank in list": {object{"q": list{"", " \n", "Hello"}, "source": "en", "target": "es"}, object{"translatedText": list{"", " \n", "[es]Hello"}}},
		"alternatives":  {object{"q": "Hello", "source": "en", "target": "es", "alternatives": 3}, object{"translatedText": "[es]Hello", "alternatives": list{"also [es]Hello", "also also [es]Hello"}}},
		"alternatives of a list": {object{"q": list{"Hello", "World"}, "source": "en", "target": "es", "alternatives": "2"},
			object{"translatedText": list{"[es]Hello", "[es]World"}, "alternatives": list{list{"also [es]Hello", "also also [es]Hello"}, list{"also [es]World", "also also [es]World"}}}},
		"more alternatives than there can be": {object{"q": "Hello", "source": "en", "target": "es", "alternatives": 99}, object{"translatedText": "[es]Hello", "alternatives": list{"also [es]Hello", "also also [es]Hello"}}},
		"alternatives with markup": {object{"q": "<p>Hello</p><p>World</p>", "source": "en", "target": "es", "format": "html", "alternatives": 1},
			object{"translatedText": "<p>[es]Hello</p><p>[es]World</p>", "alternatives": list{"<p>also [es]Hello</p><p>[es]World</p>"}}},
		"alternatives in the same language": {object{"q": "Hola", "source": "es", "target": "es", "alternatives": 1}, object{"translatedText": "Hola", "alternatives": list{}}},
		"no alternatives":                   {object{"q": "Hello", "source": "en", "target": "es", "alternatives": 0}, object{"translatedText": "[es]Hello"}},
		"same language":                     {object{"q": "Hello", "source": "en", "target": "en"}, object{"translatedText": "Hello"}},
		"their codes":                       {object{"q": "Hello", "source": "en-US", "target": "zh-Hans"}, object{"translatedText": "[zh]Hello"}},
		"older codes":                       {object{"q": "Hello", "source": "nb", "target": "pb"}, object{"translatedText": "[pt]Hello"}},
		"lines":                             {object{"q": " Hello\r\n\r\nWorld\t", "source": "en", "target": "es"}, object{"translatedText": "[es] Hello\r\n\r\nWorld\t"}},
		"html":                              {object{"q": "<p>Hello</p>", "source": "en", "target": "es", "format": "html"}, object{"translatedText": "<p>[es]Hello</p>"}},
		"html list":                         {object{"q": list{"<p>Hello</p>", "<b>World</b>"}, "source": "en", "target": "es", "format": "html"}, object{"translatedText": list{"<p>[es]Hello</p>", "<b>[es]World</b>"}}},
		"html word":                         {object{"q": "Hello", "source": "en", "target": "es", "format": "html"}, object{"translatedText": "[es]Hello"}}, // T34
		"npm's key":                         {object{"q": "Hello", "source": "en", "target": "es", "format": "text", "api_key": "", "apiKey": testKey}, object{"translatedText": "[es]Hello"}},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := postJSON(t, h, "/translate", test.request)
			require.Equal(t, http.StatusOK, status)
			require.Equal(t, test.want, body)
		})
	}
}

func TestTranslateDetects(t *testing.T) {
	h, backend, _ := setup(t, nil)
	status, body := postJSON(t, h, "/translate", object{"q": "Das ist nicht mein Haus.", "source": "auto", "target": "en"})
	require.Equal(t, http.StatusOK, status)
	detected := body.(object)["detectedLanguage"].(object)
	require.Equal(t, "de", detected["language"])
	require.Greater(t, detected["confidence"], 50.0, "percent")
	require.Equal(t, []string{"de>en:Das ist nicht mein Haus."}, backend.seen)

	_, body = postJSON(t, h, "/translate", object{"q": list{"Where is the house?", "Où est la maison ?", "12:30", "🙂"}, "source": "auto", "target": "en"})
	require.Equal(t, list{"Where is the house?", "[en]Où est la maison ?", "12:30", "🙂"}, body.(object)["translatedText"], "each by its own language")
	each := body.(object)["detectedLanguage"].(list)
	require.Len(t, each, 4)
	require.Equal(t, "en", each[0].(object)["language"])
	require.Equal(t, "fr", each[1].(object)["language"])
	require.Equal(t, object{"confidence": 0.0, "language": "en"}, each[2], "what LibreTranslate answers for nothing")

	_, body = postJSON(t, h, "/translate", object{"q": "<p lang=x>Où est <b>la maison</b> ?</p>", "source": "auto", "target": "en", "format": "html"})
	require.Equal(t, "<p lang=x>[en]Où est <b>la maison</b> ?</p>", body.(object)["translatedText"])
	require.Equal(t, "fr", body.(object)["detectedLanguage"].(object)["language"], "by all of it")
	require.Equal(t, "fr>en:Où est la maison ?", backend.seen[len(backend.seen)-1], "a whole sentence")

	backend.detected, backend.seen = nil, nil
	postJSON(t, h, "/translate", object{"q": list{"Das ist mein Haus.", "Où est la maison ?"}, "source": "auto", "target": "en", "alternatives": 2})
	require.Equal(t, []string{"Das ist mein Haus.", "Où est la maison ?"}, backend.detected, "once a text, however many alternatives")
	require.Len(t, backend.seen, 2, "all of its alternatives at once")
}

// The same request in every form that clients send.
func TestTranslateBodies(t *testing.T) {
	form := url.Values{"q": {"Hello\r\nyou"}, "source": {"en"}, "target": {"es"}, "api_key": {testKey}}
	multipart := ""
	for _, name := range []string{"q", "source", "target", "format", "api_key"} {
		value := form.Get(name)
		if name == "format" {
			value = "text"
		}
		multipart += "--X\r\nContent-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + value + "\r\n"
	}
	multipart += "--X--\r\n"
	without := url.Values{"q": form["q"], "source": form["source"], "target": form["target"]}
	h, _, _ := setup(t, nil)
	for name, r := range map[string]*http.Request{
		"form":                request(http.MethodPost, "/translate", "application/x-www-form-urlencoded", form.Encode()),
		"form with a charset": request(http.MethodPost, "/translate", "application/x-www-form-urlencoded; charset=UTF-8", form.Encode()),
		"multipart":           request(http.MethodPost, "/translate", "multipart/form-data; boundary=X", multipart), // FormData of extensions
		"query":               request(http.MethodPost, "/translate?"+form.Encode(), "", ""),
		"query key":           request(http.MethodPost, "/translate?api_key="+testKey, "application/x-www-form-urlencoded", without.Encode()),
		"bearer":              bearer(request(http.MethodPost, "/translate", "application/x-www-form-urlencoded", without.Encode())),
		"JSON":                request(http.MethodPost, "/translate", "application/json; charset=utf-8", `{"q":"Hello\nyou","source":"en","target":"es","api_key":"`+testKey+`"}`),
	} {
		t.Run(name, func(t *testing.T) {
			status, body := answer(t, h, r)
			require.Equal(t, http.StatusOK, status, "%v", body)
			require.Equal(t, object{"translatedText": "[es]Hello\nyou"}, body)
		})
	}
	form["q"] = []string{"one", "two"}
	_, body := answer(t, h, request(http.MethodPost, "/translate", "application/x-www-form-urlencoded", form.Encode()))
	require.Equal(t, object{"translatedText": list{"[es]one", "[es]two"}}, body)
}

func bearer(r *http.Request) *http.Request {
	r.Header.Set("Authorization", "Bearer "+testKey)
	return r
}

func TestTranslateRefuses(t *testing.T) {
	h, backend, _ := setup(t, func(o *Options) { o.CharLimit, o.MaxTexts, o.MaxBody = 10, 3, 1000 })
	good := func(change object) object {
		o := object{"q": "Hello", "source": "en", "target": "es"}
		for k, v := range change {
			o[k] = v
		}
		return o
	}
	for name, test := range map[string]struct {
		request object
		status  int
		says    string
	}{
		"no q":             {object{"source": "en", "target": "es"}, 400, "q is missing"},
		"empty q":          {good(object{"q": ""}), 400, "q is missing"},
		"null q":           {good(object{"q": nil}), 400, "q is missing"},
		"empty list":       {good(object{"q": list{}}), 400, "q is missing"},
		"number q":         {good(object{"q": 5}), 400, "neither a string nor a list"},
		"mixed q":          {good(object{"q": list{"a", 5}}), 400, "neither a string nor a list"},
		"no source":        {object{"q": "Hello", "target": "es"}, 400, "source is missing"},
		"no target":        {object{"q": "Hello", "source": "en"}, 400, "target is missing"},
		"source list":      {good(object{"source": list{"en"}}), 400, "source is not a string"},
		"unknown source":   {good(object{"source": "zz"}), 400, "zz is not supported"},
		"unknown target":   {good(object{"target": "ru"}), 400, "ru is not supported"},
		"auto target":      {good(object{"target": "auto"}), 400, "auto is not supported"},
		"unknown format":   {good(object{"format": "xml"}), 400, "format"},
		"bad alternatives": {good(object{"alternatives": "abc"}), 400, "not a number"},
		"long text":        {good(object{"q": strings.Repeat("ä", 11)}), 400, "11 characters, more than 10"},
		"many texts":       {good(object{"q": list{"a", "b", "c", "d"}}), 400, "4 texts, more than 3"},
		"large body":       {good(object{"q": strings.Repeat("a", 1000)}), 413, "1000 bytes"},
		"no key":           {good(object{"api_key": ""}), 400, "API key is needed"},
		"wrong key":        {good(object{"api_key": testKey + "x"}), 403, "wrong API key"},
	} {
		t.Run(name, func(t *testing.T) {
			status, body := postJSON(t, h, "/translate", test.request)
			assert.Equal(t, test.status, status)
			assert.Contains(t, body.(object)["error"], test.says)
		})
	}
	for name, r := range map[string]*http.Request{
		"no JSON":     request(http.MethodPost, "/translate", "application/json", "{"),
		"JSON list":   request(http.MethodPost, "/translate", "application/json", "[]"),
		"JSON null":   request(http.MethodPost, "/translate", "application/json", "null"),
		"plain":       request(http.MethodPost, "/translate", "text/plain", `{"q":"Hello"}`),
		"bad form":    request(http.MethodPost, "/translate", "application/x-www-form-urlencoded", "q=%zz"),
		"no boundary": request(http.MethodPost, "/translate", "multipart/form-data", "--X--"),
		"cut short":   request(http.MethodPost, "/translate", "multipart/form-data; boundary=X", "--X\r\nContent-Disposition: form-data; name=\"q\"\r\n\r\nHel"),
		"bad type":    request(http.MethodPost, "/translate", "/;;", "q=Hello"),
	} {
		t.Run(name, func(t *testing.T) {
			status, body := answer(t, h, r)
			assert.Equal(t, 400, status)
			assert.NotEmpty(t, body.(object)["error"])
		})
	}
	require.Empty(t, backend.seen)
}

func TestBackendErrors(t *testing.T) {
	for name, test := range map[string]struct {
		err    error
		status int
		says   string
	}{
		"busy":            {&api.Problem{Code: api.CodeBusy, Status: 503, Detail: "the queue is full"}, 503, "the queue is full"},
		"busy by name":    {fmt.Errorf("submit: %w", api.ErrBusy), 503, "busy"},
		"no model":        {&api.Problem{Code: api.CodeNoModel, Status: 503, Detail: "run `dragoman setup`"}, 503, "dragoman setup"},
		"language":        {&api.Problem{Code: api.CodeLanguage, Status: 400, Detail: "no such language"}, 400, "no such language"},
		"too large":       {&api.Problem{Code: api.CodeTooLarge, Status: 413, Detail: "too long"}, 400, "too long"},
		"timeout":         {&api.Problem{Code: api.CodeTimeout, Status: 504, Detail: "took too long"}, 504, "took too long"},
		"cancelled":       {&api.Problem{Code: api.CodeCancelled, Status: 499, Detail: "was cancelled"}, 500, "was cancelled"},
		"a mistake":       {&api.Problem{Code: api.CodeInternal, Status: 500, Detail: "secrets of the machine"}, 500, "the translation failed"},
		"an error we own": {errors.New("secrets of the machine"), 500, "the translation failed"},
	} {
		t.Run(name, func(t *testing.T) {
			h, backend, log := setup(t, nil)
			backend.err = test.err
			status, body := postJSON(t, h, "/translate", object{"q": "Hello", "source": "en", "target": "es"})
			assert.Equal(t, test.status, status)
			assert.Contains(t, body.(object)["error"], test.says)
			if status >= 500 {
				assert.Contains(t, log.String(), "path=/translate")
			}
		})
	}
	h, backend, _ := setup(t, nil)
	backend.codes = nil
	for _, path := range []string{"/languages", "/health"} {
		status, body := answer(t, h, request(http.MethodGet, path, "", ""))
		assert.Equal(t, 503, status)
		assert.Contains(t, body.(object)["error"], "no model")
	}
}

func TestMeta(t *testing.T) {
	h, _, _ := setup(t, func(o *Options) { o.CharLimit = 42 })
	status, body := answer(t, h, request(http.MethodGet, "/languages", "", ""))
	require.Equal(t, 200, status)
	require.Contains(t, body, object{"code": "es", "name": "Spanish", "targets": list{"de", "en", "es", "fr", "it", "no", "pt", "zh"}})
	status, body = answer(t, h, request(http.MethodGet, "/health", "", ""))
	require.Equal(t, 200, status)
	require.Equal(t, object{"status": "ok"}, body)
	_, body = answer(t, h, request(http.MethodGet, "/frontend/settings", "", ""))
	settings := body.(object)
	require.Equal(t, 42.0, settings["charLimit"])
	require.Equal(t, true, settings["keyRequired"])
	require.Contains(t, settings["supportedFilesFormat"], ".txt")
	require.Contains(t, settings["supportedFilesFormat"], ".docx")
	require.Equal(t, object{"source": object{"code": "auto", "name": "Auto Detect"}, "target": object{"code": "en", "name": "English"}}, settings["language"])

	status, body = postJSON(t, h, "/detect", object{"q": "¿Dónde está la casa?"})
	require.Equal(t, 200, status)
	require.Len(t, body, 1)
	require.Equal(t, "es", body.(list)[0].(object)["language"])
	_, body = postJSON(t, h, "/detect", object{"q": "123"})
	require.Equal(t, list{object{"confidence": 0.0, "language": "en"}}, body)
	status, _ = postJSON(t, h, "/detect", object{})
	require.Equal(t, 400, status)
	status, _ = postJSON(t, h, "/suggest", object{"q": "a"})
	require.Equal(t, 403, status)

	for path, method := range map[string]string{"/translate": "GET", "/health": "POST", "/languages": "HEAD", "/download_file/x.y": "POST"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, request(method, path, "", ""))
		require.Equal(t, 405, w.Code, path)
		require.NotEmpty(t, w.Header().Get("Allow"))
	}
	status, _ = answer(t, h, request(http.MethodGet, "/", "", ""))
	require.Equal(t, 404, status)
}

// Nothing of a text is in the log or in an answer that is an error.
func TestNoTextLeaks(t *testing.T) {
	const marked = "Geheimnis-4711"
	h, backend, log := setup(t, func(o *Options) { o.CharLimit = 100 })
	backend.err = errors.New("it broke")
	for _, r := range []object{
		{"q": marked, "source": "de", "target": "en"},
		{"q": marked, "source": marked + marked, "target": "en"},
		{"q": marked, "source": "de", "target": "en", "format": marked},
		{"q": strings.Repeat(marked, 100), "source": "de", "target": "en"},
		{"q": "x", "source": "de", "target": "en", "alternatives": marked},
		{"q": "x", "source": "de", "target": "en", "api_key": marked},
	} {
		status, body := postJSON(t, h, "/translate", r)
		require.GreaterOrEqual(t, status, 400)
		require.NotContains(t, body.(object)["error"], marked)
	}
	status, body := answer(t, h, request(http.MethodPost, "/"+marked+"?q="+marked, "", ""))
	require.Equal(t, 404, status)
	require.NotContains(t, body.(object)["error"], marked)
	require.NotContains(t, log.String(), marked)
	require.Contains(t, log.String(), "it broke")
}

func FuzzParams(f *testing.F) {
	f.Add("application/json", `{"q":["a","b"],"source":"en","target":"es","alternatives":3,"api_key":"`+testKey+`"}`)
	f.Add("application/json", `{"q":{"a":1},"format":null}`)
	f.Add("application/x-www-form-urlencoded", "q=a&q=b&source=auto&target=en&format=html&api_key="+testKey)
	f.Add("multipart/form-data; boundary=X", "--X\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.txt\"\r\n\r\nHello\r\n--X--\r\n")
	h, err := New(Options{Backend: newFakeBackend(), APIKey: testKey})
	require.NoError(f, err)
	f.Fuzz(func(t *testing.T, contentType, body string) {
		for _, path := range []string{"/translate", "/detect", "/translate_file"} {
			r := request(http.MethodPost, path, "", body)
			r.Header["Content-Type"] = []string{contentType}
			status, answered := answer(t, h, bearer(r))
			if status != http.StatusOK {
				require.NotEmpty(t, answered.(object)["error"])
				require.Less(t, status, 500)
			}
		}
	})
}
