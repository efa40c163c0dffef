//go:build long

package document

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/mail"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert/yaml"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"dragoman/watch/document/segment"
)

// opener is how a translated file is opened by a program that is not ours, and how its
// structure is told by one.
type opener struct {
	program string
	opens   func(t *testing.T, path string)
	all     func(t *testing.T, paths []string) // instead of opens: of all files at once
	by      string                             // what shape is told by
	shape   func(t *testing.T, path string) string
}

// TestTableOfFormats is the proof for each format: a real file in, a translated file out,
// opened by a real program, its structure compared and its placeholders equal. What it
// logs is the table of docs/formats.md.
func TestTableOfFormats(t *testing.T) {
	for _, format := range listed(t) {
		t.Run(format, func(t *testing.T) {
			how, ok := openers()[format]
			require.True(t, ok, "no opener")
			program(t, how.program)
			files, segments, placeholders := 0, 0, 0
			var written []string
			dir := t.TempDir()
			for i, real := range realDocuments(t, format) {
				source := filepath.Join(dir, fmt.Sprintf("source%d.%s", i, format))
				require.NoError(t, os.WriteFile(source, real.raw, 0o600))
				d, err := Parse(source, real.raw)
				require.NoError(t, err)
				require.NoError(t, d.Translate(t.Context(), pseudo))
				for _, s := range d.Segments() {
					if s.Keep == "" && s.Protect != nil {
						of := func(text string) []string {
							return (&segment.Segment{Protect: s.Protect, Slots: []segment.Slot{{Text: text}}}).Protected()
						}
						want, got := of(s.Source()), of(s.Target())
						slices.Sort(want)
						slices.Sort(got)
						require.Equal(t, want, got, "%s of %s", s.ID, real.path)
						placeholders += len(want)
					}
				}
				for to, o := range map[string]segment.Options{"": {}, "ar": {To: "ar"}, "both": {To: "de", Bilingual: true}} {
					data, err := d.Bytes(o)
					if o.Bilingual && err != nil {
						require.ErrorContains(t, err, "no place for two languages")
						continue
					}
					require.NoError(t, err)
					out := filepath.Join(dir, cmp.Or(to, "same")+fmt.Sprint(i)+Extension(source))
					require.NoError(t, os.WriteFile(out, data, 0o600))
					if written = append(written, out); how.all == nil {
						how.opens(t, out)
					}
					if to == "" && how.shape != nil {
						require.Equal(t, how.shape(t, source), how.shape(t, out), real.path)
					}
				}
				files, segments = files+1, segments+len(d.Segments())
			}
			if how.all != nil {
				how.all(t, written)
			}
			t.Logf("| %s | %d | %d | %d | %s | %s |", format, files, segments, placeholders, how.program, cmp.Or(how.by, "-"))
		})
	}
}

