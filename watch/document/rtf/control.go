package rtf

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"dragoman/watch/document/segment"
)

// destination is what a group's text is for.
type destination int

const (
	body destination = iota
	skipped
	fonts
	instruction
	info // whose title is a text
)

var (
	// inner have texts of their own, within a paragraph of others.
	inner = segment.Names("footnote annotation shptxt header headerl headerr headerf footer footerl footerr footerf ftncn aftncn dptxbxtext shprslt title")
	// through have shown texts somewhere in them, or what tells how these are read: upr has a destination twice, without and (ud)
	// with letters beyond the code page.
	through = segment.Names("shpinst shp shpgrp field fldrslt result object do upr ud")
	// silent have none, or one for readers that do not know what stands beside it.
	silent = segment.Names(`colortbl stylesheet pict objdata objclass objname listtext pntext pntxta pntxtb listtable listoverridetable rsidtbl generator xe tc tcn rxe
		nonshppict shppict sp sn sv filetbl revtbl bkmkstart bkmkend themedata colorschememapping latentstyles datastore template private
		author operator manager company category comment doccomm keywords subject hlinkbase creatim revtim printim buptim atnid atnauthor atndate
		atnref atntime atrfstart atrfend mmath fldtype ftnsep ftnsepc aftnsep aftnsepc background formfield userprops xmlnstbl wgrffmtfilter falt panose
		fontemb fontfile passwordhash protusertbl nesttableprops nonesttables NeXTGraphic moMath moMathPara listpicture pgptbl blipuid picprop`)
	// seen are those of them that stand between words for all to see.
	seen = segment.Names("pict shppict mmath moMath moMathPara NeXTGraphic")
	// ends are words that end a paragraph, or what is translated as one.
	ends = segment.Names("par sect page column cell nestcell row nestrow line softline softpage tab")
	// points are characters that the program makes.
	points = segment.Names("chftn chatn chpgn chdate chtime chdpl chdpa sectnum chftnsep chftnsepc lquad")
)

// control does what a control word says.
func (r *reader) control(t token) {
	g := r.top()
	first := g.begins
	g.begins = false
	if r.skip > 0 && t.name != "u" { // a word stands for one character
		r.skip--
		r.extend(t)
		return
	}
	if text, ok := named[t.name]; ok && g.does == body {
		if r.shown() {
			r.put(t, text)
		}
		return
	}
	if t.name == "u" && t.has {
		r.unicode(t)
		return
	}
	r.flushRun()
	if t.name == "*" {
		g.star, g.begins = true, first
		return
	}
	if first {
		r.destination(t.name)
	}
	r.properties(t)
	if g.does == fonts {
		r.fontTable(t)
	}
	if !r.shown() {
		return
	}
	switch {
	case ends[t.name], t.name == "\n", t.name == "\r": // with a backslash the end of a line is one of a paragraph
		r.flush(t.name == "cell" || t.name == "nestcell")
	case points[t.name]:
		r.mark(t.start)
	}
}

// destination tells a group by the word that it begins with.
func (r *reader) destination(name string) {
	g := r.top()
	if g.does == skipped || g.does == info && name != "title" && !through[name] {
		g.does = skipped
		return
	}
	switch {
	case name == "fonttbl":
		g.does = fonts
	case name == "info":
		g.does = info
	case name == "field":
		r.fields++
		g.field, g.look.field = &field{}, r.fields
	case name == "fldinst":
		g.does = instruction
	case silent[name]:
		if seen[name] {
			r.mark(r.at)
		}
		g.does = skipped
	case inner[name]:
		g.does, g.inner, g.look, g.gone, g.field = body, true, look{font: r.first}, false, nil
		kind := segment.Paragraph
		switch name {
		case "footnote", "annotation":
			kind = segment.Note
			r.mark(r.at)
		case "title":
			kind = segment.Attribute
		default:
			r.mark(r.at)
		}
		r.texts = append(r.texts, paragraph{kind: kind})
	case g.star && !through[name]:
		g.does = skipped
	}
}

