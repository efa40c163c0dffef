package document

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/watch/document/catalog"
	"dragoman/watch/document/epub"
	"dragoman/watch/document/mail"
	"dragoman/watch/document/markdown"
	"dragoman/watch/document/markup"
	"dragoman/watch/document/office"
	"dragoman/watch/document/opendocument"
	"dragoman/watch/document/pdf"
	"dragoman/watch/document/resource"
	"dragoman/watch/document/restructured"
	"dragoman/watch/document/rtf"
	"dragoman/watch/document/segment"
	"dragoman/watch/document/subtitle"
)

// format is a kind of file.
type format struct {
	name       string   // as a sentence says it: "cannot be read as a Word document"
	extensions []string // lower case, with their dots
	// text reads a text file, given as UTF-8 without byte order mark.
	text func(body string) (*segment.Part, error)
	// by is text for a format of which a user can say what is translated.
	by func(body string, r rules) (*segment.Part, error)
	// parts reads the files of a zip that hold text.
	parts func(z *archive) ([]*segment.Part, error)
	// whole reads the bytes of a file, and says how it is written.
	whole func(data []byte) ([]*segment.Part, func(segment.Options) ([]byte, error), error)
	// looks says whether content is of this format whatever the name of its file;
	// nil where content alone does not tell.
	looks func(body string) bool
	// magic is how the bytes of such a file begin, "" where that does not tell.
	magic string
	// textOnly says that what is written is the text alone, in a file of another kind.
	textOnly bool
	// declares says that such files say their encoding.
	declares bool
	// broad has the content say whether a file is of another format with a like name.
	broad bool
	// marks is a file that only zips of this format have.
	marks func(z *archive) bool
}

var plain = &format{
	name: "plain text", extensions: []string{".txt", ".text"},
	text: func(body string) (*segment.Part, error) { return plainText(body), nil },
}

// formats are all but plain, in the order in which content is looked at.
var formats = []*format{
	{
		name: "Word document", extensions: []string{".docx", ".docm", ".dotx"},
		parts: func(a *archive) ([]*segment.Part, error) { return office.Word(a) },
		marks: func(a *archive) bool {
			return a.has("[Content_Types].xml") && slices.ContainsFunc(a.Names(), office.IsText)
		},
	},
	{
		name: "PowerPoint presentation", extensions: []string{".pptx", ".pptm", ".potx"},
		parts: func(a *archive) ([]*segment.Part, error) { return office.Presentation(a) },
		marks: func(a *archive) bool { return a.has("[Content_Types].xml") && a.has("ppt/presentation.xml") },
	},
	{
		name: "Excel workbook", extensions: []string{".xlsx", ".xlsm", ".xltx"},
		parts: func(a *archive) ([]*segment.Part, error) { return office.Workbook(a) },
		marks: func(a *archive) bool { return a.has("[Content_Types].xml") && a.has("xl/workbook.xml") },
	},
	{
		name: "OpenDocument text", extensions: []string{".odt", ".ott"},
		parts: func(a *archive) ([]*segment.Part, error) { return opendocument.Read(a) },
		marks: func(a *archive) bool { return a.mimetype("application/vnd.oasis.opendocument.text") },
	},
	{
		name: "OpenDocument spreadsheet", extensions: []string{".ods", ".ots"},
		parts: func(a *archive) ([]*segment.Part, error) { return opendocument.Read(a) },
		marks: func(a *archive) bool { return a.mimetype("application/vnd.oasis.opendocument.spreadsheet") },
	},
	{
		name: "OpenDocument presentation", extensions: []string{".odp", ".otp"},
		parts: func(a *archive) ([]*segment.Part, error) { return opendocument.Read(a) },
		marks: func(a *archive) bool { return a.mimetype("application/vnd.oasis.opendocument.presentation") },
	},
	{
		name: "EPUB book", extensions: []string{".epub"},
		parts: func(a *archive) ([]*segment.Part, error) { return epub.Read(a) },
		marks: func(a *archive) bool { return a.mimetype("application/epub+zip") || a.has("META-INF/container.xml") },
	},
	{
		name: "XHTML", declares: true, extensions: []string{".xhtml", ".xht"}, text: markup.ReadXHTML,
		looks: func(body string) bool {
			return begins(body, "<?xml") && strings.Contains(body, "http://www.w3.org/1999/xhtml")
		},
	},
	{
		name: "HTML", declares: true, extensions: []string{".html", ".htm"}, text: markup.ReadHTML,
		looks: func(body string) bool { return begins(body, "<!doctype html") || begins(body, "<html") },
	},
	{name: "WebVTT subtitles", extensions: []string{".vtt"}, text: subtitle.ReadVTT, looks: subtitle.IsVTT},
	{name: "SubRip subtitles", extensions: []string{".srt"}, text: subtitle.ReadSRT, looks: subtitle.IsSRT},
	{name: "SubStation Alpha subtitles", extensions: []string{".ass", ".ssa"}, text: subtitle.ReadASS, looks: subtitle.IsASS},
	{name: "XLIFF", declares: true, extensions: []string{".xlf", ".xliff"}, text: catalog.ReadXLIFF, looks: catalog.IsXLIFF},
	{name: "Qt translations", declares: true, extensions: []string{".ts"}, text: catalog.ReadQt, looks: catalog.IsQt},
	{name: "TMX", declares: true, extensions: []string{".tmx"}, text: catalog.ReadTMX, looks: catalog.IsTMX},
	{name: "gettext catalogue", declares: true, extensions: []string{".po", ".pot"}, text: catalog.ReadPO, looks: catalog.IsPO},
	{
		name: "XML", declares: true, extensions: []string{".xml", ".dita", ".ditamap", ".docbook", ".dbk", ".rss", ".atom"}, text: markup.ReadXML, broad: true,
		looks: func(body string) bool { return begins(body, "<?xml") },
	},
	{
		name: "JSON", extensions: []string{".json"},
		by: func(body string, r rules) (*segment.Part, error) { return resource.ReadJSON(body, r.paths) },
	},
	{name: "ARB", extensions: []string{".arb"}, text: resource.ReadARB},
	{name: "RTF document", extensions: []string{".rtf"}, whole: rtf.Read, magic: `{\rtf`},
	{name: "PDF", extensions: []string{".pdf"}, whole: pdf.Read, magic: "%PDF-", textOnly: true},
	{name: "mail", extensions: []string{".eml"}, whole: mail.Read, looks: mail.Looks},
	{name: "string catalogue", extensions: []string{".xcstrings"}, text: resource.ReadXCStrings},
	{name: "YAML", extensions: []string{".yaml", ".yml"}, text: resource.ReadYAML},
	{name: "Java properties", extensions: []string{".properties"}, text: resource.ReadProperties},
	{name: "strings file", extensions: []string{".strings"}, text: resource.ReadStrings},
	{name: "resx file", declares: true, extensions: []string{".resx"}, text: resource.ReadResX},
	{
		name: "table", extensions: []string{".csv"},
		by: func(body string, r rules) (*segment.Part, error) { return resource.ReadCSV(body, r.columns) },
	},
	{
		name: "table", extensions: []string{".tsv", ".tab"},
		by: func(body string, r rules) (*segment.Part, error) { return resource.ReadTSV(body, r.columns) },
	},
	{name: "reStructuredText", extensions: []string{".rst", ".rest"}, text: restructured.Read},
	{name: "Markdown", extensions: []string{".md", ".markdown", ".mkd", ".mdown"}, text: markdown.Read},
}

