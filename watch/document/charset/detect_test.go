package charset

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func encoded(t *testing.T, label, text string) []byte {
	t.Helper()
	set, ok := Named(label)
	require.True(t, ok)
	raw, ok := set.Encode(text)
	require.True(t, ok, label)
	return raw
}

func TestDetect(t *testing.T) {
	for label, text := range map[string]string{
		"windows-1252": "Les élèves préfèrent l'été à l'automne, même s'ils étudient déjà très tôt. Où êtes-vous allés hier ? Ça y est, nous voilà enfin arrivés près du café fermé.",
		"windows-1251": "Привет, как дела? Сегодня хорошая погода, и мы пойдём гулять в парк, а потом будем пить чай с друзьями.",
		"koi8-r":       "Привет, как дела? Сегодня хорошая погода, и мы пойдём гулять в парк, а потом будем пить чай с друзьями.",
		"shift_jis":    "これは日本語の文章です。今日はとても良い天気なので、公園へ散歩に行きましょう。",
		"euc-jp":       "これは日本語の文章です。今日はとても良い天気なので、公園へ散歩に行きましょう。",
		"euc-kr":       "안녕하세요. 오늘은 날씨가 아주 좋습니다. 공원에 산책하러 갑시다.",
		"big5":         "今天的天氣非常好，我們去公園散步吧。這是一個用繁體中文寫的句子。",
	} {
		t.Run(label, func(t *testing.T) {
			raw := encoded(t, label, text)
			set, ok := Detect(raw)
			require.True(t, ok)
			require.Equal(t, label, set.String())
			got, err := set.Decode(raw)
			require.NoError(t, err)
			require.Equal(t, text, got)
		})
	}
}

// What is not certain is not guessed.
func TestDetectRefuses(t *testing.T) {
	for name, raw := range map[string][]byte{
		"few bytes": []byte("caf\xe9 au lait"),
		"Hungarian": encoded(t, "iso-8859-2", strings.Repeat("Őrült tűző nap, az első időkből való, s nincs több erő. ", 4)),
		"Turkish":   encoded(t, "windows-1254", strings.Repeat("Bugün hava çok güzel, ağaçların altında oturuyoruz; şimdi ışık var. ", 4)),
		"random":    []byte(strings.Repeat("\xff\x81\x9d a \x8f", 40)),
		"with NUL":  []byte(strings.Repeat("\xe9 \x00", 40)),
	} {
		t.Run(name, func(t *testing.T) {
			set, ok := Detect(raw)
			require.False(t, ok, set.String())
		})
	}
}

func TestDeclared(t *testing.T) {
	for text, want := range map[string]string{
		`<?xml version="1.0" encoding='ISO-8859-2'?>`:                                "ISO-8859-2",
		`<html><meta http-equiv="Content-Type" content="text/html; charset=koi8-r">`: "koi8-r",
		`<meta charset=big5>`: "big5",
		"msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1251\\n\"\n": "CP1251",
		"# -*- coding: latin-1 -*-":                          "latin-1",
		"# vim: set ts=4 fileencoding=koi8-r :":              "koi8-r",
		`<a href="x?coding=latin1">the encoding: latin1</a>`: "",
		"no charset=x here":                                  "",
	} {
		label, start, end := Declared(text)
		require.Equal(t, want, label)
		require.Equal(t, want, text[start:end])
	}
	raw := encoded(t, "iso-8859-2", `<?xml version="1.0" encoding="iso-8859-2"?><a>ő</a>`)
	set, ok := Detect(raw)
	require.True(t, ok)
	require.Equal(t, "iso-8859-2", set.String())
	set, ok = Detect([]byte("<meta charset=iso-8859-1>\x93caf\xe9\x94"))
	require.True(t, ok)
	require.Equal(t, "windows-1252", set.String(), "which it really is")
}
