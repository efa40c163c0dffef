package document

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert/yaml"
	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// fuzz gives a reader hostile files: it must refuse them or give the same bytes back,
// and what it writes must be read again.
func fuzz(f *testing.F, extension string, more ...string) {
	files, err := filepath.Glob(filepath.Join("testdata", extension, "*"))
	require.NoError(f, err)
	for _, path := range files {
		raw, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(raw)
	}
	for _, seed := range more {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := Parse("a."+extension, raw)
		if err != nil {
			return
		}
		require.NoError(t, d.Translate(t.Context(), identity))
		same, err := d.Bytes(segment.Options{})
		require.NoError(t, err)
		require.True(t, bytes.Equal(raw, same), "identity")
		require.NoError(t, d.Translate(t.Context(), pseudo))
		there, err := d.Bytes(segment.Options{To: "ar"})
		require.NoError(t, err)
		if d.Text && !utf8.Valid(raw) {
			return // the encoding of a text of so few words may be certain, and that of another not
		}
		_, err = Parse("a."+extension, there)
		require.NoError(t, err)
	})
}

func FuzzMarkdown(f *testing.F) {
	fuzz(f, "md", "a\n: b\n", "> > - 1. *a **b***\n", "[^1]\n\n[^1]: x", "|a|\n|-|\n|b\\||", "<div>\n<p>x", "---\ntitle: \"x\n---\n", "x <a\nb> y <b>c</b>  \nd", "[![a](b \"c\")](b \"c\") [d](<e> (f\\)))\n\n> [g]: h\n>  'i &amp; j'\n\n|[k](l 'm\\|')|\n|-|", "> [g]: h\n>  'i{k](l 'j'", "a\n[](b 'c')d\n", "[g]: h\n'i j'\f\nk\n")
}

func FuzzHTML(f *testing.F) {
	fuzz(f, "html", "<p>a<b>c</p>d</b>e", "<title>x", "<script>a</scrip", "<p a=b c='d\" title=e>x", "<a title>x", "<html lang>x<p>", "<HTML LANG=en dir=ltr>a")
}

func FuzzXHTML(f *testing.F) {
	fuzz(f, "xhtml", "<html><p>a<br/>b &amp; c</p></html>", "<p>a<title/>b</p>", "<!DOCTYPE html [<!ENTITY a \"b\">]><p>&a;</p>")
}

func FuzzSRT(f *testing.F) {
	fuzz(f, "srt", "1\n00:00:01,000 --> 00:00:02,000\n<i>a\nb</i>\n- c", "0:0:0-->0:0:0\r\ra")
}

func FuzzPO(f *testing.F) {
	fuzz(f, "po", "msgid \"a\"\nmsgid_plural \"b\"\nmsgstr[0] \"\"\nmsgstr[1] \"\"\n", "msgid \"\"\nmsgstr \"Plural-Forms: nplurals=6;\\n\"\nmsgctxt \"c\"\nmsgid \"a\"\nmsgstr \"\"")
}

func FuzzXLIFF(f *testing.F) {
	fuzz(f, "xlf", `<xliff><file><trans-unit><source>a<g>b</g></source><target/></trans-unit></file></xliff>`, `<xliff><segment><source><![CDATA[a]]></source></segment></xliff>`)
}

func FuzzQt(f *testing.F) {
	fuzz(f, "ts", `<TS><message><source>a</source><translation/></message></TS>`)
}

func FuzzVTT(f *testing.F) {
	fuzz(f, "vtt", "WEBVTT\n\n00:01.000 --> 00:02.000\n<v A>a\n<b>b</b>", "WEBVTT\n00:01.000 --> 00:02.000\n&lt;")
}

func FuzzASS(f *testing.F) {
	fuzz(f, "ass", "[Events]\nDialogue: 0,0,0,D,,0,0,0,,{\\p1}m 0{\\p0}a\\Nb{c", "[events]\nFormat:Text\nDialogue:\\h\\N")
}

func FuzzRST(f *testing.F) {
	fuzz(f, "rst", "a\n=\n\n`a`_ *b* **c**\nd_ `e <f>`__ ::\n\n x", "=\na\n=\n\n- b::\n\n   c\n\n:d: e\n  f\n", ".. note:: a\n   :b: c\n\n   d\n\n.. [#x] *a\n b*\\ c |d|\n", "+---+---+\n|a b| c |\n+===+   |\n| d |   |\n+---+---+\n", "== ===\na  b c\n== ===\nd\n   e\n\nf  - g h\n== ===\n", "- +-----+\n  |+---+|\n  || 中||\n  |+---+|\n  +-----+\n")
}

func FuzzTMX(f *testing.F) {
	fuzz(f, "tmx", `<tmx><tu><tuv xml:lang="en"><seg>a<bpt>b</bpt><hi>c</hi></seg></tuv><tuv xml:lang="ar"><seg/></tuv></tu></tmx>`)
}

