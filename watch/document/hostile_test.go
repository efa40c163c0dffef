package document

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// Whatever the format, by the first of its extensions: what is cut off, nested, long, empty or of another kind is refused
// with what is wrong, or comes back byte for byte; nothing crashes or takes long.
func TestHostileFilesOfAllFormats(t *testing.T) {
	bomb := `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><a><p>&b; words here</p></a>`
	outside := `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a><p>&x; words here</p></a>`
	files := map[string]string{
		"empty":            "",
		"a byte":           "\x00",
		"binary":           "\x7fELF\x02\x01\x01\x00\x00\xff\xfe\xfd",
		"mark alone":       "\xef\xbb\xbf",
		"UTF-16 cut":       "\xff\xfea",
		"entities":         bomb,
		"external entity":  outside,
		"nested elements":  strings.Repeat("<a>", 20_000),
		"nested brackets":  strings.Repeat("[", 50_000),
		"nested braces":    strings.Repeat(`{"a":`, 20_000),
		"nested quotes":    strings.Repeat("> ", 20_000) + "a",
		"nested items":     strings.Repeat("- ", 20_000) + "a",
		"a huge line":      strings.Repeat("word ", 30_000),
		"a huge word":      strings.Repeat("a", 1<<17),
		"many lines":       strings.Repeat("\n", 1<<16),
		"many short lines": strings.Repeat("a\n", 30_000),
		"open markup":      strings.Repeat("*a `b [c <d {e |f ", 2_000),
		"open tags":        strings.Repeat("<b", 20_000),
		"open quotes":      strings.Repeat(`"`, 20_001),
		"backslashes":      strings.Repeat(`\`, 20_001),
		"only CR":          strings.Repeat("a\r", 20_000),
		"a zip of nothing": "PK\x05\x06" + strings.Repeat("\x00", 18),
		"half a zip":       "PK\x03\x04\x14\x00\x00\x00",
	}
	for _, path := range samples(t) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		name := filepath.Base(path)
		for _, part := range []int{4, 2} {
			files["cut "+name+" "+strings.Repeat("i", part)] = string(raw[:len(raw)/part])
		}
		files["end of "+name] = string(raw[len(raw)/2:])
	}
	for _, f := range append([]*format{plain}, formats...) {
		extension := f.extensions[0]
		t.Run(extension, func(t *testing.T) {
			for name, content := range files {
				if strings.Contains(name, " ") && strings.Contains(name, ".") && !strings.Contains(name, extension) {
					continue // cut files of other formats
				}
				d, err := Parse("a"+extension, []byte(content))
				if err != nil {
					require.Less(t, len(err.Error()), 600, "%s: a message for people", name)
					require.NotContains(t, err.Error(), "words here", "%s: no text of the file", name)
					continue
				}
				require.NoError(t, d.Translate(t.Context(), identity), name)
				same, err := d.Bytes(segment.Options{})
				require.NoError(t, err, name)
				if extension != ".pdf" {
					require.True(t, string(same) == content, name)
				}
				require.NotContains(t, string(same), "root:", "%s: nothing is read that a file refers to", name)
			}
		})
	}
}
