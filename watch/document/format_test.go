package document

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// pseudo stands in for a model: it gives vowels accents but in addresses and
// placeholders, so that a span is found by its own translation.
func pseudo(_ context.Context, text string) (string, error) {
	var b strings.Builder
	at := 0
	for _, found := range segment.InMessages.FindAllStringIndex(text, -1) {
		b.WriteString(accents.Replace(text[at:found[0]]))
		b.WriteString(text[found[0]:found[1]])
		at = found[1]
	}
	b.WriteString(accents.Replace(text[at:]))
	return b.String(), nil
}

var accents = strings.NewReplacer("a", "á", "e", "é", "i", "í", "o", "ó", "u", "ú", "A", "Á", "E", "É")

// samples are the files of testdata for each format.
func samples(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "*", "*"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	return files
}

// parts are the files of a zip, unpacked.
func zipParts(t testing.TB, data []byte) map[string]string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	all := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		require.NoError(t, err)
		content, err := io.ReadAll(in)
		require.NoError(t, err)
		all[f.Name] = string(content)
	}
	return all
}

func identity(_ context.Context, text string) (string, error) { return text, nil }

// The identity translation gives the same bytes, and a translation there and back
// does too, so that nothing but texts was touched.
func TestRealFilesComeBackByteForByte(t *testing.T) {
	for _, path := range samples(t) {
		if filepath.Ext(path) == ".pdf" {
			continue // whose text alone is written
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			d, err := Open(path)
			require.NoError(t, err)
			require.Equal(t, filepath.Base(filepath.Dir(path)), strings.TrimPrefix(filepath.Ext(path), "."), "the folder's name")
			require.NotEmpty(t, d.Segments())
			ids := map[string]bool{}
			for _, s := range d.Segments() {
				require.NotEmpty(t, s.ID)
				require.False(t, ids[s.ID], "two have the id %s", s.ID)
				ids[s.ID] = true
			}

			same, err := d.Bytes(segment.Options{})
			require.NoError(t, err)
			require.True(t, bytes.Equal(raw, same), "before anything is translated")
			require.NoError(t, d.Translate(t.Context(), identity))
			same, err = d.Bytes(segment.Options{})
			require.NoError(t, err)
			require.True(t, bytes.Equal(raw, same), "identity")

			require.NoError(t, d.Translate(t.Context(), pseudo))
			there, err := d.Bytes(segment.Options{})
			require.NoError(t, err)
			require.False(t, bytes.Equal(raw, there))
			again, err := Parse(path, there)
			require.NoError(t, err, "what was written is read again")
			require.Equal(t, d.Format, again.Format)
			compare(t, d, again)
		})
	}
}

// compare says whether a written document has the segments that were to be written.
func compare(t *testing.T, d, again *Document) {
	t.Helper()
	var want, got []string
	for _, s := range d.Segments() {
		if s.Copy == nil && !s.Elsewhere {
			want = append(want, words(s.Target()))
		}
	}
	for _, s := range again.Segments() {
		if s.Copy == nil && !s.Elsewhere {
			got = append(got, words(s.Source()))
		}
	}
	require.Equal(t, want, got)
}

func words(s string) string { return strings.Join(strings.Fields(s), " ") }

// A text of a script without spaces is one for people wherever one with spaces is: what is
// written in Chinese is read again with the same texts.
func TestScriptsWithoutSpaces(t *testing.T) {
	for _, path := range samples(t) {
		if filepath.Ext(path) == ".pdf" {
			continue
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			d, err := Open(path)
			require.NoError(t, err)
			require.NoError(t, d.Translate(t.Context(), han))
			there, err := d.Bytes(segment.Options{})
			require.NoError(t, err)
			again, err := Parse(path, there)
			require.NoError(t, err)
			var want, got []string
			for _, s := range d.Segments() {
				if s.Copy == nil && !s.Elsewhere && strings.ContainsFunc(s.Target(), segment.Unspaced) {
					want = append(want, strings.Join(strings.Fields(s.Target()), ""))
				}
			}
			for _, s := range again.Segments() {
				if s.Copy == nil && !s.Elsewhere && strings.ContainsFunc(s.Source(), segment.Unspaced) {
					got = append(got, strings.Join(strings.Fields(s.Source()), ""))
				}
			}
			require.Equal(t, want, got)
		})
	}
}

// han stands in for a model that writes Chinese: a character for each letter, and no spaces.
func han(_ context.Context, text string) (string, error) {
	var b strings.Builder
	at := 0
	write := func(text string) {
		b.WriteString(noSpaces.ReplaceAllString(strings.Map(func(r rune) rune {
			if r < unicode.MaxASCII && unicode.IsLetter(r) {
				return '一' + r
			}
			return r
		}, text), "$1"))
	}
	for _, found := range segment.InMessages.FindAllStringIndex(text, -1) {
		write(text[at:found[0]])
		b.WriteString(text[found[0]:found[1]])
		at = found[1]
	}
	write(text[at:])
	return b.String(), nil
}

