package main

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"
)

func TestTranslateFiles(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.write("a.txt", "Good morning.\r\n")
	c.write("sub/b.txt", station)
	a := c.succeeds("translate", "--to", "de", "a.txt")
	require.Equal(t, shape("Good morning.\r\n"), shape(a), "to the standard output as it is")

	require.Empty(t, c.succeeds("translate", "--to", "de", "a.txt", "sub/b.txt", "--output", "out/"))
	require.Equal(t, []string{"a.de.txt", "b.de.txt"}, list(t, filepath.Join(c.dir, "out")))
	require.Equal(t, a, c.read("out/a.de.txt"))
	require.Contains(t, c.read("out/b.de.txt"), "Bahnhof")

	require.Empty(t, c.succeeds("translate", "--to", "de", "a.txt", "--output", "result.txt"))
	require.Equal(t, a, c.read("result.txt"))
	c.write("result.txt", "from an earlier run")
	require.Empty(t, c.succeeds("translate", "--to", "de", "a.txt", "-o", "result.txt"))
	require.Equal(t, a, c.read("result.txt"), "replaced")
	require.Empty(t, c.succeeds("translate", "--to", "de", "a.txt", "-o", "new/folder/"))
	require.Equal(t, a, c.read("new/folder/a.de.txt"))
	require.Empty(t, c.succeeds("translate", "--to", "de", station, "-o", "text.txt"))
	require.Contains(t, c.read("text.txt"), "Bahnhof")

	require.Equal(t, "Good morning.\r\n", c.read("a.txt"))
	require.Equal(t, []string{"a.txt", "new", "out", "result.txt", "sub", "text.txt"}, visible(t, c.dir))
	require.Equal(t, visible(t, c.dir), names(t, c.dir), "nothing hidden either")
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestTranslateKeepsModeOfFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits to keep")
	}
	c := newCommand(t)
	require.NoError(t, os.Chmod(c.write("private.txt", "Good morning.\n"), 0o600))
	c.succeeds("translate", "--to", "de", "private.txt", "-o", "out/")
	info, err := os.Stat(filepath.Join(c.dir, "out", "private.de.txt"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a private text stays private")
}

func TestTranslateEmptyFile(t *testing.T) {
	c := newCommand(t)
	c.write("empty.txt", "")
	require.Empty(t, c.succeeds("translate", "--to", "de", "empty.txt"))
	require.Empty(t, c.succeeds("translate", "--to", "de", "empty.txt", "-o", "out/"))
	require.Empty(t, c.read("out/empty.de.txt"))
}

func TestTranslateKeepsEncoding(t *testing.T) {
	for name, order := range map[string]binary.AppendByteOrder{"UTF-16LE": binary.LittleEndian, "UTF-16BE": binary.BigEndian} {
		t.Run(name, func(t *testing.T) {
			c := newCommand(t)
			var data []byte
			for _, unit := range utf16.Encode([]rune("\uFEFFPlease close the window.\r\n🙂\r\n")) {
				data = order.AppendUint16(data, unit)
			}
			c.write("notepad.txt", string(data))
			c.succeeds("translate", "--to", "de", "notepad.txt", "-o", "out.txt")
			out := c.read("out.txt")
			require.Zero(t, len(out)%2)
			var units []uint16
			for i := 0; i < len(out); i += 2 {
				pair := []byte(out[i : i+2])
				if name == "UTF-16LE" {
					units = append(units, binary.LittleEndian.Uint16(pair))
				} else {
					units = append(units, binary.BigEndian.Uint16(pair))
				}
			}
			text := string(utf16.Decode(units))
			require.Regexp(t, "^\uFEFF.*Fenster.*\r\n🙂\r\n$", text)
		})
	}
	t.Run("UTF-8 with a byte order mark", func(t *testing.T) {
		c := newCommand(t)
		c.write("a.txt", "\uFEFFGood morning.\n")
		c.succeeds("translate", "--to", "de", "a.txt", "-o", "out.txt")
		require.Regexp(t, "^\uFEFFGut.*\n$", c.read("out.txt"))
	})
}

func TestTranslateTextThatIsAFileName(t *testing.T) {
	c := newCommand(t)
	c.write("42", "Good morning.\n")
	require.Equal(t, "42\n", c.succeeds("translate", "--to", "de", "--text", "42"))
	require.NotContains(t, c.succeeds("translate", "--to", "de", "42"), "42", "without --text it is the file")
	require.Equal(t, "-\n", c.succeeds("translate", "--to", "de", "--text", "-"))
}

// One bad file does not stop the others.
func TestTranslateExistingAndMissingFiles(t *testing.T) {
	c := newCommand(t)
	c.write("a.txt", "Good morning.\n")
	c.write("z.txt", "Good night.\n")
	o := c.run("translate", "--to", "de", "a.txt", "missing.txt", "z.txt", "-o", "out")
	require.Equal(t, exitInput, o.code)
	require.Empty(t, o.stdout)
	require.Equal(t, "dragoman: read missing.txt: no such file or directory; check the name\n", o.stderr)
	require.Equal(t, []string{"a.de.txt", "z.de.txt"}, list(t, filepath.Join(c.dir, "out")))
}

func TestTranslateTellsEachBadFile(t *testing.T) {
	c := newCommand(t)
	c.write("nul.txt", "a\x00b")
	c.write("latin1.txt", "Gr\xFC\xDFe")
	o := c.run("translate", "--to", "de", "nul.txt", "latin1.txt", "-o", "out")
	require.Equal(t, exitInput, o.code)
	require.Equal(t, "dragoman: nul.txt is not UTF-8 text: byte 0x00 at offset 1; save it as UTF-8, or say which encoding it has (--encoding)\n"+
		"dragoman: latin1.txt is not UTF-8 text: byte 0xFC at offset 2; save it as UTF-8, or say which encoding it has (--encoding)\n", o.stderr)
	require.Equal(t, []string{"latin1.txt", "nul.txt"}, list(t, c.dir), "no folder for nothing")
}
