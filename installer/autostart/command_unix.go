//go:build unix

package autostart

import (
	"fmt"
	"strings"

	"dragoman/assets"
)

const packaged = "/usr/bin/" + name

// entryText is the entry that starts program. A path with an equals sign is
// refused: the Desktop Entry Specification (1.5) forbids it in a program's name.
func entryText(program string) (string, error) {
	if strings.ContainsAny(program, "=\n\r") {
		return "", fmt.Errorf("start %q at login: an autostart entry cannot hold a path with = or a line break: move the program", program)
	}
	return strings.Replace(assets.TrayEntry, "Exec="+packaged, "Exec="+entryQuote(program), 1), nil
}

// entryQuote quotes a path for the key Exec: within double quotes a backslash
// before ", `, $ and \, percent signs twice, and every backslash twice again,
// because the value is a string, too (Desktop Entry Specification 1.5, "The
// Exec key").
func entryQuote(path string) string {
	inner := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "`", "\\`", "$", `\$`, "%", "%%").Replace(path)
	return strings.ReplaceAll(`"`+inner+`"`, `\`, `\\`)
}

// programOf undoes entryQuote.
func programOf(command string) string {
	command = strings.ReplaceAll(command, `\\`, `\`)
	if !strings.HasPrefix(command, `"`) {
		program, _, _ := strings.Cut(command, " ")
		return strings.ReplaceAll(program, "%%", "%")
	}
	var program strings.Builder
	for i := 1; i < len(command) && command[i] != '"'; i++ {
		if command[i] == '\\' && i+1 < len(command) {
			i++
		}
		program.WriteByte(command[i])
	}
	return strings.ReplaceAll(program.String(), "%%", "%")
}

// unitText is the unit that starts program (systemd.service(5), "Command
// lines": double quotes, backslashes and percent signs have meanings; a dollar
// sign has none in the first word).
func unitText(program string) string {
	quoted := `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(program) + `"`
	return strings.Replace(assets.TrayUnit, "ExecStart="+packaged, "ExecStart="+quoted, 1)
}
