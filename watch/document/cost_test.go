package document

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// bigPO has so many lines.
func bigPO(lines int) []byte {
	var b strings.Builder
	b.WriteString("msgid \"\"\nmsgstr \"\"\n\"Content-Type: text/plain; charset=UTF-8\\n\"\n")
	for i := range lines / 4 {
		fmt.Fprintf(&b, "\n#: src/main.c:%d\nmsgid \"Cannot open file number %d of %%s\"\nmsgstr \"\"\n", i, i)
	}
	return []byte(b.String())
}

// bigWord is a document of about so many bytes, most of them a picture, as in real
// ones, with so many paragraphs.
func bigWord(t testing.TB, size, paragraphs int) []byte {
	t.Helper()
	var b strings.Builder
	b.WriteString("<w:document><w:body>")
	for i := range paragraphs {
		fmt.Fprintf(&b, `<w:p><w:r><w:t>Paragraph number %d has </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>bold words</w:t></w:r><w:r><w:t> in it, and goes on for a while.</w:t></w:r></w:p>`, i)
	}
	b.WriteString("</w:body></w:document>")
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, content := range map[string]io.Reader{
		"[Content_Types].xml": strings.NewReader(""), "word/document.xml": strings.NewReader(b.String()),
		"word/media/a.png": io.LimitReader(rand.NewChaCha8([32]byte{}), int64(size)),
	} {
		f, err := w.Create(name)
		require.NoError(t, err)
		_, err = io.Copy(f, content)
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

// A catalogue of 100,000 lines and a document of 10 MB stay under 300 MB.
func TestMemoryOfLargeDocuments(t *testing.T) {
	for name, data := range map[string][]byte{"a.po": bigPO(100_000), "a.docx": bigWord(t, 10<<20, 20_000)} {
		t.Run(name, func(t *testing.T) {
			runtime.GC()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			most := uint64(0)
			d, err := Parse(name, data)
			require.NoError(t, err)
			err = d.Translate(t.Context(), func(_ context.Context, text string) (string, error) {
				runtime.ReadMemStats(&after)
				most = max(most, after.HeapAlloc)
				return strings.ReplaceAll(text, "a", "á"), nil
			})
			require.NoError(t, err)
			_, err = d.Bytes(segment.Options{To: "de"})
			require.NoError(t, err)
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc) - before.HeapAlloc
			t.Logf("%s of %d bytes, %d segments: %d MB", name, len(data), len(d.Segments()), most>>20)
			require.Less(t, most, uint64(300<<20))
		})
	}
}

// A file that is eight times as long takes about eight times the work, of which what is
// allocated is a measure that does not depend on the machine.
func TestWorkGrowsWithTheFile(t *testing.T) {
	for name, piece := range map[string]string{
		"a.md":   "Words, `code`, <b>bold</b> and <https://a.example>, *and* [a link](b.html).\n\n",
		"a.html": "<p>Words, <code>code</code>, <b>bold</b> and <img alt='a cat'>.</p>\n",
		"a.po":   "msgid \"One file\"\nmsgid_plural \"%d files\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n\n",
		"a.srt":  "1\n00:00:01,000 --> 00:00:02,000\n<i>Some words\nand more</i>\n- yes\n\n",
		"a.yaml": "key:\n  text: Some words\n\n  list:\n    - more words\n",
		"a.csv":  "1,Some words,\"more, words\"\n",
	} {
		t.Run(name, func(t *testing.T) {
			allocated := func(pieces int) uint64 {
				data := []byte(strings.Repeat(piece, pieces))
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				d, err := Parse(name, data)
				require.NoError(t, err)
				require.NoError(t, d.Translate(t.Context(), pseudo))
				_, err = d.Bytes(segment.Options{To: "ar"})
				require.NoError(t, err)
				runtime.ReadMemStats(&after)
				return after.TotalAlloc - before.TotalAlloc
			}
			allocated(1) // what is made once
			require.Less(t, allocated(1600), 16*allocated(200))
		})
	}
}

// BenchmarkDocument tells what a sentence costs besides the model, which takes some
// tens of milliseconds for one.
func BenchmarkDocument(b *testing.B) {
	for name, data := range map[string][]byte{"a.po": bigPO(40_000), "a.docx": bigWord(b, 1<<20, 10_000), "a.md": []byte(strings.Repeat("A paragraph with **bold words** and a\n[link](a.html) in it.\n\n", 10_000))} {
		b.Run(name, func(b *testing.B) {
			n := 0
			for b.Loop() {
				d, err := Parse(name, data)
				require.NoError(b, err)
				require.NoError(b, d.Translate(b.Context(), pseudo))
				_, err = d.Bytes(segment.Options{To: "de"})
				require.NoError(b, err)
				n = len(d.Segments())
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N*n), "µs/segment")
		})
	}
}
