package document

import (
	"archive/zip"
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

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