func openers() map[string]opener {
	office := opener{program: "soffice", all: printed, by: "elements of all parts", shape: partsShape}
	pandoc := func(reader string) opener {
		shape := func(t *testing.T, path string) string { return nativeShape(t, reader, path) }
		return opener{program: "pandoc", opens: func(t *testing.T, path string) { shape(t, path) }, by: "pandoc's tree", shape: shape}
	}
	program := func(name string, args ...string) func(*testing.T, string) {
		return func(t *testing.T, path string) { run(t, name, append(args[:len(args):len(args)], path)...) }
	}
	xmllint := func(without ...string) opener {
		return opener{program: "xmllint", opens: program("xmllint", "--noout"), by: "elements, attributes", shape: func(t *testing.T, path string) string {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			return xmlShape(t, raw, without...)
		}}
	}
	media := opener{program: "ffprobe", opens: program("ffprobe", "-v", "error"), by: "cues with their times", shape: func(t *testing.T, path string) string {
		return run(t, "ffprobe", "-v", "error", "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0", path)
	}}
	gettext := opener{program: "msgfmt", opens: program("msgfmt", "--check-format", "-o", os.DevNull), by: "ids, contexts, references", shape: func(t *testing.T, path string) string {
		return linesWith(run(t, "msgcat", "--no-wrap", path), "msgid", "msgctxt", "#:")
	}}
	python := func(load string) func(*testing.T, string) {
		return program("python3", "-c", "import sys, json, csv\nraw = open(sys.argv[1], encoding='utf-8-sig', newline='').read()\n"+load)
	}
	objects := opener{program: "python3", opens: python("json.loads(raw)"), by: "keys, kinds of values", shape: jsonShape}
	tables := func(comma rune) opener {
		return opener{program: "python3", opens: python("list(csv.reader(raw.splitlines(True)))"), by: "rows and columns", shape: func(t *testing.T, path string) string {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(raw, bomUTF8)))
			r.Comma, r.FieldsPerRecord, r.LazyQuotes = comma, -1, comma == '\t'
			rows, err := r.ReadAll()
			require.NoError(t, err)
			var b strings.Builder
			for _, row := range rows {
				fmt.Fprintln(&b, len(row))
			}
			return b.String()
		}}
	}
	keys := opener{program: "python3", opens: python("raw"), by: "keys, comments", shape: func(t *testing.T, path string) string {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		text, err := decode(raw)
		require.NoError(t, err)
		var b strings.Builder
		for line := range strings.Lines(text.Body) {
			key, _, _ := strings.Cut(line, "=")
			fmt.Fprintln(&b, strings.TrimSpace(key))
		}
		return b.String()
	}}
	return map[string]opener{
		"docx": office, "rtf": {program: "soffice", all: printed, by: "control words", shape: controlWords}, "pptx": office, "xlsx": office, "odt": office, "ods": office, "odp": office,
		"epub": pandoc("epub"), "md": pandoc("commonmark_x"), "rst": pandoc("rst"),
		"html":  {program: "xmllint", opens: program("xmllint", "--html", "--noout", "--nowarning", "--recover"), by: "elements, attributes", shape: htmlShape},
		"xhtml": xmllint(), "xml": xmllint(), "resx": xmllint(), "tmx": xmllint("tuv"), "xlf": xmllint("target"),
		"ts":  {program: "lrelease", opens: func(t *testing.T, path string) { run(t, "lrelease", "-silent", path, "-qm", path+".qm") }, by: "messages", shape: xmllint("translation").shape},
		"srt": media, "vtt": media, "ass": media, "po": gettext, "pot": gettext,
		"json": objects, "arb": objects, "xcstrings": {program: "python3", opens: objects.opens},
		"csv": tables(','), "tsv": tables('\t'), "properties": keys, "strings": keys,
		"yaml": {program: "python3", opens: program("python3", "-c", "import sys\ntry: import yaml\nexcept ImportError: sys.exit()\nyaml.safe_load(open(sys.argv[1], encoding='utf-8'))"), by: "keys, kinds of values", shape: func(t *testing.T, path string) string {
			raw, err := os.ReadFile(path)
			require.NoError(t, err)
			var value any
			require.NoError(t, yaml.Unmarshal(raw, &value))
			return fmt.Sprint(accented(value))
		}},
		"eml": {program: "python3", opens: program("python3", "-c", "import sys, email\nm = email.message_from_binary_file(open(sys.argv[1], 'rb'))\nfor p in m.walk(): p.get_payload(decode=True)"), by: "parts with their kinds", shape: mailShape},
		"pdf": {program: "python3", opens: program("python3", "-c", "import sys; open(sys.argv[1], encoding='utf-8').read()")},
	}
}

// printed has LibreOffice make PDFs of documents.
func printed(t *testing.T, paths []string) {
	profile := "-env:UserInstallation=file://" + filepath.ToSlash(filepath.Join(fetchedInto, "profile"))
	out := run(t, "soffice", append([]string{"--headless", profile, "--convert-to", "pdf", "--outdir", filepath.Dir(paths[0])}, paths...)...)
	require.NotContains(t, out, "Error", out)
	for _, path := range paths {
		require.FileExists(t, strings.TrimSuffix(path, filepath.Ext(path))+".pdf", out)
	}
}

// quoted is a text in pandoc's native format.
var quoted = regexp.MustCompile(`"(\\.|[^"\\])*"`)

func nativeShape(t *testing.T, reader, path string) string {
	out := run(t, "pandoc", "-f", reader, "-t", "native", path)
	var b strings.Builder
	for word := range strings.FieldsSeq(quoted.ReplaceAllString(out, "")) {
		if name := strings.Trim(word, "[](),"); name != "" && name[0] >= 'A' && name[0] <= 'Z' && !slices.Contains([]string{"Str", "Space", "SoftBreak", "Text.Pandoc.Definition"}, name) {
			b.WriteString(name + " ")
		}
	}
	return b.String()
}

