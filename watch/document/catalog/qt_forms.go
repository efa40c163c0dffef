package catalog

import (
	"slices"
	"strings"

	"dragoman/watch/document/segment"
)

// form is an element for one form of a plural.
type form struct {
	outer, inner segment.Span // with its tags and without them
	segment      *segment.Segment
}

// forForms gives each plural that is translated as many forms as the language has: further ones are like the last, and
// those that are too many go.
func (r *pairReader) forForms(n int) (edits []segment.Edit) {
	if n == 0 {
		return nil
	}
	for _, forms := range r.plurals {
		last := forms[len(forms)-1]
		switch {
		case last.segment == nil || !last.segment.Changed():
		case len(forms) > n:
			edits = append(edits, segment.Edit{Start: forms[n-1].outer.End, End: last.outer.End})
		case len(forms) < n:
			c := last.segment.Copy
			text := segment.Written(r.source, segment.Span{Start: c.From, End: c.To}, []*segment.Segment{last.segment})
			between := ""
			if len(forms) > 1 {
				between = r.source[forms[len(forms)-2].outer.End:last.outer.Start]
			}
			more := between + r.source[last.outer.Start:last.inner.Start] + text + r.source[last.inner.End:last.outer.End]
			edits = append(edits, segment.Edit{Start: last.outer.End, End: last.outer.End, Text: strings.Repeat(more, n-len(forms))})
		}
	}
	return edits
}

// qtForms is how many forms of plurals Qt's programs have for a language, as Qt 5.15's lupdate writes them; 0 where
// Qt does not know it.
func qtForms(lang string) int {
	base, _, _ := strings.Cut(strings.ToLower(lang), "-")
	return 1 + slices.IndexFunc(qtLanguages, func(languages string) bool { return slices.Contains(strings.Fields(languages), base) })
}

// qtLanguages are those with one form, with two, and so on.
var qtLanguages = []string{
	"fa hu id ig ja jv ko ms my su th tr vi yo zh",
	`af am az ba bg bn br ca da de el en eo es et eu fi fil fr fy gl gu ha he hi hy is it ka kk km kn lb ln lo mg ml mn mr nb ne nl no oc
		or pa ps pt sd si so sq ss sv sw ta tl tn ur uz wo xh yi zu`,
	"be bs cs ga hr lt lv mk pl ro ru sk sr uk",
	"gd sl",
	"cy",
	"ar",
}
