package agent

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func TestChoose(t *testing.T) {
	one := wish{to: "es", other: "en"}
	two := wish{to: "es", other: "en", twoWay: true}
	for _, c := range []struct {
		name   string
		wish   wish
		text   api.Detection
		target string
	}{
		{"another language", one, api.Detection{Language: "en"}, "es"},
		{"already in the target", one, api.Detection{Language: "es"}, ""},
		{"the way back", two, api.Detection{Language: "es"}, "en"},
		{"the way there", two, api.Detection{Language: "en"}, "es"},
		{"a third language, both ways", two, api.Detection{Language: "fr"}, "es"},
		{"no way back to itself", wish{to: "es", other: "es", twoWay: true}, api.Detection{Language: "es"}, ""},
		{"no way back without a language", wish{to: "es", twoWay: true}, api.Detection{Language: "es"}, ""},
		{"unknown", one, api.Detection{}, "es"},
		{"perhaps in the target", one, api.Detection{Language: "es", Unsure: true, Alternatives: []api.Alternative{{Language: "pt"}}}, "es"},
	} {
		t.Run(c.name, func(t *testing.T) { require.Equal(t, c.target, c.wish.choose(c.text)) })
	}
	require.True(t, foreign(api.Detection{Foreign: "ru"}))
	require.False(t, foreign(api.Detection{Language: "de", Foreign: "ru"}), "a part of it")
}

func TestWish(t *testing.T) {
	starter := []api.Language{{Code: "en"}, {Code: "de"}, {Code: "es"}}
	for _, c := range []struct {
		name      string
		settings  string
		desktop   string
		recent    []string
		languages []api.Language
		want      wish
	}{
		{"the desktop's language", "", "de", nil, starter, wish{to: "de", other: "en"}},
		{"one that the model lacks", "", "ja", nil, starter, wish{to: "en"}},
		{"before the model is known", "", "ja", nil, nil, wish{to: "ja", other: "en"}},
		{"chosen", `to = "es"`, "de", nil, starter, wish{to: "es", other: "de"}},
		{"chosen before", `to = "es"`, "de", []string{"es", "en", "de"}, starter, wish{to: "es", other: "en"}},
		{"both chosen", "to = 'es'\nother = 'en'\ntwo_way = true", "de", nil, starter, wish{to: "es", other: "en", twoWay: true}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := newAgent(t, "[clipboard]\n"+c.settings)
			a.desktopLanguage, a.memory.Recent, a.languages = c.desktop, c.recent, c.languages
			require.Equal(t, c.want, a.wish())
		})
	}
}
