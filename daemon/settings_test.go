package daemon_test

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// restarting are the keys of an answer that wait for the next start.
func restarting(r api.SettingsResponse) (keys []string) {
	for _, s := range r.Settings {
		if s.Restart {
			keys = append(keys, s.Key)
		}
	}
	return keys
}

func TestAnswersSayWhatWaitsForTheNextStart(t *testing.T) {
	s := start(t, newPaths(t))
	set := func(key, value string) api.SettingsResponse {
		t.Helper()
		r, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{key: &value}})
		require.NoError(t, err)
		return r
	}
	notices := func() string {
		t.Helper()
		now, err := s.Status(t.Context())
		require.NoError(t, err)
		var b strings.Builder
		for _, n := range now.Notices {
			b.WriteString(n.Message + "\n")
		}
		return b.String()
	}
	require.Empty(t, restarting(set("history.days", "7")))
	require.Equal(t, []string{"queue.batch"}, restarting(set("queue.batch", "77")))
	require.Contains(t, notices(), "queue.batch")
	require.Contains(t, notices(), fmt.Sprintf("end process %d, which runs in the foreground", os.Getpid()))
	require.Equal(t, []string{"queue.batch", "api.max_clients"}, restarting(set("api.max_clients", "9")))
	again, err := s.Settings(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"queue.batch", "api.max_clients"}, restarting(again), "whoever asks is told")
	require.Equal(t, 1, strings.Count(notices(), "next start"), "one message")
	set("queue.batch", "10000")
	require.Empty(t, restarting(set("api.max_clients", "64")), "as it was at the start")
	require.NotContains(t, notices(), "next start", "taken back")
}

func TestAnswersSayWhatCannotBePutInForce(t *testing.T) {
	s := start(t, newPaths(t))
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer taken.Close()
	on, address := "true", `"`+taken.Addr().String()+`"`
	r, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"libretranslate.enabled": &on, "libretranslate.address": &address}})
	require.NoError(t, err, "the file has changed")
	require.Len(t, r.Problems, 1)
	require.Contains(t, r.Problems[0], "libretranslate.address")
	r, err = s.Settings(t.Context())
	require.NoError(t, err)
	require.Len(t, r.Problems, 1)

	require.NoError(t, taken.Close())
	r, err = s.Reload(t.Context())
	require.NoError(t, err)
	require.Empty(t, r.Problems)
	now, err := s.Status(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, now.LibreTranslate)
	require.Empty(t, now.Notices, "taken back")
}

func TestAModelThatIsForbiddenDoesNotGoOn(t *testing.T) {
	paths := newPaths(t)
	s := start(t, paths).warm()
	allow := func(names string) {
		t.Helper()
		_, err := s.SetSettings(t.Context(), api.SettingsRequest{Values: map[string]*string{"models.allowed": &names}})
		require.NoError(t, err)
	}
	translate := func() error {
		_, err := s.Translate(t.Context(), api.TranslateRequest{Texts: []string{"Hello."}, From: "en", To: "de"})
		return err
	}
	allow(`["m2m100_418M"]`)
	require.ErrorContains(t, translate(), "not among models.allowed (m2m100_418M)")
	allow(`["` + filepath.ToSlash(paths.Model) + `"]`)
	s.warm()
	require.NoError(t, translate())

	// The model of that name is another one than that of the folder.
	allow(`["` + filepath.Base(paths.Model) + `"]`)
	require.ErrorContains(t, translate(), "not among models.allowed")
}
