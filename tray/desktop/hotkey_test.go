package desktop

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseHotkey(t *testing.T) {
	for _, c := range []struct {
		text, written, trigger string
		virtual                uint32
	}{
		{"Ctrl+Alt+T", "Ctrl+Alt+T", "CTRL+ALT+t", 'T'},
		{" ctrl + ALT+ t ", "Ctrl+Alt+T", "CTRL+ALT+t", 'T'},
		{"Strg+Umschalt+7", "Ctrl+Shift+7", "CTRL+SHIFT+7", '7'},
		{"Win+Space", "Super+Space", "LOGO+space", 0x20},
		{"Shift+Super+PageUp", "Shift+Super+PageUp", "SHIFT+LOGO+Page_Up", 0x21},
		{"F9", "F9", "F9", 0x78},
		{"alt+f24", "Alt+F24", "ALT+F24", 0x87},
		{"Meta+f", "Super+F", "LOGO+f", 'F'},
		{"Ctrl+Alt+Esc", "Ctrl+Alt+Esc", "CTRL+ALT+Escape", 0x1b},
	} {
		k, err := ParseHotkey(c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.written, k.String())
		require.Equal(t, c.trigger, k.trigger())
		require.Equal(t, c.virtual, k.key.virtual)
		again, err := ParseHotkey(k.String())
		require.NoError(t, err)
		require.Equal(t, k, again)
	}
}

func TestParseHotkeySaysWhatIsWrong(t *testing.T) {
	for text, says := range map[string]string{
		"":               "a key is missing",
		"+":              "a key is missing",
		"Ctrl+Alt+":      "a key is missing",
		"Ctrl++T":        "a key is missing",
		"Ctrl+Alt":       "at the end",
		"Ctrl":           "at the end",
		"T+Ctrl":         `"T" is none of Ctrl, Alt`,
		"Ctrl+A+B":       `"A" is none of`,
		"Ctrl-Alt-T":     `"Ctrl-Alt-T" is unknown`,
		"Ctrl+Alt+Ö":     `"Ö" is unknown`,
		"Ctrl+Alt+F25":   `"F25" is unknown`,
		"Ctrl+Alt+F01":   `"F01" is unknown`,
		"Ctrl+Alt+F+1":   `"F" is none of`,
		"Ctrl+Control+T": "Ctrl is named twice",
		"T":              "programs use them",
		"Ctrl+C":         "programs use them",
		"Shift+Insert":   "programs use them",
		"Alt+F":          "programs use them",
	} {
		_, err := ParseHotkey(text)
		require.ErrorContains(t, err, says, "%q", text)
		require.ErrorContains(t, err, `keys "`)
	}
}

func FuzzParseHotkey(f *testing.F) {
	for _, seed := range []string{"Ctrl+Alt+T", "F9", "+", "Super+\xff", "Ctrl+Alt+F99999999999999999999"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		k, err := ParseHotkey(text)
		if err != nil {
			return
		}
		again, err := ParseHotkey(k.String())
		require.NoError(t, err)
		require.Equal(t, k, again)
		require.NotZero(t, k.key.virtual)
	})
}
