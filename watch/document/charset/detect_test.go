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

const german = "Sehr geehrte Frau Müller, wir haben für die Übergabe der Schlüssel drei Möglichkeiten vorgesehen; größere Änderungen teilen wir Ihnen mit."

// Where a long text begins with English, what comes later tells all the same.
func TestDetectLate(t *testing.T) {
	english := strings.Repeat("This is the list of all the things that we have in the house.\n", 2000)
	for label, text := range map[string]string{
		"windows-1251": "Привет, как дела? Сегодня хорошая погода, и мы пойдём гулять в парк, а потом будем пить чай с друзьями.",
		"windows-1252": "Their café has “more” of them.",
	} {
		set, ok := Detect(encoded(t, label, english+text))
		require.True(t, ok, label)
		require.Equal(t, label, set.String())
	}
}

// Few letters beyond ASCII are enough where they are those of the language, and none of
// another encoding would be.
func TestDetectFew(t *testing.T) {
	for text, c := range map[string]struct{ label, language, want string }{
		german: {"iso-8859-1", "", "windows-1252"},
		"The café near the station was closed, so we went to the other one that has been there for years.":                     {"iso-8859-1", "", "windows-1252"},
		"“It is late,” she said – and then they all went home, because there was nothing else to do in that town.":             {"windows-1252", "", "windows-1252"},
		"Őrült tűző nap, az első időkből való, s nincs több erő; a gyerekek mégis kint játszanak az udvaron, mert szünet van.": {"iso-8859-2", "", "windows-1250"},
		"Bugün hava çok güzel, ağaçların altında oturuyoruz; şimdi ışık var ve herkes burada olmaktan çok mutlu görünüyor.":    {"windows-1254", "", "windows-1254"},
		"Żółty ptak siedział na gałęzi i śpiewał, a dzieci słuchały go przez całe popołudnie, zanim wróciły do domu.":          {"iso-8859-2", "", "iso-8859-2"},
		"Öl für Züge": {"windows-1252", "de", "windows-1252"},
		"Grüße":       {"windows-1252", "de", "windows-1252"},
		"Það er gott": {"windows-1252", "is", "windows-1252"},
	} {
		raw := encoded(t, c.label, text)
		set, ok := DetectIn(raw, c.language)
		require.True(t, ok, text)
		require.Equal(t, c.want, set.String())
		got, err := set.Decode(raw)
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
}

// What is not certain is not guessed.
func TestDetectRefuses(t *testing.T) {
	for name, raw := range map[string][]byte{
		"few bytes":     []byte("caf\xe9 au lait"),
		"UTF-8, cut":    []byte("Die schöne Straße führt über die Brücke, und am Ende steht ein großes Haus für alle, die müde sind.\xc3"),
		"too few words": encoded(t, "windows-1252", "Öl für Züge, Übergröße"),
		"Icelandic":     encoded(t, "windows-1252", strings.Repeat("Það er gott að búa á Íslandi, þar sem veðrið er síbreytilegt og fólkið þægilegt. ", 3)),
		"Macintosh":     encoded(t, "macintosh", german),
		"DOS":           []byte("Der M\x81ller und die B\x84ckerin haben f\x81r die G\x84ste sch\x94nes Brot gebacken, wei\xe1es und graues, wie es \x81blich ist."),
		"random":        []byte(strings.Repeat("\xff\x81\x9d a \x8f", 40)),
		"with NUL":      []byte(strings.Repeat("\xe9 \x00", 40)),
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
