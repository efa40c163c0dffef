package libretranslate

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAdmit(t *testing.T) {
	const ff = "moz-extension://0f1e2d3c-1111-2222-3333-444455556666"
	h, _, _ := setup(t, func(o *Options) {
		o.Origins = []string{"https://Example.org", "http://localhost:3000", "https://default.example:443", "chrome-extension://abcdefghijklmnop", "moz-extension://*"}
		o.Hosts = []string{"My-Machine"}
	})
	for name, test := range map[string]struct {
		host    string
		headers map[string]string
		ok      bool
	}{
		"address":                {"127.0.0.1:5000", nil, true},
		"without port":           {"127.0.0.1", nil, true},
		"other loopback":         {"127.1.2.3:5000", nil, true},
		"IPv6":                   {"[::1]:5000", nil, true},
		"IPv6 without port":      {"[::1]", nil, true},
		"localhost":              {"LOCALHOST:5000", nil, true},
		"named":                  {"my-machine:5000", nil, true},
		"rebound name":           {"attacker.example:5000", nil, false},
		"name like ours":         {"localhost.attacker.example", nil, false},
		"name like an address":   {"127.0.0.1.attacker.example", nil, false},
		"LAN address":            {"192.168.1.5:5000", nil, false},
		"any address":            {"0.0.0.0:5000", nil, false},
		"no host":                {"", nil, false},
		"allowed page":           {"127.0.0.1:5000", map[string]string{"Origin": "https://example.org", "Sec-Fetch-Site": "cross-site"}, true},
		"allowed local page":     {"localhost:5000", map[string]string{"Origin": "http://localhost:3000", "Sec-Fetch-Site": "same-site"}, true},
		"default port":           {"localhost:5000", map[string]string{"Origin": "https://default.example"}, true},
		"allowed extension":      {"127.0.0.1:5000", map[string]string{"Origin": "chrome-extension://abcdefghijklmnop"}, true},
		"any Firefox extension":  {"127.0.0.1:5000", map[string]string{"Origin": ff}, true},
		"other page":             {"127.0.0.1:5000", map[string]string{"Origin": "https://evil.example"}, false},
		"other scheme":           {"127.0.0.1:5000", map[string]string{"Origin": "http://example.org"}, false},
		"other port":             {"127.0.0.1:5000", map[string]string{"Origin": "https://example.org:8443"}, false},
		"sub-domain":             {"127.0.0.1:5000", map[string]string{"Origin": "https://a.example.org"}, false},
		"suffix":                 {"127.0.0.1:5000", map[string]string{"Origin": "https://example.org.evil.example"}, false},
		"other extension":        {"127.0.0.1:5000", map[string]string{"Origin": "chrome-extension://other"}, false},
		"extension without name": {"127.0.0.1:5000", map[string]string{"Origin": "moz-extension://"}, false},
		"null":                   {"127.0.0.1:5000", map[string]string{"Origin": "null"}, false},
		"our own origin":         {"127.0.0.1:5000", map[string]string{"Origin": "http://127.0.0.1:5000", "Sec-Fetch-Site": "same-origin"}, false},
		"rebound and allowed":    {"attacker.example", map[string]string{"Origin": "https://example.org"}, false},
		"image of a page":        {"127.0.0.1:5000", map[string]string{"Sec-Fetch-Site": "cross-site"}, false},
		"page on another port":   {"localhost:5000", map[string]string{"Sec-Fetch-Site": "same-site"}, false},
		"typed address":          {"127.0.0.1:5000", map[string]string{"Sec-Fetch-Site": "none"}, true},
		"referer says nothing":   {"127.0.0.1:5000", map[string]string{"Referer": "https://evil.example/"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := request(http.MethodGet, "/languages", "", "")
			r.Host = test.host
			for k, v := range test.headers {
				r.Header.Set(k, v)
			}
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			origin := test.headers["Origin"]
			if test.ok {
				assert.Equal(t, 200, w.Code, "%s", w.Body)
				assert.Equal(t, origin, w.Header().Get("Access-Control-Allow-Origin"))
			} else {
				assert.Equal(t, 403, w.Code)
				assert.Empty(t, w.Header().Get("Access-Control-Allow-Origin"))
			}
			assert.Equal(t, "Origin", w.Header().Get("Vary"))
			assert.Empty(t, w.Header().Get("Access-Control-Allow-Credentials"))
		})
	}
	twice := request(http.MethodGet, "/languages", "", "")
	twice.Header["Origin"] = []string{"https://example.org", "https://evil.example"}
	status, _ := answer(t, h, twice)
	require.Equal(t, 400, status)
}

