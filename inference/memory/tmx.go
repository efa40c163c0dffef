package memory

import (
	"bufio"
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"dragoman/inference/ownfiles"
)

const (
	mostUnits = 2_000_000
	mostText  = 64 << 10 // bytes of a text
)

// FileError is what is wrong with a file, of which then nothing is taken.
type FileError struct {
	File   string
	Line   int
	Reason string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("translation memory %s, line %d: %s", filepath.Base(e.File), e.Line, e.Reason)
}

// ParseTMX reads a file of the Translation Memory eXchange format, 1.1 to 1.4b.
// Of the tags within a text (bpt, ept, ph, it, ut) only what they surround is
// kept. Languages lose their region: "en-US" is en.
func ParseTMX(name string, r io.Reader) (units []Unit, err error) {
	for u, err := range scanTMX(name, r) {
		if err != nil {
			return nil, err
		}
		units = append(units, u)
	}
	return units, nil
}

// CountTMX says how many units ParseTMX would give.
func CountTMX(name string, r io.Reader) (units int, err error) {
	for _, err := range scanTMX(name, r) {
		if err != nil {
			return 0, err
		}
		units++
	}
	return units, nil
}

// scanTMX gives the units one by one. An error is the last.
func scanTMX(name string, r io.Reader) iter.Seq2[Unit, error] {
	return func(yield func(Unit, error) bool) {
		d := xml.NewDecoder(ownfiles.DropMark(r))
		t := tmxReader{name: name}
		root, units := false, 0
		fail := func(line int, format string, args ...any) {
			yield(Unit{}, &FileError{name, line, fmt.Sprintf(format, args...)})
		}
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			line, _ := d.InputPos()
			if err != nil {
				fail(line, "it is not well-formed XML in UTF-8: %v", err)
				return
			}
			if s, ok := token.(xml.StartElement); ok && !root {
				if s.Name.Local != "tmx" {
					fail(line, "its root is <%s>, not <tmx>", s.Name.Local)
					return
				}
				root = true
			}
			u, err := t.token(token, line)
			if err != nil {
				yield(Unit{}, err)
				return
			}
			if u == nil {
				continue
			}
			if units == mostUnits {
				fail(line, "it has more than %d units", mostUnits)
				return
			}
			if units++; !yield(*u, nil) {
				return
			}
		}
		if units == 0 {
			fail(1, "it has no unit (tu) with texts of two languages")
		}
	}
}

// tmxReader is where in a file the reader is.
type tmxReader struct {
	name  string
	unit  *Unit
	lang  string
	text  strings.Builder
	inSeg bool
	code  int // tags around here whose content is no text
}

// token returns a unit that ends with it, or nil.
func (t *tmxReader) token(token xml.Token, line int) (*Unit, error) {
	switch e := token.(type) {
	case xml.StartElement:
		return nil, t.start(e, line)
	case xml.EndElement:
		return t.end(e, line)
	case xml.CharData:
		if t.inSeg && t.code == 0 {
			t.text.Write(e)
		}
	}
	return nil, nil
}

func (t *tmxReader) start(e xml.StartElement, line int) error {
	switch e.Name.Local {
	case "tu":
		t.unit = &Unit{Texts: map[string]string{}, File: t.name, Line: line}
	case "tuv":
		t.lang = ""
		for _, a := range e.Attr {
			if a.Name.Local == "lang" {
				t.lang, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(a.Value), "_", "-"), "-")
			}
		}
		if t.unit == nil || t.lang == "" {
			return &FileError{t.name, line, "a tuv has no language (xml:lang), or stands outside of a tu"}
		}
	case "seg":
		if t.lang == "" {
			return &FileError{t.name, line, "a seg stands outside of a tuv"}
		}
		t.inSeg, t.code = true, 0
		t.text.Reset()
	case "bpt", "ept", "ph", "it", "ut":
		t.code++
	}
	return nil
}

func (t *tmxReader) end(e xml.EndElement, line int) (*Unit, error) {
	switch e.Name.Local {
	case "bpt", "ept", "ph", "it", "ut":
		t.code = max(0, t.code-1)
	case "seg":
		t.inSeg = false
		text := t.text.String()
		if len(text) > mostText {
			return nil, &FileError{t.name, line, fmt.Sprintf("a text has %d bytes, at most %d are taken", len(text), mostText)}
		}
		if strings.TrimSpace(text) != "" && t.unit != nil && utf8.ValidString(text) {
			t.unit.Texts[t.lang] = text
		}
	case "tuv":
		t.lang = ""
	case "tu":
		u := t.unit
		t.unit = nil
		if u != nil && len(u.Texts) > 1 {
			return u, nil
		}
	}
	return nil, nil
}

// WriteTMX writes units as TMX 1.4b.
func WriteTMX(w io.Writer, units iter.Seq[Unit]) error {
	b := bufio.NewWriter(w)
	fmt.Fprint(b, `<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4">
<header creationtool="dragoman" creationtoolversion="1" segtype="sentence" o-tmf="dragoman" adminlang="en" srclang="*all*" datatype="plaintext"/>
<body>
`)
	for u := range units {
		fmt.Fprint(b, "<tu>")
		codes := make([]string, 0, len(u.Texts))
		for code := range u.Texts {
			codes = append(codes, code)
		}
		slices.Sort(codes)
		for _, code := range codes {
			fmt.Fprint(b, `<tuv xml:lang="`)
			_ = xml.EscapeText(b, []byte(code)) // b keeps its first error
			fmt.Fprint(b, `"><seg>`)
			_ = xml.EscapeText(b, []byte(u.Texts[code]))
			fmt.Fprint(b, "</seg></tuv>")
		}
		fmt.Fprintln(b, "</tu>")
	}
	fmt.Fprint(b, "</body>\n</tmx>\n")
	return b.Flush()
}
