package charset

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCharsets(t *testing.T) {
	for label, c := range map[string]struct{ name, raw, text string }{
		"UTF8":         {"utf-8", "é", "é"},
		"latin1":       {"latin1", "caf\xe9", "café"},
		"cp1252":       {"windows-1252", "\x93caf\xe9\x94", "“café”"},
		"US-ASCII":     {"us-ascii", "tea", "tea"},
		"Windows-1251": {"windows-1251", "\xcf\xf0\xe8", "При"},
		"koi8-r":       {"koi8-r", "\xf0\xd2\xc9", "При"},
		"Shift_JIS":    {"shift_jis", "\x93\xfa\x96\x7b", "日本"},
		"euc-jp":       {"euc-jp", "\xc6\xfc\xcb\xdc", "日本"},
		"gb2312":       {"gbk", "\xc4\xe3", "你"},
		"big5":         {"big5", "\xa7\x41", "你"},
		"euc-kr":       {"euc-kr", "\xc7\xd1", "한"},
	} {
		t.Run(label, func(t *testing.T) {
			set, ok := Named(label)
			require.True(t, ok)
			require.Equal(t, c.name, set.String())
			text, err := set.Decode([]byte(c.raw))
			require.NoError(t, err)
			require.Equal(t, c.text, text)
			raw, ok := set.Encode(text)
			require.True(t, ok)
			require.Equal(t, c.raw, string(raw))
		})
	}
	for _, label := range []string{"", "x-user-defined", "iso-2022-cn", "klingon"} {
		_, ok := Named(label)
		require.False(t, ok, label)
	}
	latin, _ := Named("latin1")
	ascii, _ := Named("us-ascii")
	for text, set := range map[string]Charset{"日": latin, "“": latin, "é": ascii} {
		_, ok := set.Encode(text)
		require.False(t, ok, text)
	}
	_, err := latin.Decode([]byte("\x93"))
	require.ErrorIs(t, err, ErrNot)
	japanese, _ := Named("shift_jis")
	_, err = japanese.Decode([]byte("\xe9 \xe9"))
	require.ErrorIs(t, err, ErrNot)
	_, err = UTF8.Decode([]byte("\xe9"))
	require.ErrorIs(t, err, ErrNot)
}
