package office

import (
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// direction collects where a paragraph's and a run's direction is said, or would be.
// Word wants the children of properties in the order of the schema.
type direction struct {
	toRight []segment.Edit // for languages that are written from right to left
	toLeft  []segment.Edit // for others
	// of the properties that are read
	paragraphAt int // where the element for a paragraph goes, -1 where it has one
	runAt       int
}

// Children that come after w:bidi in w:pPr, and after w:rtl in w:rPr (ECMA-376 part 1,
// sections 17.3.1.26 and 17.3.2.28).
var (
	afterBidi = set(`w:adjustRightInd w:snapToGrid w:spacing w:ind w:contextualSpacing w:mirrorIndents w:suppressOverlap w:jc w:textDirection
		w:textAlignment w:textboxTightWrap w:outlineLvl w:divId w:cnfStyle w:rPr w:sectPr w:pPrChange`)
	afterRTL = set("w:cs w:em w:lang w:eastAsianLayout w:specVanish w:oMath w:rPrChange")
)

// properties begins those of a paragraph.
func (d *direction) properties(w *walker, t xmltext.Token) {
	if t.Name == "a:pPr" {
		for a := range xmltext.Each(w.source, t.Start, t.End) {
			if a.Name == "rtl" {
				d.toRight = append(d.toRight, segment.Edit{Start: a.Start, End: a.End, Text: "1"})
				if a.Value == "1" || a.Value == "true" {
					d.toLeft = append(d.toLeft, segment.Edit{Start: a.Start, End: a.End, Text: "0"})
				}
				return
			}
		}
		at := t.Start + len("<a:pPr")
		d.toRight = append(d.toRight, segment.Edit{Start: at, End: at, Text: ` rtl="1"`})
		return
	}
	if t.Empty {
		d.toRight = append(d.toRight, segment.Edit{Start: t.Start, End: t.End, Text: "<w:pPr><w:bidi/></w:pPr>"})
		return
	}
	d.paragraphAt = 0
}

// child looks at what is in properties.
func (d *direction) child(w *walker, t xmltext.Token) {
	switch parent := w.parent(); {
	case parent == "w:pPr" && t.Name == "w:bidi":
		d.toLeft = append(d.toLeft, segment.Edit{Start: t.Start, End: t.End})
		d.toRight = append(d.toRight, segment.Edit{Start: t.Start, End: t.End, Text: "<w:bidi/>"}) // it may say no
		d.paragraphAt = -1
	case parent == "w:pPr" && d.paragraphAt == 0 && afterBidi[t.Name]:
		d.paragraphAt = t.Start
	case parent == "w:rPr" && t.Name == "w:rtl" && w.run.End > 0:
		d.toLeft = append(d.toLeft, segment.Edit{Start: t.Start, End: t.End})
		d.toRight = append(d.toRight, segment.Edit{Start: t.Start, End: t.End, Text: "<w:rtl/>"})
		d.runAt = -1
	case parent == "w:rPr" && d.runAt == 0 && afterRTL[t.Name] && w.run.End > 0:
		d.runAt = t.Start
	}
}

// run is told of a run with text.
func (d *direction) run(w *walker) {
	at, props := d.runAt, w.runProps
	d.runAt = 0
	if w.run.Name != "w:r" || at < 0 || w.run.End == 0 {
		return
	}
	switch {
	case props.End == 0:
		d.toRight = append(d.toRight, segment.Edit{Start: w.run.End, End: w.run.End, Text: "<w:rPr><w:rtl/></w:rPr>"})
	case at > 0:
		d.toRight = append(d.toRight, segment.Edit{Start: at, End: at, Text: "<w:rtl/>"})
	case strings.HasSuffix(w.source[props.Start:props.End], "/>") && !strings.Contains(w.source[props.Start:props.End], "</"):
		d.toRight = append(d.toRight, segment.Edit{Start: props.Start, End: props.End, Text: "<w:rPr><w:rtl/></w:rPr>"})
	default:
		end := props.End - len("</w:rPr>")
		d.toRight = append(d.toRight, segment.Edit{Start: end, End: end, Text: "<w:rtl/>"})
	}
	w.run.End = 0 // once a run
}

// paragraph is told of the end of one.
func (d *direction) paragraph(w *walker, p *paragraph) {
	if !p.texts || p.props || p.start.Empty {
		return
	}
	switch p.start.Name {
	case "w:p":
		d.toRight = append(d.toRight, segment.Edit{Start: p.start.End, End: p.start.End, Text: "<w:pPr><w:bidi/></w:pPr>"})
	case "a:p":
		d.toRight = append(d.toRight, segment.Edit{Start: p.start.End, End: p.start.End, Text: `<a:pPr rtl="1"/>`})
	}
}

// propertiesEnd is told of the end of w:pPr.
func (d *direction) propertiesEnd(t xmltext.Token) {
	if at := d.paragraphAt; at >= 0 {
		if at == 0 {
			at = t.Start
		}
		d.toRight = append(d.toRight, segment.Edit{Start: at, End: at, Text: "<w:bidi/>"})
	}
	d.paragraphAt = -1
}

// localise says in which language the texts are, and in which direction they go.
func (w *walker) localise(o segment.Options) []segment.Edit {
	if o.To == "" || o.Bilingual {
		return nil
	}
	attribute := "w:val"
	base, _, _ := strings.Cut(strings.ToLower(o.To), "-")
	switch {
	case segment.RightToLeft(o.To):
		attribute = "w:bidi"
	case base == "zh" || base == "ja" || base == "ko":
		attribute = "w:eastAsia"
	}
	edits := append([]segment.Edit(nil), w.direction.toLeft...)
	if segment.RightToLeft(o.To) {
		edits = append([]segment.Edit(nil), w.direction.toRight...)
	}
	for _, a := range w.langs {
		if (a.Name == attribute || a.Name == "lang") && a.Value != o.To {
			edits = append(edits, segment.Edit{Start: a.Start, End: a.End, Text: o.To})
		}
	}
	return edits
}
