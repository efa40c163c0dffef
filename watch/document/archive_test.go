package document

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func zipOf(t testing.TB, files ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i < len(files); i += 2 {
		f, err := w.Create(files[i])
		require.NoError(t, err)
		_, err = f.Write([]byte(files[i+1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

// displaced is a document whose directory says a wrong place of a file that is only copied.
func displaced(t testing.TB, by uint32) []byte {
	raw := zipOf(t, "[Content_Types].xml", "", "word/document.xml", "<w:p><w:r><w:t>a b</w:t></w:r></w:p>", "word/other.xml", "x")
	last := raw[bytes.LastIndex(raw, []byte("PK\x01\x02")):]
	binary.LittleEndian.PutUint32(last[42:], binary.LittleEndian.Uint32(last[42:])+by)
	return raw
}

func TestHostileZipsAreRefused(t *testing.T) {
	types, word := "[Content_Types].xml", "word/document.xml"
	sample, err := os.ReadFile(filepath.Join("testdata", "docx", "doc.docx"))
	require.NoError(t, err)
	shared := zipOf(t, types, "", word, strings.Repeat("<w:p/>", 100), "word/header1.xml", strings.Repeat("x", 100))
	directory := bytes.LastIndex(shared, []byte("PK\x01\x02"))
	binary.LittleEndian.PutUint32(shared[directory+20:], uint32(len(shared))) // as if it had the bytes of all
	for name, c := range map[string]struct {
		data []byte
		says string
	}{
		"no zip":       {[]byte("hello"), "it is not the zip that such a file is"},
		"empty":        {nil, "it is empty"},
		"cut":          {sample[:len(sample)/2], "damaged zip"},
		"outside":      {zipOf(t, types, "", word, "<a/>", "../../etc/passwd", "x"), "leads outside"},
		"absolute":     {zipOf(t, types, "", word, "<a/>", "/etc/passwd", "x"), "leads outside"},
		"backslash":    {zipOf(t, types, "", word, "<a/>", `..\evil`, "x"), "leads outside"},
		"twice":        {zipOf(t, types, "", word, "<a/>", word, "<b/>"), "twice"},
		"bomb":         {zipOf(t, types, "", word, strings.Repeat(" ", maxPartSize+1)), "larger than 64 MiB unpacked"},
		"shared bytes": {shared, "share their bytes"},
		"displaced":    {displaced(t, 1), "a damaged zip (\"word/other.xml\" is not where"},
		"far away":     {displaced(t, 1<<31), "a damaged zip"},
		"other zip":    {zipOf(t, "a.txt", "x"), "no document that is known"},
		"entities":     {zipOf(t, types, "", word, `<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>`), "declares entities"},
		"deep":         {zipOf(t, types, "", word, strings.Repeat("<a>", 3000)), "word/document.xml, line 1: elements are nested deeper"},
		"broken XML":   {zipOf(t, types, "", word, "<a><b></a>"), "closes what is not open"},
		"not UTF-8":    {zipOf(t, types, "", word, "<a>\xff</a>"), "not UTF-8"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("dir/a.docx", c.data)
			require.ErrorContains(t, err, c.says)
			require.ErrorContains(t, err, "dir/a.docx")
		})
	}
}

func TestBooksAreLimitedToTheirZip(t *testing.T) {
	container := `<c><rootfile full-path="a/p.opf"/></c>`
	for name, c := range map[string]struct{ container, opf, says string }{
		"no package": {"<c/>", "<p/>", "names no package"},
		"missing":    {container, `<p><item href="b.xhtml" media-type="application/xhtml+xml"/></p>`, "it has no a/b.xhtml"},
		"outside":    {container, `<p><item href="../../../etc/passwd" media-type="application/xhtml+xml"/></p>`, "it has no"},
		"network":    {container, `<p><item href="https://a.example/b" media-type="application/xhtml+xml"/></p>`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse("a.epub", zipOf(t, "mimetype", "application/epub+zip", "META-INF/container.xml", c.container, "a/p.opf", c.opf))
			if c.says == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorContains(t, err, c.says)
		})
	}
	d, err := Open(filepath.Join("testdata", "epub", "book.epub"))
	require.NoError(t, err)
	require.NoError(t, d.Translate(t.Context(), pseudo))
	out, err := d.Bytes(segment.Options{To: "ar"})
	require.NoError(t, err)
	all := zipParts(t, out)
	require.Contains(t, all["my book/pack.opf"], "<dc:language>ar</dc:language>")
	require.Contains(t, all["my book/pack.opf"], "<dc:title>A small book</dc:title>")
	require.Contains(t, all["my book/toc.ncx"], "<text>Thé fírst cháptér</text>")
	require.Contains(t, all["my book/text/chapter 1.xhtml"], `dir="rtl"`)
	require.Equal(t, "mimetype", firstName(t, out), "it stays the first, and stored (EPUB 3.3, section 4.2.3)")
}

func firstName(t *testing.T, data []byte) string {
	t.Helper()
	r, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	require.NoError(t, err)
	require.Equal(t, zip.Store, r.File[0].Method)
	return r.File[0].Name
}

// Parts without texts are copied as they are packed.
func TestOtherPartsOfZipsStay(t *testing.T) {
	for _, path := range samples(t) {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		if !isZip(raw) {
			continue
		}
		t.Run(filepath.ToSlash(path), func(t *testing.T) {
			d, err := Parse(path, raw)
			require.NoError(t, err)
			require.NoError(t, d.Translate(t.Context(), pseudo))
			out, err := d.Bytes(segment.Options{})
			require.NoError(t, err)
			changed := map[string]bool{}
			for _, p := range d.parts {
				changed[p.Name] = len(p.Segments) > 0
			}
			before, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
			require.NoError(t, err)
			after, err := zip.NewReader(bytes.NewReader(out), int64(len(out)))
			require.NoError(t, err)
			require.Len(t, after.File, len(before.File))
			for i, f := range before.File {
				g := after.File[i]
				require.Equal(t, f.Name, g.Name, "their order")
				require.Equal(t, f.Method, g.Method, f.Name)
				if !changed[f.Name] {
					require.Equal(t, f.CRC32, g.CRC32, f.Name)
					require.Equal(t, f.CompressedSize64, g.CompressedSize64, f.Name)
				}
			}
		})
	}
}

func TestFormatIsFoundByContent(t *testing.T) {
	sample, err := os.ReadFile(filepath.Join("testdata", "docx", "doc.docx"))
	require.NoError(t, err)
	for name, c := range map[string]struct {
		data   string
		format string
	}{
		"a.docx":     {string(sample), "Word document"},
		"a.bin":      {string(sample), "Word document"},
		"a.xlsx":     {string(sample), "Word document"},
		"a":          {"<!DOCTYPE html><p>a", "HTML"},
		"a.log":      {"1\n00:00:01,000 --> 00:00:02,000\na\n", "SubRip subtitles"},
		"b":          {"WEBVTT\n", "WebVTT subtitles"},
		"a.txt":      {"<html>", "plain text"},
		"README":     {"# hello", "plain text"},
		"README.MD":  {"# hello", "Markdown"},
		"a.docx.txt": {"x", "plain text"},
		"web.docx":   {string(zipOf(t, "[Content_Types].xml", "", "word/document22.xml", "<w:p><w:r><w:t>a b</w:t></w:r></w:p>")), "Word document"},
	} {
		d, err := Parse(name, []byte(c.data))
		require.NoError(t, err, name)
		require.Equal(t, c.format, d.Format, name)
	}
	for data, says := range map[string]string{"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1": "old or encrypted Office"} {
		for _, name := range []string{"a.txt", "a.docx", "a.pptx", "a"} { // with a password it is no zip
			_, err := Parse(name, []byte(data))
			require.ErrorContains(t, err, says)
		}
	}
}

// Some programs have folders in their zips, packed as if they had something in them.
func TestZipsWithFolders(t *testing.T) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range []string{"mimetype", "Configurations2/images/", "content.xml"} {
		if name[len(name)-1] == '/' {
			into, err := w.CreateRaw(&zip.FileHeader{Name: name[:len(name)-1] + "|", Method: zip.Deflate, CompressedSize64: 2})
			require.NoError(t, err)
			_, err = into.Write([]byte("\x03\x00"))
			require.NoError(t, err)
			continue
		}
		into, err := w.Create(name)
		require.NoError(t, err)
		_, err = into.Write([]byte(map[string]string{
			"mimetype":    "application/vnd.oasis.opendocument.text",
			"content.xml": `<office:document-content><text:p>Some words</text:p></office:document-content>`,
		}[name]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	raw := bytes.ReplaceAll(b.Bytes(), []byte("images|"), []byte("images/")) // which the writer would not pack
	d, err := Parse("a.odt", raw)
	require.NoError(t, err)
	require.NoError(t, d.Translate(t.Context(), pseudo))
	out, err := d.Bytes(segment.Options{})
	require.NoError(t, err)
	parts := zipParts(t, out)
	require.Contains(t, parts, "Configurations2/images/")
	require.Contains(t, parts["content.xml"], "Sómé wórds")
}