// partsShape are the parts of a zip: their elements, or their bytes where they are no XML.
func partsShape(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	parts := zipParts(t, raw)
	var b strings.Builder
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range parts {
			if !yield(name) {
				return
			}
		}
	}) {
		if strings.HasSuffix(name, ".xml") && parts[name] != "" {
			fmt.Fprintln(&b, name, xmlShape(t, []byte(parts[name])))
		} else {
			fmt.Fprintf(&b, "%s %d %q\n", name, len(parts[name]), parts[name][:min(40, len(parts[name]))])
		}
	}
	return b.String()
}

// xmlShape are the elements of a file with the names of their attributes, but for what is
// in elements of some names.
func xmlShape(t *testing.T, raw []byte, without ...string) string {
	decoder := xml.NewDecoder(bytes.NewReader(raw))
	decoder.Strict = false
	decoder.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var b strings.Builder
	skip := 0
	for {
		token, err := decoder.RawToken()
		if err == io.EOF {
			return b.String()
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			if skip > 0 || slices.Contains(without, e.Name.Local) {
				skip++
				continue
			}
			fmt.Fprint(&b, "<", e.Name.Space, ":", e.Name.Local)
			for _, a := range e.Attr {
				if a.Name.Local != "space" { // which texts need
					fmt.Fprint(&b, " ", a.Name.Local)
				}
			}
		case xml.EndElement:
			if skip > 0 {
				skip--
				continue
			}
			fmt.Fprint(&b, ">")
		}
	}
}

func htmlShape(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	root, err := html.Parse(bytes.NewReader(raw))
	require.NoError(t, err)
	var b strings.Builder
	for n := range root.Descendants() {
		if n.Type == html.ElementNode {
			fmt.Fprint(&b, n.Data)
			for _, a := range n.Attr {
				fmt.Fprint(&b, " ", a.Key)
			}
			fmt.Fprintln(&b)
		}
	}
	return b.String()
}

func jsonShape(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var value any
	require.NoError(t, json.Unmarshal(bytes.TrimPrefix(raw, bomUTF8), &value))
	var shape func(any) string
	shape = func(v any) string {
		switch v := v.(type) {
		case map[string]any:
			var keys []string
			for key, value := range v {
				keys = append(keys, key+":"+shape(value))
			}
			slices.Sort(keys)
			return fmt.Sprint(keys)
		case []any:
			var all []string
			for _, value := range v {
				all = append(all, shape(value))
			}
			return fmt.Sprint(all)
		case string:
			return "text"
		default:
			return fmt.Sprint(v)
		}
	}
	return shape(value)
}

func mailShape(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	m, err := mail.ReadMessage(bytes.NewReader(raw))
	require.NoError(t, err)
	var b strings.Builder
	var walk func(kind string, body io.Reader)
	walk = func(kind string, body io.Reader) {
		media, params, _ := mime.ParseMediaType(kind)
		fmt.Fprintln(&b, cmp.Or(media, "text/plain")) // RFC 2045, section 5.2
		if params["boundary"] == "" {
			return
		}
		parts := multipart.NewReader(body, params["boundary"])
		for {
			p, err := parts.NextRawPart()
			if err != nil {
				return
			}
			walk(p.Header.Get("Content-Type"), p)
		}
	}
	walk(m.Header.Get("Content-Type"), m.Body)
	return b.String()
}

// linesWith are the lines that begin with one of some words.
func linesWith(text string, begins ...string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if slices.ContainsFunc(begins, func(with string) bool { return strings.HasPrefix(line, with) }) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// controlWords are those of an RTF file and its braces, but for what stands for characters.
func controlWords(t *testing.T, path string) string {
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var b strings.Builder
	for _, found := range regexp.MustCompile(`[{}]|\\[a-zA-Z]+(-?\d+)?`).FindAllString(string(raw), -1) {
		if !regexp.MustCompile(`^\\(u-?\d+|(em|en)dash|[lr]quote|[lr]dblquote|bullet|(em|en|qm)space|zwn?j|(ltr|rtl)mark)$`).MatchString(found) {
			fmt.Fprintln(&b, found)
		}
	}
	return b.String()
}
