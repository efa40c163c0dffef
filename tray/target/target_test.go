package target

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/config"
)

func TestChoose(t *testing.T) {
	one := Wish{To: "es", Other: "en"}
	two := Wish{To: "es", Other: "en", TwoWay: true}
	for _, c := range []struct {
		name   string
		wish   Wish
		text   api.Detection
		target string
	}{
		{"another language", one, api.Detection{Language: "en"}, "es"},
		{"already in the target", one, api.Detection{Language: "es"}, ""},
		{"the way back", two, api.Detection{Language: "es"}, "en"},
		{"the way there", two, api.Detection{Language: "en"}, "es"},
		{"a third language, both ways", two, api.Detection{Language: "fr"}, "es"},
		{"no way back to itself", Wish{To: "es", Other: "es", TwoWay: true}, api.Detection{Language: "es"}, ""},
		{"no way back without a language", Wish{To: "es", TwoWay: true}, api.Detection{Language: "es"}, ""},
		{"unknown", one, api.Detection{}, "es"},
		{"perhaps in the target", one, api.Detection{Language: "es", Unsure: true, Alternatives: []api.Alternative{{Language: "pt"}}}, "es"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.target, c.wish.Choose(c.text)) })
	}
	require.True(t, Foreign(api.Detection{Foreign: "ru"}))
	require.False(t, Foreign(api.Detection{Language: "de", Foreign: "ru"}), "a part of it")
}

func TestNew(t *testing.T) {
	starter := []string{"en", "de", "es"}
	for _, c := range []struct {
		name     string
		settings config.Clipboard
		known    Known
		want     Wish
	}{
		{"the desktop's language", config.Clipboard{}, Known{"de", nil, starter}, Wish{To: "de", Other: "en"}},
		{"one that the model lacks", config.Clipboard{}, Known{"ja", nil, starter}, Wish{To: "en"}},
		{"before the model is known", config.Clipboard{}, Known{"ja", nil, nil}, Wish{To: "ja", Other: "en"}},
		{"chosen", config.Clipboard{To: "es"}, Known{"de", nil, starter}, Wish{To: "es", Other: "de"}},
		{"chosen before", config.Clipboard{To: "es"}, Known{"de", []string{"es", "en", "de"}, starter}, Wish{To: "es", Other: "en"}},
		{"both chosen", config.Clipboard{To: "es", Other: "en", TwoWay: true}, Known{"de", nil, starter}, Wish{To: "es", Other: "en", TwoWay: true}},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.want, New(c.settings, c.known)) })
	}
}

func TestBase(t *testing.T) {
	require.Equal(t, "pt", Base([]string{"!!", "pt-BR", "de"}))
	require.Equal(t, "en", Base(nil))
}

func TestReadRecent(t *testing.T) {
	file := filepath.Join(t.TempDir(), "tray.json")
	require.Empty(t, ReadRecent(file))
	require.NoError(t, os.WriteFile(file, []byte(`{"recent":["es","de"],"no_host_told":true}`), 0o600))
	require.Equal(t, []string{"es", "de"}, ReadRecent(file))
	require.NoError(t, os.WriteFile(file, []byte(`{"recent":[1]`), 0o600))
	require.Empty(t, ReadRecent(file))
}
