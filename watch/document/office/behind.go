package office

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// revised is how a run looked before a tracked change, which its number allows once.
var revised = regexp.MustCompile(`(?s)<w:rPrChange\b.*?</w:rPrChange>|<w:(ins|del|moveFrom|moveTo)\b[^>]*/>`)

// behind is where the translation of slots goes if the text stays: into a run of its own that
// looks like most of the text, behind all of its runs, links and marks; before a tab or a
// line break within a run, into that run. Cells of plain text are written anew, with both.
func (w *walker) behind(p *paragraph, slots []segment.Slot, until xmltext.Token) *segment.Behind {
	shape := w.shapes[segment.MostStyle(slots)]
	looks := func() string { return revised.ReplaceAllString(shape, "") }
	text := func(name, between, translation string) string {
		return "<" + name + ` xml:space="preserve">` + xmltext.Escape(between+translation) + "</" + name + ">"
	}
	switch name := until.Name; {
	case name == "w:tab" || name == "w:ptab": // columns stay on one line
		return &segment.Behind{At: until.Start, Write: func(translation string) string { return text("w:t", " / ", translation) }}
	case w.g.cut[name] && strings.HasPrefix(name, "w:"):
		return &segment.Behind{At: until.Start, Write: func(translation string) string { return "<w:br/>" + text("w:t", "", translation) }}
	case strings.HasPrefix(name, "w:"):
		return &segment.Behind{At: until.Start, Write: func(translation string) string {
			return "<w:r>" + looks() + "<w:br/>" + text("w:t", "", translation) + "</w:r>"
		}}
	case p.runEnd == 0:
		return nil
	case strings.HasPrefix(name, "a:"): // what is said of the end of a paragraph stays there
		return &segment.Behind{At: p.runEnd, Write: func(translation string) string {
			looks := looks()
			return "<a:br>" + looks + "</a:br><a:r>" + looks + "<a:t>" + xmltext.Escape(translation) + "</a:t></a:r>"
		}}
	default:
		cell := (&segment.Segment{Slots: slots}).Source()
		return &segment.Behind{At: p.runEnd, Write: func(translation string) string {
			return "<r>" + looks() + text("t", between(cell), translation) + "</r>"
		}}
	}
}