// What reads the parts of zips is given them without the zip.
func fuzzPart(f *testing.F, extension, part string, others ...string) {
	files, err := filepath.Glob(filepath.Join("testdata", extension, "*"))
	require.NoError(f, err)
	for _, path := range files {
		raw, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(zipParts(f, raw)[part])
	}
	f.Fuzz(func(t *testing.T, body string) {
		raw := zipOf(t, append([]string{part, body}, others...)...)
		d, err := Parse("a."+extension, raw)
		if err != nil {
			return
		}
		require.NoError(t, d.Translate(t.Context(), identity))
		same, err := d.Bytes(segment.Options{})
		require.NoError(t, err)
		require.True(t, bytes.Equal(raw, same), "identity")
		require.NoError(t, d.Translate(t.Context(), pseudo))
		for _, to := range []string{"ar", "de"} {
			there, err := d.Bytes(segment.Options{To: to})
			require.NoError(t, err)
			_, err = Parse("a."+extension, there)
			require.NoError(t, err)
		}
	})
}

func FuzzWord(f *testing.F) {
	fuzzPart(f, "docx", "word/document.xml", "[Content_Types].xml", "")
}

func FuzzPresentation(f *testing.F) {
	fuzzPart(f, "pptx", "ppt/slides/slide1.xml", "[Content_Types].xml", "", "ppt/presentation.xml", "")
}

func FuzzWorkbook(f *testing.F) {
	fuzzPart(f, "xlsx", "xl/sharedStrings.xml", "[Content_Types].xml", "", "xl/workbook.xml", "")
}

// FuzzZip gives whole files whose zip itself may be broken.
func FuzzZip(f *testing.F) { fuzz(f, "docx", string(displaced(f, 1)), string(displaced(f, 1<<31))) }

func FuzzOpenDocument(f *testing.F) {
	fuzzPart(f, "odt", "content.xml", "mimetype", "application/vnd.oasis.opendocument.text")
}

func FuzzEPUB(f *testing.F) {
	fuzzPart(f, "epub", "my book/text/chapter 1.xhtml", "mimetype", "application/epub+zip",
		"META-INF/container.xml", `<c><rootfile full-path="p.opf"/></c>`,
		"p.opf", `<p><item href="my%20book/text/chapter%201.xhtml" media-type="application/xhtml+xml"/></p>`)
}

func FuzzJSON(f *testing.F) { fuzz(f, "json") }

func FuzzARB(f *testing.F) { fuzz(f, "arb") }

func FuzzYAML(f *testing.F) {
	fuzz(f, "yaml", "a: \"b \\\n  c\n\n  d\" # e\nf: 'g''\n  h'\ni:\n- j k\n  l\n- &m n\n", "- {a b: c, \"d\":[e f, 'g\n h', i: j], k: *l} # m\n- [a,\n  b c # d\n  ]\n", "--- a\n b: c\n...\n---\nen:\n  ? d\n  : e\n")
}

// FuzzYAMLStructure has another reader of YAML say that translations are where their sources
// were, and nothing else is changed.
func FuzzYAMLStructure(f *testing.F) {
	for _, seed := range []string{
		"a: one two\n  three\n\n  four\nb: 'one''s\n  two'\nc: \"one \\\n  t\\xe9wo\"\n", "- {a b: c d, \"d\":[E f, 'g\n h', i: j k]}\n- [Aa,\n  b c # d\n  ]\n",
		"a: >-\n  one two\n  three\n\n  four\nb: |+\n  one two\n\n", "a:\n- b c\n-\n  - d: e f\n    g: h i\n", "a: &b one two\nc: *b\nd: !!str 12\ne: ! two\n", "3:\n- b c\n-:\n\r  d\n r  f\t  33g  h i33g:3a33\n", "&l:}{a: b\n\nc d", "[a b,?c d]\n", ">-\n |a b\n!c d\n", "a: \"b c\nd: e \\\n f\"\n", "- {d: [E f,\n h,?i:a]}\n- [A b]\n", "a: |2\n    b c\n  d e\n--- |\ne f\n...\n",
		":g -\n  one tw \n  t|+\n--\n \n  +|+\n--\n  \n\t#", "?\n  A", "2\n    b c\n\ne f\n...  d e\n--< |\n\n-", "{d: [E f,\ndh,?i:a]}", ">-\n!ka  b", ":>-\n  oo\n  three\n\n  four\n ; |+\nb une two\n\t", " - {d: [E f,\n h,?i:a]}", "a:g -\n  one tw \n  t|+\n--\n  +\n |+\n--\n  \n\t#( -  +\n A", "&l:{\n \n:ab}", ">\n+ A\n - ", ">\n +\n  0  A", "{}:(E f,\n'g  f,\n: E'", "'a':b c\n'd e\n: f'",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, body string) {
		var before, after any
		if yaml.Unmarshal([]byte(body), &before) != nil {
			return
		}
		d, err := Parse("a.yaml", []byte(body))
		if err != nil || !utf8.ValidString(body) {
			return
		}
		require.NoError(t, d.Translate(t.Context(), pseudo))
		there, err := d.Bytes(segment.Options{})
		require.NoError(t, err)
		require.NoError(t, yaml.Unmarshal(there, &after), "%q became %q", body, there)
		require.Equal(t, accented(before), accented(after), "%q became %q", body, there)
	})
}

