package daemon

import (
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestEachOperationHasAHandler(t *testing.T) {
	handlers := (&Daemon{}).handlers()
	maps.Copy(handlers, (&Daemon{}).wordsHandlers())
	require.Len(t, handlers, len(api.Routes))
	for _, route := range api.Routes {
		require.NotNil(t, handlers[route], route.String())
	}
}

// FuzzBodies reads anything as the bodies of requests. Mistakes are told as
// such, without quoting what may be a text.
func FuzzBodies(f *testing.F) {
	for _, seed := range []string{
		`{"texts":["SECRET"],"from":"en","to":"de"}`, `{"texts":[]}`, `[`, `{"texts":["\ud800"],"to":"de"}`, "\x00", `"SECRET"`,
		`{"texts":{"SECRET":1}}`, `{"path":"/SECRET","to":["de"]}`, `{"seconds":1e99}`, `{"values":{"a":null}}`, `{"texts":["SECRET`,
		strings.Repeat(`{"texts":[`, 20_000), `{"texts":["a"],"to":"de","timeout_ms":"SECRET"}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		request := func() *http.Request { return httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)) }
		translate, err := read[api.TranslateRequest](request())
		if err == nil {
			err = checkTranslate(&translate)
		}
		_, err2 := read[api.FolderSettings](request())
		_, err3 := read[api.SettingsRequest](request())
		_, err4 := read[api.PauseRequest](request())
		for _, err := range []error{err, err2, err3, err4} {
			if err == nil {
				continue
			}
			var m mistake
			require.True(t, errors.As(err, &m), "%v", err)
			require.NotContains(t, err.Error(), "SECRET")
			p := problemOf(err)
			require.Contains(t, []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge}, p.Status)
		}
	})
}
