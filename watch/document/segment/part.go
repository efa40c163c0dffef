package segment

import (
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
)

// Part is a text with its segments: a whole text file, or one file of a zip.
type Part struct {
	Name     string // in a zip, "" for others
	Source   string
	Segments []*Segment
	// Break is what parts a text from its translation where both are wanted, as
	// bytes of the format; "" where the format has no place for both.
	Break string
	// Both, where not nil, is used instead of Break: it puts a text and its
	// translation together. Segments that have a Behind go by that.
	Both func(text, translation string) string
	// Localise, where not nil, returns what else changes for a target language, such
	// as the attributes that name it.
	Localise func(o Options) []Edit
	// Language is that of the translations that are there and stay, as the file calls
	// it, "" where there are none, or where each names its own.
	Language string
	// Into, where not nil, has what the part already has in a language kept.
	Into func(to string)
}

// Options say what is to be written.
type Options struct {
	// To is the language of the translations, "" where nothing is to be said of it.
	To string
	// Bilingual has each text followed by its translation.
	Bilingual bool
}

// Edit replaces the bytes Start to End of a source.
type Edit struct {
	Start, End int
	Text       string
}

// Changed says whether a rendering could differ from the source.
func (p *Part) Changed(o Options) bool { return len(p.Edits(o)) > 0 }

// Render returns the source with the slots' texts in their places. Bytes of slots
// that were not changed, and all that is in no slot, stay as they were.
func (p *Part) Render(o Options) (string, error) { return Splice(p.Source, p.Edits(o)) }

// Edits are what a rendering changes of the source.
func (p *Part) Edits(o Options) []Edit {
	var edits []Edit
	for _, s := range p.Segments {
		if s.Elsewhere {
			continue
		}
		if s.Copy != nil {
			edits = append(edits, p.copied(s)...)
			continue
		}
		own := s.edits()
		switch {
		case o.Bilingual && s.Kind == Attribute && len(own) > 0:
			edits = append(edits, s.beside())
			continue
		case o.Bilingual && s.Behind != nil && len(own) > 0:
			edits = append(edits, Edit{s.Behind.At, s.Behind.At, s.Behind.Write(strings.TrimSpace(s.Target()))})
			continue
		case o.Bilingual && p.Both != nil:
			for i, slot := range s.Slots {
				if len(own) > 0 && slot.Start == own[0].Start && slot.Out != slot.Text {
					edits = append(edits, Edit{slot.Start, slot.End, s.Slots[i].write(p.Both(slot.Text, slot.Out))})
					own = own[1:]
				}
			}
			continue
		case o.Bilingual && len(own) > 0:
			end := s.Slots[len(s.Slots)-1].End
			edits = append(edits, Edit{end, end, p.Break + s.lastText().write(s.Target())})
			continue
		}
		edits = append(edits, own...)
	}
	if p.Localise != nil {
		more := p.Localise(o)
		edits = append(outside(edits, more), more...)
	}
	return edits
}

// lastText is the last slot that may change: others do not know how texts are written.
func (s *Segment) lastText() *Slot {
	for i := len(s.Slots) - 1; i > 0; i-- {
		if !s.Slots[i].Fixed {
			return &s.Slots[i]
		}
	}
	return &s.Slots[0]
}

// beside is the edit that puts the translation of a text behind it that can have no line
// break in it.
func (s *Segment) beside() Edit {
	const between = " / "
	last := &s.Slots[len(s.Slots)-1]
	if len(s.Slots) == 1 {
		return Edit{last.Start, last.End, last.write(last.Text + between + last.Out)}
	}
	return Edit{last.End, last.End, s.lastText().write(between + s.Target())}
}

// outside leaves out the edits of what others take away.
func outside(edits, others []Edit) []Edit {
	var gone []Edit
	for _, e := range others {
		if e.Text == "" && e.End > e.Start {
			gone = append(gone, e)
		}
	}
	if len(gone) == 0 {
		return edits
	}
	slices.SortFunc(gone, func(a, b Edit) int { return a.Start - b.Start })
	return slices.DeleteFunc(edits, func(e Edit) bool {
		i, _ := slices.BinarySearchFunc(gone, e.Start, func(g Edit, at int) int { return cmp.Compare(g.Start, at+1) })
		return i > 0 && e.Start < gone[i-1].End && e.End <= gone[i-1].End && (e.End > e.Start || e.Start > gone[i-1].Start)
	})
}

// copied is the edit that writes a segment's translation beside it.
func (p *Part) copied(s *Segment) []Edit {
	own := s.edits()
	if len(own) == 0 {
		return nil
	}
	text := Written(p.Source, Span{s.Copy.From, s.Copy.To}, []*Segment{s})
	return []Edit{{s.Copy.Start, s.Copy.End, s.Copy.Before + text + s.Copy.After}}
}

// Written is what the bytes of a span of the source, which have all slots of some segments, are with what is
// to be written for these, and with other edits of them.
func Written(source string, at Span, segments []*Segment, others ...Edit) string {
	own := slices.Clone(others)
	for _, s := range segments {
		own = append(own, s.edits()...)
	}
	for i := range own {
		own[i].Start -= at.Start
		own[i].End -= at.Start
	}
	text, err := Splice(source[at.Start:at.End], own)
	if err != nil {
		return source[at.Start:at.End] // slots never overlap
	}
	return text
}

// edits are those of slots whose texts have changed.
func (s *Segment) edits() []Edit {
	if !s.written {
		return nil
	}
	var edits []Edit
	for i := range s.Slots {
		slot := &s.Slots[i]
		if slot.Out != slot.Text && !slot.Fixed {
			edits = append(edits, Edit{slot.Start, slot.End, slot.write(slot.Out)})
		}
	}
	return edits
}

func (s *Slot) write(text string) string {
	if s.Escape == nil {
		return text
	}
	return s.Escape(text)
}

// Splice makes the edits, which must not overlap. At the same place what is inserted
// comes first, in the order given.
func Splice(source string, edits []Edit) (string, error) {
	if len(edits) == 0 {
		return source, nil
	}
	var out strings.Builder
	err := SpliceTo(&out, source, edits)
	if err != nil {
		return "", err
	}
	return out.String(), nil
}

// Growing is what SpliceTo writes to: strings.Builder, bytes.Buffer.
type Growing interface {
	io.StringWriter
	Grow(bytes int)
}

// SpliceTo is Splice that writes to out, whose memory is taken once. Nothing is written where edits
// overlap.
func SpliceTo(out Growing, source string, edits []Edit) error {
	slices.SortStableFunc(edits, func(a, b Edit) int { return cmp.Or(a.Start-b.Start, min(a.End-a.Start, 1)-min(b.End-b.Start, 1)) })
	at, size := 0, len(source)
	for _, e := range edits {
		if e.Start < at || e.End < e.Start || e.End > len(source) {
			return errors.New("put translations into their places: two would overlap; please report this with the file")
		}
		at = e.End
		size += len(e.Text) - (e.End - e.Start)
	}
	out.Grow(size)
	at = 0
	for _, e := range edits {
		out.WriteString(source[at:e.Start])
		out.WriteString(e.Text)
		at = e.End
	}
	out.WriteString(source[at:])
	return nil
}
