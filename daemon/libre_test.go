package daemon_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestLibreTranslateInterface(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	on, address := "true", `"127.0.0.1:0"`
	_, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"libretranslate.enabled": &on, "libretranslate.address": &address}})
	require.NoError(t, err)
	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, now.LibreTranslate)
	key, err := os.ReadFile(paths.LibreTranslateKeyFile())
	require.NoError(t, err)

	ask := func(key string) (string, int) {
		body := `{"q":["The house is big.","<p>The dog is <b>small</b>.</p>"],"source":"auto","target":"es","format":"html","api_key":"` + strings.TrimSpace(key) + `"}`
		answer, err := http.Post("http://"+now.LibreTranslate+"/translate", "application/json", strings.NewReader(body))
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return string(text), answer.StatusCode
	}
	text, status := ask(string(key))
	require.Equal(t, http.StatusOK, status, text)
	require.Contains(t, text, "casa")
	require.Contains(t, text, `"language":"en"`)
	_, status = ask("wrong")
	require.Equal(t, http.StatusForbidden, status)

	// The same key after a restart of the interface; off means off.
	off := "false"
	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"libretranslate.enabled": &off}})
	require.NoError(t, err)
	_, err = http.Get("http://" + now.LibreTranslate + "/health")
	require.Error(t, err)
	_, err = s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"libretranslate.enabled": &on}})
	require.NoError(t, err)
	now, err = s.Status(t.Context())
	require.NoError(t, err)
	_, status = ask(string(key))
	require.Equal(t, http.StatusOK, status)
}