// begins says whether a text begins with what is given in lower case, after white
// space.
func begins(body, with string) bool {
	body = strings.TrimLeft(body, " \t\r\n")
	return len(body) >= len(with) && strings.EqualFold(body[:len(with)], with)
}

// Supported says whether the name is one of a format this package reads.
func Supported(name string) bool { return byName(name) != nil }

// Extensions are those of all formats, sorted.
func Extensions() []string {
	all := slices.Clone(plain.extensions)
	for _, f := range formats {
		all = append(all, f.extensions...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// byName is the format that a file's name stands for, nil if none.
func byName(name string) *format {
	extension := strings.ToLower(filepath.Ext(name))
	if extension == "" {
		return nil
	}
	for _, f := range append([]*format{plain}, formats...) {
		if slices.Contains(f.extensions, extension) {
			return f
		}
	}
	return nil
}

// recognise finds out the format of a file: what content says counts, and the name
// where content says nothing. A text file of an unknown kind is plain text. A zip is
// opened.
func recognise(name string, data []byte, r Reading) (*format, *archive, error) {
	named := byName(name)
	if isZip(data) {
		z, err := openArchive(data)
		if err != nil {
			return nil, nil, err
		}
		if named != nil && named.parts != nil && named.marks(z) {
			return named, z, nil
		}
		for _, f := range formats {
			if f.parts != nil && f.marks(z) {
				return f, z, nil
			}
		}
		return nil, nil, errors.New("is a zip archive and no document that is known: unpack it and translate what is in it")
	}
	for signature, what := range foreign {
		if strings.HasPrefix(string(data[:min(len(data), 16)]), signature) {
			return nil, nil, errors.New(what)
		}
	}
	if named != nil && named.parts != nil {
		return nil, nil, &segment.FormatError{Format: named.name, Reason: notZip(data), Hint: "save it anew with the program it is from"}
	}
	for _, f := range formats {
		if f.magic != "" && bytes.Contains(data[:min(len(data), 1024)], []byte(f.magic)) && (named == f || bytes.HasPrefix(data, []byte(f.magic))) {
			return f, nil, nil
		}
	}
	if named != nil && named.magic != "" {
		return nil, nil, &segment.FormatError{Format: named.name, Reason: "it does not begin with " + named.magic, Hint: "check that it is such a file"}
	}
	if named != nil && !named.broad {
		return named, nil, nil
	}
	text, err := decodeAs(data[:headEnd(data)], r)
	switch {
	case err != nil && named != nil:
		return named, nil, nil
	case err != nil:
		return plain, nil, nil // which says what is wrong
	}
	for _, f := range formats {
		if f.parts == nil && f.looks != nil && f.looks(text.Body) {
			return f, nil, nil
		}
	}
	if named != nil {
		return named, nil, nil
	}
	return plain, nil, nil
}

// foreign are well-known files that are not read, by how they begin.
var foreign = map[string]string{
	"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1": "is an old or encrypted Office file: open it and save it as docx, xlsx or pptx without a password",
}

func notZip(data []byte) string {
	if len(data) == 0 {
		return "it is empty"
	}
	return "it is not the zip that such a file is"
}

// headEnd is where the part of a text ends that is looked at: not within a
// character of UTF-8 or UTF-16.
func headEnd(data []byte) int {
	const most = 64 << 10
	if len(data) <= most {
		return len(data)
	}
	for end := most; end > most-8; end-- {
		if data[end-1] == '\n' || data[end-1] == ' ' || data[end-1] < 0x80 {
			return end - end%2
		}
	}
	return most
}
