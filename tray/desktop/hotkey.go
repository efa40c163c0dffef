package desktop

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// What ListenHotkey may find.
var (
	ErrHotkeyTaken       = errors.New("another program has these keys: choose others in the settings")
	ErrHotkeyUnsupported = errors.New("this desktop gives programs no keys: bind `dragoman clip` to them in the desktop's settings")
)

// Modifier is a set of keys that are held.
type Modifier int

const (
	Ctrl Modifier = 1 << iota
	Alt
	Shift
	Super // the key with the sign of Windows
)

// Keys is a combination that ParseHotkey has understood.
type Keys struct {
	Modifiers Modifier
	key       key
}

// key is one of a keyboard: its name here, its number in winuser.h (VK_*) and
// its name in xkbcommon-keysyms.h.
type key struct {
	name    string
	virtual uint32
	keysym  string
}

var modifiers = []struct {
	modifier Modifier
	names    []string // the first is how it is written
}{
	{Ctrl, []string{"Ctrl", "Control", "Strg"}},
	{Alt, []string{"Alt", "Option"}},
	{Shift, []string{"Shift", "Umschalt"}},
	{Super, []string{"Super", "Win", "Windows", "Meta", "Logo", "Cmd"}},
}

var named = []key{
	{"Space", 0x20, "space"}, {"Enter", 0x0d, "Return"}, {"Return", 0x0d, "Return"}, {"Tab", 0x09, "Tab"},
	{"Escape", 0x1b, "Escape"}, {"Esc", 0x1b, "Escape"}, {"Backspace", 0x08, "BackSpace"}, {"Pause", 0x13, "Pause"},
	{"Insert", 0x2d, "Insert"}, {"Delete", 0x2e, "Delete"}, {"Del", 0x2e, "Delete"}, {"Home", 0x24, "Home"}, {"End", 0x23, "End"},
	{"PageUp", 0x21, "Page_Up"}, {"PageDown", 0x22, "Page_Down"},
	{"Left", 0x25, "Left"}, {"Up", 0x26, "Up"}, {"Right", 0x27, "Right"}, {"Down", 0x28, "Down"},
}

// ParseHotkey reads keys such as "Ctrl+Alt+T", "Super+F2" or "F9", in any case:
// any of Ctrl, Alt, Shift and Super, and at the end a letter of A to Z, a digit,
// F1 to F24, or a key with a name such as Space or PageUp. Programs themselves
// use keys with one modifier, which nobody may take from them: except for those
// that begin with F, and with Super, it takes two.
func ParseHotkey(text string) (Keys, error) {
	var k Keys
	parts := strings.Split(text, "+")
	for i, part := range parts {
		part = strings.TrimSpace(part)
		m := modifierOf(part)
		switch last := i == len(parts)-1; {
		case part == "":
			return Keys{}, fmt.Errorf("keys %q: a key is missing: write them like Ctrl+Alt+T", text)
		case m == 0 && !last:
			return Keys{}, fmt.Errorf("keys %q: %q is none of Ctrl, Alt, Shift and Super, which come first", text, part)
		case m != 0 && last:
			return Keys{}, fmt.Errorf("keys %q: at the end a letter, a digit or a key such as F9 is missing", text)
		case m != 0 && k.Modifiers&m != 0:
			return Keys{}, fmt.Errorf("keys %q: %s is named twice", text, m)
		case m != 0:
			k.Modifiers |= m
		default:
			found := false
			if k.key, found = keyOf(part); !found {
				return Keys{}, fmt.Errorf("keys %q: the key %q is unknown: use A to Z, 0 to 9, F1 to F24, or one such as Space or PageUp", text, part)
			}
		}
	}
	function := len(k.key.name) > 1 && k.key.name[0] == 'F'
	if m := k.Modifiers; !function && m&Super == 0 && m&(m-1) == 0 {
		return Keys{}, fmt.Errorf("keys %q: programs use them: add another of Ctrl, Alt, Shift and Super", text)
	}
	return k, nil
}

func modifierOf(name string) Modifier {
	for _, m := range modifiers {
		if slices.ContainsFunc(m.names, func(n string) bool { return strings.EqualFold(n, name) }) {
			return m.modifier
		}
	}
	return 0
}

func keyOf(name string) (key, bool) {
	upper := strings.ToUpper(name)
	if len(upper) == 1 && (upper[0] >= 'A' && upper[0] <= 'Z' || upper[0] >= '0' && upper[0] <= '9') {
		return key{upper, uint32(upper[0]), strings.ToLower(upper)}, true
	}
	if n, err := strconv.Atoi(upper[1:]); err == nil && upper == "F"+strconv.Itoa(n) && n >= 1 && n <= 24 {
		return key{upper, 0x70 + uint32(n) - 1, upper}, true
	}
	for _, k := range named {
		if strings.EqualFold(k.name, name) {
			return k, true
		}
	}
	return key{}, false
}

// String names the modifiers as ParseHotkey reads them.
func (m Modifier) String() string {
	var names []string
	for _, k := range modifiers {
		if m&k.modifier != 0 {
			names = append(names, k.names[0])
		}
	}
	return strings.Join(names, "+")
}

// String writes the keys as ParseHotkey reads them.
func (k Keys) String() string {
	if k.Modifiers == 0 {
		return k.key.name
	}
	return k.Modifiers.String() + "+" + k.key.name
}

// trigger writes the keys as freedesktop.org's specification of shortcuts does.
func (k Keys) trigger() string {
	var b strings.Builder
	for _, m := range []struct {
		modifier Modifier
		name     string
	}{{Ctrl, "CTRL"}, {Alt, "ALT"}, {Shift, "SHIFT"}, {Super, "LOGO"}} {
		if k.Modifiers&m.modifier != 0 {
			b.WriteString(m.name + "+")
		}
	}
	return b.String() + k.key.keysym
}
