package document

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"dragoman/internal/english"
	"dragoman/watch/document/quantity"
	"dragoman/watch/document/segment"
)

// Document is a file taken apart into what is translated and what is not. It is
// not safe for concurrent use.
type Document struct {
	Name   string      // of the file, for messages
	Format string      // "plain text", "Word document"
	Text   bool        // it is a text file: bytes of it can be shown
	Mode   fs.FileMode // permission bits of the file
	Stamp  Stamp       // of the file
	// Notes are what a user should know of what is written, plain sentences.
	Notes []string
	// Align, where not nil, is asked by Translate which words of a translation stand for
	// which: markup finds its place by that.
	Align segment.Align

	parts    []*segment.Part
	to       string // which it is translated into, "" where nobody said
	assemble func(o segment.Options) ([]byte, error)
}

// Open reads a file of which nothing is said.
func Open(path string) (*Document, error) { return Reading{}.Open(path) }

// Parse takes the content of a file apart of which nothing is said.
func Parse(name string, data []byte) (*Document, error) { return Reading{}.Parse(name, data) }

// Plain is a document of a text that is in no file.
func Plain(name, body string) *Document {
	d := &Document{Name: name, Format: plain.name, Text: true, Mode: 0o644}
	d.oneText(Text{Body: body}, plainText(body))
	return d
}

func (d *Document) parseText(f *format, data []byte, r Reading, by rules) error {
	text, err := decodeAs(data, r)
	if err != nil {
		return err
	}
	read := f.text
	if read == nil {
		read = func(body string) (*segment.Part, error) { return f.by(body, by) }
	}
	part, err := read(text.Body)
	if err != nil {
		return err
	}
	d.oneText(text, part)
	if f.declares {
		d.assemble = func(o segment.Options) ([]byte, error) {
			body, err := part.Render(o)
			if err != nil || body == text.Body {
				return data, err
			}
			into, body, kept := text.redeclared(body)
			d.noteEncoding(text, kept)
			return into.Encode(body)
		}
	}
	return nil
}

// noteEncoding says that a file is not in its encoding any more.
func (d *Document) noteEncoding(t Text, kept bool) {
	note := "it is written in UTF-8: " + t.Charset.String() + ", which it was in, does not have all characters of the translation"
	if t.Encoding == Legacy && !kept && !slices.Contains(d.Notes, note) {
		d.Notes = append(d.Notes, note)
	}
}

func (d *Document) parseWhole(f *format, data []byte) (err error) {
	d.parts, d.assemble, err = f.whole(data)
	return named(f, err)
}

// named says in an error which format it was that could not be read.
func named(f *format, err error) error {
	if bad, ok := errors.AsType[*segment.FormatError](err); ok {
		bad.Format = f.name
		return bad
	}
	if err != nil {
		return &segment.FormatError{Format: f.name, Reason: err.Error(), Hint: "save it anew with the program it is from"}
	}
	return nil
}

func (d *Document) oneText(text Text, part *segment.Part) {
	d.parts = []*segment.Part{part}
	d.assemble = func(o segment.Options) ([]byte, error) {
		body, err := part.Render(o)
		if err != nil {
			return nil, err
		}
		if text.Encoding == Legacy {
			_, kept := text.Charset.Encode(body)
			d.noteEncoding(text, kept)
		}
		return text.Encode(body)
	}
}

// Segments are all of the document, in the order of the file.
func (d *Document) Segments() []*segment.Segment {
	var all []*segment.Segment
	for _, p := range d.parts {
		all = append(all, p.Segments...)
	}
	return all
}

// Into says which language the document will be translated into, before Translate: of
// files that have texts in many languages side by side, what there is in that one stays.
// A file of one language that has translations into another is refused: it would have both. Whoever
// knows the file's name puts it before the error.
func (d *Document) Into(to string) error {
	d.to = to
	for _, p := range d.parts {
		if p.Language != "" && !segment.SameLanguage(p.Language, to) {
			return fmt.Errorf("its translations are in the language %q and would stay: translate the template, without them, or go on into that language", english.Short(p.Language, 20))
		}
		if p.Into != nil {
			p.Into(to)
		}
	}
	return nil
}

// Translate has all segments translated. It may be done again, for another language.
func (d *Document) Translate(ctx context.Context, translate segment.Func) error {
	segments := d.Segments()
	if err := segment.TranslateAligned(ctx, segments, translate, d.Align); err != nil || d.to == "" {
		return err
	}
	forms, ordinals := quantity.Cardinal(d.to), quantity.Ordinal(d.to)
	for _, s := range segments {
		s.Complete(forms, ordinals)
	}
	return nil
}

// Bytes is the file with the translations in the places of their sources. Before
// Translate, and with no Options, it is the file as it was.
func (d *Document) Bytes(o segment.Options) ([]byte, error) {
	if o.Bilingual {
		for _, p := range d.parts {
			if p.Break == "" && p.Both == nil && len(p.Segments) > 0 {
				return nil, fmt.Errorf("%s: there is no place for two languages in a %s: leave --bilingual out", d.Name, d.Format)
			}
		}
	}
	data, err := d.assemble(o)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	return data, nil
}

// Extension is that of the file that is written for an input with a name: another one
// where only its text is translated.
func Extension(name string) string {
	extension := filepath.Ext(name)
	if f := byName(name); f != nil && f.textOnly {
		return ".txt"
	}
	return extension
}

// CheckOutput refuses a name that says another kind of file than is written.
func (d *Document) CheckOutput(name string) error {
	if f := byName(name); f != nil && f.textOnly {
		return fmt.Errorf("%s: only the text of a %s is translated: name the output .txt", name, f.name)
	}
	return nil
}

// Show is Bytes in UTF-8 without a byte order mark, and "" for what is no text file.
func (d *Document) Show(o segment.Options) (string, error) {
	if !d.Text {
		return "", nil
	}
	text, err := d.parts[0].Render(o)
	if err != nil {
		return "", fmt.Errorf("%s: %w", d.Name, err)
	}
	return text, nil
}

// Sample is text of the document by which its language can be told.
func (d *Document) Sample(most int) string {
	var b strings.Builder
	for _, s := range d.Segments() {
		if b.Len() >= most {
			break
		}
		if s.Keep == "" {
			b.WriteString(s.Source())
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// plainText is a part that is translated as a whole.
func plainText(body string) *segment.Part {
	return &segment.Part{
		Source:   body,
		Segments: []*segment.Segment{{ID: "text", Kind: segment.Text, Slots: []segment.Slot{{Text: body, End: len(body)}}}},
		Both:     byLines,
	}
}

// byLines puts the translation of each line behind it.
func byLines(text, translation string) string {
	lines, translated := strings.SplitAfter(text, "\n"), strings.SplitAfter(translation, "\n")
	if len(lines) != len(translated) {
		return text + "\n" + translation
	}
	var b strings.Builder
	for i, line := range lines {
		b.WriteString(line)
		if strings.TrimSpace(line) == "" || line == translated[i] {
			continue
		}
		if !strings.HasSuffix(line, "\n") {
			b.WriteByte('\n')
		}
		b.WriteString(translated[i])
	}
	return b.String()
}

var zipMagic = []byte("PK\x03\x04")

func isZip(data []byte) bool { return bytes.HasPrefix(data, zipMagic) }
