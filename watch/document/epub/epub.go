// Package epub takes EPUB books apart (W3C EPUB 3.3, and 2): their pages and tables of
// contents, wherever the package has them. Metadata stays but for the language.
package epub

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strings"

	"dragoman/watch/document/markup"
	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// Zip is what of an archive is needed.
type Zip interface {
	Names() []string
	Text(name string) (string, error)
}

// Read finds the package by META-INF/container.xml and reads the pages that it lists.
// A page with encrypted content is refused.
func Read(z Zip) ([]*segment.Part, error) {
	for _, name := range z.Names() {
		if name == "META-INF/rights.xml" || name == "META-INF/sinf.xml" {
			return nil, errors.New("it is protected against copying (DRM)")
		}
	}
	container, err := z.Text("META-INF/container.xml")
	if err != nil {
		return nil, err
	}
	var parts []*segment.Part
	seen := map[string]bool{}
	err = each(container, "META-INF/container.xml", func(t xmltext.Token, attrs []xmltext.Attr) error {
		at := xmltext.Get(attrs, "full-path")
		if local(t.Name) != "rootfile" || at == "" || seen[at] {
			return nil
		}
		seen[at] = true
		more, err := readPackage(z, at, seen)
		parts = append(parts, more...)
		return err
	})
	if err == nil && len(parts) == 0 {
		err = errors.New("META-INF/container.xml names no package")
	}
	return parts, err
}

// each calls do for each element of a file.
func each(body, name string, do func(xmltext.Token, []xmltext.Attr) error) error {
	err := xmltext.Scan(body, func(t xmltext.Token) error {
		if t.Kind != xmltext.Start {
			return nil
		}
		return do(t, xmltext.Attrs(body, t.Start, t.End))
	})
	if bad, ok := err.(*segment.FormatError); ok && bad.Part == "" {
		bad.Part = name
	}
	return err
}

func local(name string) string { return name[strings.IndexByte(name, ':')+1:] }

func readPackage(z Zip, name string, seen map[string]bool) ([]*segment.Part, error) {
	body, err := z.Text(name)
	if err != nil {
		return nil, err
	}
	parts := []*segment.Part{{Name: name, Source: body, Localise: func(o segment.Options) []segment.Edit { return language(body, o) }}}
	err = each(body, name, func(t xmltext.Token, attrs []xmltext.Attr) error {
		if local(t.Name) != "item" {
			return nil
		}
		href, err := url.PathUnescape(xmltext.Get(attrs, "href"))
		at := path.Join(path.Dir(name), href)
		if err != nil || href == "" || seen[at] || strings.Contains(href, "://") {
			return nil // it lies elsewhere, and nothing is fetched
		}
		var p *segment.Part
		switch xmltext.Get(attrs, "media-type") {
		case "application/xhtml+xml", "text/html":
			p, err = page(z, at)
		case "application/x-dtbncx+xml":
			p, err = contents(z, at)
		default:
			return nil
		}
		seen[at] = true
		if err != nil {
			if bad, ok := err.(*segment.FormatError); ok {
				bad.Part = at
			}
			return err
		}
		p.Name = at
		for _, s := range p.Segments {
			s.ID = at + ", " + s.ID
		}
		parts = append(parts, p)
		return nil
	})
	return parts, err
}

// page reads XHTML, or what claims to be that.
func page(z Zip, name string) (*segment.Part, error) {
	body, err := z.Text(name)
	if err != nil {
		return nil, err
	}
	p, err := markup.ReadXHTML(body)
	if bad, ok := err.(*segment.FormatError); ok && !strings.Contains(bad.Reason, "entities") {
		return markup.ReadHTML(body)
	}
	return p, err
}

// contents reads the labels of the table of contents of EPUB 2.
func contents(z Zip, name string) (*segment.Part, error) {
	body, err := z.Text(name)
	if err != nil {
		return nil, err
	}
	p := &segment.Part{Source: body}
	inText := false
	err = xmltext.Scan(body, func(t xmltext.Token) error {
		switch {
		case t.Kind == xmltext.Start || t.Kind == xmltext.End:
			inText = t.Kind == xmltext.Start && local(t.Name) == "text"
		case t.Kind == xmltext.Text && inText:
			raw := body[t.Start:t.End]
			core := strings.TrimSpace(raw)
			shown, ok := xmltext.Unescape(core)
			if !ok || !segment.HasWords(shown) {
				return nil
			}
			start := t.Start + strings.Index(raw, core)
			p.Segments = append(p.Segments, &segment.Segment{
				ID: fmt.Sprintf("label %d", len(p.Segments)+1), Kind: segment.Heading, Protect: segment.InProse,
				Slots: []segment.Slot{{Text: shown, Start: start, End: start + len(core), Escape: xmltext.Escape}},
			})
		}
		return nil
	})
	p.Both = func(text, translation string) string { return text + " – " + translation }
	return p, err
}

// language sets that of the book.
func language(body string, o segment.Options) []segment.Edit {
	if o.To == "" || o.Bilingual {
		return nil
	}
	var edits []segment.Edit
	within := false
	_ = xmltext.Scan(body, func(t xmltext.Token) error { // it was read before
		switch t.Kind {
		case xmltext.Start, xmltext.End:
			within = t.Kind == xmltext.Start && t.Name == "dc:language" && len(edits) == 0
		case xmltext.Text:
			if within {
				edits = append(edits, segment.Edit{Start: t.Start, End: t.End, Text: o.To})
			}
		}
		return nil
	})
	return edits
}