// What an extension's fetch() does: the question first, then the request, whose
// errors it can read as well.
func TestExtensionAsksFirst(t *testing.T) {
	const origin = "moz-extension://0f1e2d3c-1111-2222-3333-444455556666"
	h, _, _ := setup(t, func(o *Options) { o.Origins = []string{origin} })
	ask := func(origin string) *httptest.ResponseRecorder {
		r := request(http.MethodOptions, "/translate", "", "")
		r.Header.Set("Origin", origin)
		r.Header.Set("Access-Control-Request-Method", "POST")
		r.Header.Set("Access-Control-Request-Headers", "content-type")
		r.Header.Set("Access-Control-Request-Private-Network", "true")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	w := ask(origin)
	require.Equal(t, 204, w.Code)
	require.Equal(t, origin, w.Header().Get("Access-Control-Allow-Origin"))
	require.Equal(t, "POST", w.Header().Get("Access-Control-Allow-Methods"))
	require.Contains(t, w.Header().Get("Access-Control-Allow-Headers"), "Content-Type")
	require.Equal(t, "true", w.Header().Get("Access-Control-Allow-Private-Network"))

	w = ask("https://evil.example")
	require.Equal(t, 403, w.Code)
	for name := range w.Header() {
		require.NotContains(t, name, "Access-Control")
	}
	w = httptest.NewRecorder()
	h.ServeHTTP(w, request(http.MethodOptions, "/translate", "", ""))
	require.Equal(t, 403, w.Code, "without an Origin")

	for key, status := range map[string]int{testKey: 200, "wrong": 403} {
		r := request(http.MethodPost, "/translate", "application/json",
			`{"q":["Hello","<b>World</b>"],"source":"auto","target":"de","format":"html","alternatives":0,"api_key":"`+key+`"}`)
		r.Header.Set("Origin", origin)
		r.Header.Set("Sec-Fetch-Site", "cross-site")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		require.Equal(t, status, w.Code)
		require.Equal(t, origin, w.Header().Get("Access-Control-Allow-Origin"))
	}
}

func TestOptions(t *testing.T) {
	good := Options{Backend: newFakeBackend(), APIKey: testKey}
	for name, change := range map[string]func(*Options){
		"no backend": func(o *Options) { o.Backend = nil },
		"no key":     func(o *Options) { o.APIKey = "" },
		"short key":  func(o *Options) { o.APIKey = "0123456789abcde" },
		"all pages":  func(o *Options) { o.Origins = []string{"*"} },
		"null":       func(o *Options) { o.Origins = []string{"null"} },
	} {
		o := good
		change(&o)
		_, err := New(o)
		require.Error(t, err, name)
	}
	_, err := New(good)
	require.NoError(t, err)
	for _, bad := range []string{"", "example.org", "https://*", "https://*.example.org", "http://*", "ftp://example.org", "https://example.org/path",
		"https://u:p@example.org", "https://example.org?q", "moz-extension://*/x", "file://", "null://x"} {
		_, err := parseOrigin(bad)
		require.Error(t, err, bad)
	}
	for _, fine := range []string{"https://example.org", "https://example.org/", "http://[::1]:3000", "chrome-extension://*", "safari-web-extension://ABC"} {
		_, err := parseOrigin(fine)
		require.NoError(t, err, fine)
	}
	require.GreaterOrEqual(t, len(NewKey()), 26)
	require.NotEqual(t, NewKey(), NewKey())
}
