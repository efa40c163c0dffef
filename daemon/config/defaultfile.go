package config

import (
	"bytes"
	"fmt"
	"strings"
)

// width is where the default file's comments are wrapped.
const width = 88

// DefaultFile returns a configuration file with every key explained. All values
// are commented out: a line with a value begins with # and no space.
func DefaultFile() []byte {
	var b bytes.Buffer
	b.WriteString(`# Settings of dragoman. Lines that begin with # and no space show a setting's
# default: take the # away to change it. A setting can also be given by the
# environment variable that is named with it, which goes before this file.
# A running service notices changes within a minute. Its status tells which wait
# for its next start, and which line of this file it cannot take.
`)
	table := ""
	for _, k := range keys {
		if k.table() != table {
			table = k.table()
			fmt.Fprintf(&b, "\n[%s]\n", table)
		}
		b.WriteByte('\n')
		for _, line := range wrap(k.Help, width-2) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
		for _, line := range wrap(fmt.Sprintf("%s: %s.", k.Env(), k.Allowed), width-2) {
			fmt.Fprintf(&b, "# %s\n", line)
		}
		fmt.Fprintf(&b, "#%s = %s\n", k.name(), k.Default())
	}
	return b.Bytes()
}

// wrap breaks text into lines of at most columns bytes, between words.
func wrap(text string, columns int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len(line)+1+len(word) > columns:
			lines = append(lines, line)
			line = word
		default:
			line += " " + word
		}
	}
	return append(lines, line)
}
