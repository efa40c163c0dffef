// Package pdf takes the texts out of PDF files (ISO 32000), page by page, in the order in
// which they are drawn. It reads no pictures, and its result is a text, not a PDF.
//
// Files are hostile until shown otherwise: objects are found without the tables of the
// file, nesting, unpacked bytes, operators and output are limited, and nothing a file
// refers to is read.
package pdf

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"dragoman/watch/document/segment"
)

const (
	maxPages  = 20_000
	maxDepth  = 50 // of the tree of pages
	maxOutput = 32 << 20
	maxLines  = 200_000 // of a page
)

// Read gives the texts of a file as a part whose source they are, a paragraph a segment,
// and writes it as UTF-8.
func Read(data []byte) ([]*segment.Part, func(segment.Options) ([]byte, error), error) {
	pages, err := Pages(data)
	if err != nil {
		return nil, nil, err
	}
	p := &segment.Part{Both: func(text, translation string) string { return text + "\n" + translation }}
	var b strings.Builder
	for n, page := range pages {
		for i, paragraph := range page {
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			start := b.Len()
			b.WriteString(paragraph)
			if segment.HasWords(paragraph) {
				p.Segments = append(p.Segments, &segment.Segment{
					ID: fmt.Sprintf("page %d, paragraph %d", n+1, i+1), Kind: segment.Paragraph, Protect: segment.InProse,
					Slots: []segment.Slot{{Text: paragraph, Start: start, End: b.Len(), Escape: func(out string) string {
						return strings.Join(strings.FieldsFunc(out, func(r rune) bool { return r == '\n' || r == '\r' }), " ")
					}}},
				})
			}
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	if len(p.Segments) == 0 {
		return nil, nil, &segment.FormatError{Reason: "there is no text in it, only pictures perhaps", Hint: "have a program for character recognition (OCR) read it first"}
	}
	p.Source = b.String()
	return []*segment.Part{p}, func(o segment.Options) ([]byte, error) {
		text, err := p.Render(o)
		return []byte(text), err
	}, nil
}

// Pages are the paragraphs of each page.
func Pages(data []byte) ([][]string, error) {
	f, err := open(data)
	if err != nil {
		return nil, err
	}
	w := &walker{file: f, seen: map[ref]bool{}, fonts: map[ref]*font{}}
	found := rootKey.FindAllSubmatch(data, -1)
	for _, one := range slices.Backward(found) { // the last is the newest
		n, err := strconv.Atoi(string(one[1]))
		if err != nil {
			continue
		}
		root := f.dict(ref(n))
		if root == nil || root["Pages"] == nil {
			continue
		}
		if err := w.pages(root["Pages"], nil, 0); err != nil {
			return nil, err
		}
		if w.read > 0 {
			return w.texts, nil
		}
	}
	if f.read > maxUnpacked {
		return nil, errTooLarge
	}
	return nil, errNoPages
}

// walker goes through the pages.
type walker struct {
	file  *file
	seen  map[ref]bool
	fonts map[ref]*font
	texts [][]string
	read  int // pages
	size  int // bytes of texts
	ops   int
}

func (w *walker) pages(o any, resources any, depth int) error {
	if r, ok := o.(ref); ok {
		if w.seen[r] {
			return nil
		}
		w.seen[r] = true
	}
	d := w.file.dict(o)
	if d == nil || depth > maxDepth {
		return nil
	}
	if own := d["Resources"]; own != nil {
		resources = own
	}
	if kids := w.file.array(d["Kids"]); kids != nil {
		for _, kid := range kids {
			if err := w.pages(kid, resources, depth+1); err != nil {
				return err
			}
		}
		return nil
	}
	if w.read++; w.read > maxPages {
		return fmt.Errorf("it has more than %d pages", maxPages)
	}
	p := &page{walker: w}
	for _, part := range w.file.list(d["Contents"]) {
		s, ok := w.file.get(part).(*stream)
		if !ok {
			continue
		}
		data, err := w.file.content(s)
		if err != nil {
			return err
		}
		p.data = append(append(p.data, data...), '\n')
	}
	if err := p.run(p.data, w.file.dict(resources), 0); err != nil {
		return err
	}
	p.endLine()
	switch {
	case p.full():
		return errors.New("it has more than 32 MiB of text, or more than 200,000 lines on a page")
	case w.file.read > maxUnpacked:
		return errTooLarge
	}
	w.texts = append(w.texts, paragraphs(p.lines))
	return nil
}