// accented are values as pseudo makes them, whatever was translated of them and where their lines end.
func accented(value any) any {
	switch v := value.(type) {
	case map[string]any:
		all := map[string]any{}
		for key, value := range v {
			all[key] = accented(value)
		}
		return all
	case map[any]any:
		all := map[any]any{}
		for key, value := range v {
			all[key] = accented(value)
		}
		return all
	case []any:
		all := []any{}
		for _, value := range v {
			all = append(all, accented(value))
		}
		return all
	case string:
		return words(accents.Replace(v))
	}
	return value
}

func FuzzProperties(f *testing.F) { fuzz(f, "properties") }

func FuzzStrings(f *testing.F) { fuzz(f, "strings") }

func FuzzResX(f *testing.F) { fuzz(f, "resx") }

func FuzzCSV(f *testing.F) { fuzz(f, "csv") }

func FuzzTSV(f *testing.F) { fuzz(f, "tsv") }

func FuzzXCStrings(f *testing.F) {
	fuzz(f, "xcstrings", `{"sourceLanguage":"en","strings":{"a b":{},"c":{"localizations":{"en":{"variations":{"device":{"mac":{"stringUnit":{"value":"d"}}},"plural":{"other":{"stringUnit":{"value":"e"}}}}},"ar":{}}}}}`)
}

func FuzzMail(f *testing.F) {
	fuzz(f, "eml", "From: a\nSubject: =?utf-8?q?b?=\n\nc\n> d\n-- \ne", "Subject: a\r\nContent-Type: multipart/x; boundary=b\r\n\r\n--b\r\n\r\nc\r\n--b\r\nContent-Type: text/html\r\nContent-Transfer-Encoding: base64\r\n\r\nPHA+YQ==\r\n--b--", "A: b\nContent-Type: message/rfc822\n\nSubject: c\n\nd")
}

func FuzzXML(f *testing.F) {
	fuzz(f, "xml", `<a xml:lang="en">b c<d>e</d><f g="h">i</f></a>`, `<resources><string name="a">b \'c\n%s</string><string>" d\u0020"</string><string><![CDATA[<a b=\"c d\">e\n]]></string><string>"f" <b>\ud83d\ude00</b></string></resources>`, `<a><![CDATA[<p>b c</p>]]><its:rules><its:translateRule selector="//a/@b" translate="yes"/></its:rules></a>`)
}

func FuzzRTF(f *testing.F) {
	fuzz(f, "rtf", `{\rtf1\ansicpg1251\uc2{\fonttbl{\f1\fcharset128 x;}}{\info{\title a b}}\b\'c0\b0 c\u8212\'97?d\par{\footnote e}{\field{\*\fldinst{DATE}}{\fldrslt f}}\f1\'83\'41\cell}`, `{\rtf1\bin3 }}}\u-10179?\u-8704?\uc0\u233 a{\*\x b}{\deleted c}\pard\ltrpar\ql\~\-\line\tab`, `?\{\rtf1 a}`)
}

func FuzzPDF(f *testing.F) {
	raw, err := os.ReadFile(filepath.Join("testdata", "pdf", "doc.pdf"))
	require.NoError(f, err)
	f.Add(raw)
	f.Add([]byte("%PDF-1.4\n1 0 obj<</Pages 2 0 R>>endobj 2 0 obj<</Kids[3 0 R]>>endobj 3 0 obj<</Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj 4 0 obj<</Length 40>>stream\nBT /F 9 Tf (a \\(b\\051) Tj [(c) -500 <64>] TJ T* ET\nendstream endobj 5 0 obj<</Subtype/Type1>>endobj trailer<</Root 1 0 R>>"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		d, err := Parse("a.pdf", raw)
		if err != nil {
			return
		}
		require.NoError(t, d.Translate(t.Context(), pseudo))
		there, err := d.Bytes(segment.Options{To: "ar"})
		require.NoError(t, err)
		require.True(t, utf8.Valid(there))
	})
}

// FuzzRules gives JSON and tables hostile rules of a user.
func FuzzRules(f *testing.F) {
	f.Add("a.*.b", "1-3", `{"a":[{"b":"c d"}]}`)
	f.Add("!**.x[0]", "!Key", "Key,Text\na b,c d\n")
	f.Add(`**.**\.`, "99999-100000", "[[[\"a b\"]]]")
	f.Fuzz(func(t *testing.T, path, column, body string) {
		r := Reading{JSONPaths: []string{path}, Columns: []string{column}}
		for _, name := range []string{"a.json", "a.csv", "a.tsv"} {
			d, err := r.Parse(name, []byte(body))
			if err != nil {
				continue
			}
			require.NoError(t, d.Translate(t.Context(), pseudo))
			there, err := d.Bytes(segment.Options{To: "ar"})
			require.NoError(t, err)
			_, err = r.Parse(name, there)
			require.NoError(t, err)
		}
	})
}