// instruct reads the instruction of a field: only the text of a link is one for people.
func (r *reader) instruct(t token) {
	f := r.top().field
	if t.code == ' ' || f.told {
		return
	}
	rest := r.source[t.start:]
	f.told, f.computed = true, !strings.HasPrefix(rest, "HYPERLINK") && !strings.HasPrefix(rest, "SHAPE")
}

// properties are those of characters, and of the file.
func (r *reader) properties(t token) {
	g := r.top()
	on := !t.has || t.number != 0
	switch t.name {
	case "ansicpg":
		if t.number > 0 { // texts of one that we do not know stay
			r.page = t.number
		}
	case "deff":
		r.first, g.look.font = t.number, t.number
	case "mac":
		r.page = 10000
	case "pc":
		r.page = 437
	case "pca":
		r.page = 850
	case "uc":
		g.uc = min(max(t.number, 0), 16)
	case "plain":
		g.look, g.gone = look{font: r.first, field: g.look.field}, false
	case "b":
		g.look.bold = on
	case "i":
		g.look.italic = on
	case "strike", "striked":
		g.look.strike = on
	case "caps", "scaps":
		g.look.caps = on
	case "super":
		g.look.position = 1
	case "sub":
		g.look.position = 2
	case "up", "dn", "nosupersub":
		g.look.position = 3 * t.number
	case "f":
		g.look.font = t.number
	case "fs":
		g.look.size = t.number
	case "cf":
		g.look.color = t.number
	case "cb", "highlight", "chcbpat":
		g.look.back = t.number
	case "cs":
		g.look.of = t.number
	case "v", "deleted":
		g.gone = on
	case "ulnone":
		g.look.under = ""
	default:
		if strings.HasPrefix(t.name, "ul") && t.name != "ulc" {
			g.look.under = map[bool]string{true: t.name}[on]
		}
	}
	if g.does == body {
		r.direction(t)
		r.language(t)
	}
}

// fontTable reads which code page a font has.
func (r *reader) fontTable(t token) {
	switch t.name {
	case "f":
		r.font = t.number
	case "fcharset":
		switch page, ok := ofCharsets[t.number]; {
		case ok:
			r.fonts[r.font] = page
		case t.number == symbols:
			r.fonts[r.font] = symbols
		case t.number > symbols:
			r.fonts[r.font] = unread
		}
	case "cpg":
		if t.number > 0 {
			r.fonts[r.font] = t.number
		}
	}
}

// direction collects what says where lines begin.
func (r *reader) direction(t token) {
	text := map[string]string{"pard": `\pard\rtlpar\qr `, "ltrpar": `\rtlpar `, "ql": `\qr `, "qr": `\ql `, "ltrrow": `\rtlrow `}[t.name]
	if text != "" {
		r.paras = append(r.paras, segment.Edit{Start: t.start, End: t.end, Text: text})
	}
}

func (r *reader) localise(o segment.Options) []segment.Edit {
	if o.Bilingual || o.To == "" {
		return nil
	}
	edits := r.relabelled(o.To)
	if segment.RightToLeft(o.To) {
		edits = append(edits, r.paras...)
	}
	return edits
}

// escape writes a text: what is not ASCII by its number, with as many marks for readers of old as they leave out.
func escape(text string, uc int, bare bool) string {
	var b strings.Builder
	if bare && text != "" {
		b.WriteByte(' ') // which ends the word before
	}
	for _, c := range text {
		switch {
		case c == '\\' || c == '{' || c == '}':
			b.WriteByte('\\')
			b.WriteRune(c)
		case c == '\n':
			b.WriteString(`\line `)
		case c == '\t':
			b.WriteString(`\tab `)
		case c == '\u00a0':
			b.WriteString(`\~`)
		case c < ' ':
		case c < 0x7f:
			b.WriteRune(c)
		default:
			for _, unit := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&b, `\u%d`, int16(unit))
				if uc == 0 {
					b.WriteByte(' ')
				}
				b.WriteString(strings.Repeat("?", uc))
			}
		}
	}
	return b.String()
}
