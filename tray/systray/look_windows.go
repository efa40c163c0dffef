package systray

import (
	"strings"

	"dragoman/assets/icons"
)

// announces: there is no icon to set anything of before there is a window.
const announces = false

// mnemonics doubles what Windows takes for the mark of an access key.
func mnemonics(label string) string { return strings.ReplaceAll(label, "&", "&&") }

// name does nothing: an icon of Windows has none.
func name(string) {}

func picture(s icons.State) []byte { return icons.ICO(s) }
