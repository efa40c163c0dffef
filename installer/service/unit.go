package service

import (
	"fmt"
	"strings"

	"dragoman/assets"
)

// execLine of the units in package assets, which name the place of packages.
const execLine = "ExecStart=/usr/bin/dragomand run\n"

const renderLine = "SupplementaryGroups=render\n"

// unitText is the unit's file for the daemon at executable. A system unit
// without the group "render" does not ask for it.
func unitText(scope Scope, executable string, render bool) (string, error) {
	if strings.ContainsFunc(executable, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return "", fmt.Errorf("the path %q holds a control character, which a unit cannot: move the program", executable)
	}
	text := assets.UserUnit
	if scope == System {
		text = assets.SystemUnit
		if !render {
			text = strings.Replace(text, renderLine, "", 1)
		}
	}
	return strings.Replace(text, execLine, "ExecStart="+quote(executable)+" run\n", 1), nil
}

// quote writes a program's path as systemd.service(5) and systemd.unit(5) have
// it: quoted, with backslashes for what ends the quotes and doubled percent
// signs for specifiers. Variables are not replaced in a program's path.
func quote(path string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, `%`, `%%`).Replace(path) + `"`
}

// programOf is the inverse of unitText: the program that a unit starts.
func programOf(unit string) string {
	for line := range strings.Lines(unit) {
		value, found := strings.CutPrefix(strings.TrimSpace(line), "ExecStart=")
		if !found {
			continue
		}
		if !strings.HasPrefix(value, `"`) {
			program, _, _ := strings.Cut(value, " ")
			return program
		}
		var b strings.Builder
		for i := 1; i < len(value) && value[i] != '"'; i++ {
			if i+1 < len(value) && (value[i] == '\\' || value[i] == '%') {
				i++
			}
			b.WriteByte(value[i])
		}
		return b.String()
	}
	return ""
}