var noSpaces = regexp.MustCompile(`(\p{Han}|[,.;:]) +`)

// A file in an encoding from before UTF-8 comes back in it, where it holds the
// translation; else it is UTF-8, which it then says, and so does a note.
func TestLegacyEncodings(t *testing.T) {
	for name, c := range map[string]struct{ name, raw, says, want, note string }{
		"HTML":              {"a.html", "<meta charset=iso-8859-1><p>caf\xe9</p>", "th\u00e9", "<meta charset=iso-8859-1><p>th\xe9</p>", ""},
		"HTML, other":       {"a.html", "<meta charset=iso-8859-1><p>caf\xe9</p>", "日", "<meta charset=utf-8><p>日</p>", "written in UTF-8"},
		"HTML, quotes":      {"a.html", "<meta charset=iso-8859-1><p>caf\xe9</p>", "“", "<meta charset=utf-8><p>“</p>", "written in UTF-8"},
		"HTML, ASCII":       {"a.html", "<meta charset=iso-8859-1><p>tea</p>", "th\u00e9", "<meta charset=iso-8859-1><p>th\xe9</p>", ""},
		"HTML, misdeclared": {"a.html", "<meta charset=iso-8859-1><p>é</p>", "è", "<meta charset=utf-8><p>è</p>", ""},
		"XML":               {"a.xml", "<?xml version='1.0' encoding='koi8-r'?><a><title>\xf0\xd2\xc9</title></a>", "日", "<?xml version='1.0' encoding='utf-8'?><a><title>日</title></a>", "written in UTF-8"},
		"catalogue":         {"a.po", "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=CP1251\\n\"\n\"Language: ru\\n\"\n\nmsgid \"a\"\nmsgstr \"\"\n\nmsgid \"b\"\nmsgstr \"\xcf\"\n", "Р", "msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=CP1251\\n\"\n\"Language: ru\\n\"\n\nmsgid \"a\"\nmsgstr \"\xd0\"\n\nmsgid \"b\"\nmsgstr \"\xcf\"\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := Parse(c.name, []byte(c.raw))
			require.NoError(t, err)
			same, err := d.Bytes(segment.Options{})
			require.NoError(t, err)
			require.Equal(t, c.raw, string(same))
			for _, s := range d.Segments() {
				s.Reset()
				s.Slots[0].Out = c.says
			}
			out, err := d.Bytes(segment.Options{To: "ru"})
			require.NoError(t, err)
			require.Equal(t, c.want, string(out))
			require.Equal(t, c.note != "", len(d.Notes) == 1, "%v", d.Notes)
		})
	}
}

// A long plain text in an encoding that it does not name.
func TestLegacyPlainText(t *testing.T) {
	raw := []byte(strings.Repeat("Les \xe9l\xe8ves pr\xe9f\xe8rent l'\xe9t\xe9 \xe0 l'automne, d\xe9j\xe0.\r\n", 5))
	d, err := Parse("a.txt", raw)
	require.NoError(t, err)
	require.Contains(t, d.Segments()[0].Source(), "Les élèves préfèrent")
	same, err := d.Bytes(segment.Options{})
	require.NoError(t, err)
	require.Equal(t, raw, same)
}

// A text in an attribute, or in front matter, has its translation behind it on the same line.
func TestBilingualAttributes(t *testing.T) {
	for name, c := range map[string][2]string{
		"a.html":  {`<p title="one two">no</p><img alt='x &amp; a'>`, `<p title="one two / óné twó">no<br>nó</p><img alt='x &amp; a / x &amp; á'>`},
		"a.xhtml": {`<html xmlns="http://www.w3.org/1999/xhtml"><p title="one">no</p></html>`, `<html xmlns="http://www.w3.org/1999/xhtml"><p title="one / óné">no<br/>nó</p></html>`},
		"a.md":    {"---\ntitle: \"a cat\"\n---\n\n![a cat](b.png)\n", "---\ntitle: \"a cat / á cát\"\n---\n\n![a cat / á cát](b.png)\n"},
	} {
		d, err := Parse(name, []byte(c[0]))
		require.NoError(t, err)
		require.NoError(t, d.Translate(t.Context(), pseudo))
		out, err := d.Bytes(segment.Options{Bilingual: true})
		require.NoError(t, err)
		require.Equal(t, c[1], string(out))
	}
}
