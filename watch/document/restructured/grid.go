package restructured

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/width"

	"dragoman/watch/document/segment"
)

// Limits of tables that are drawn with characters; larger ones stay as they are.
const (
	maxTableWidth = 2000    // columns
	maxScan       = 2 << 20 // places looked at while cells are found
	maxCells      = 5000
	maxTables     = 8 // that are in each other
)

// table is one that is drawn with characters. It is drawn anew around what its cells then have, which is
// text of its own: the bytes of a cell do not follow each other in the source.
type table struct {
	start, end int // bytes of the source
	indent     string
	lines      []canvasLine
	cells      []cell
	xs, ys     []int // where borders are, in columns and lines
	marks      []column
	rows       []row
	draw       func(o segment.Options, eol string) string
}

// cell is a cell with its borders.
type cell struct {
	top, left, bottom, right int
	indent, margin           int // columns before and behind the text
	part                     *segment.Part
	own                      []*segment.Segment // but for those of tables in it
}

// canvasLine has what is at each column: a character, and nothing at the second column of a wide one.
type canvasLine []string

// canvas are the columns of a text as docutils counts them in tables, where wide characters take two, and combining
// ones one.
func canvas(text string) canvasLine {
	line := make(canvasLine, 0, len(text))
	for _, c := range text {
		line = append(line, string(c))
		if kind := width.LookupRune(c).Kind(); kind == width.EastAsianWide || kind == width.EastAsianFullwidth {
			line = append(line, "")
		}
	}
	return line
}

// gridTable goes over a table whose cells have borders (docutils, "Grid Tables").
func (r *reader) gridTable(l line) {
	all, first := []line{l}, r.at
	for r.at++; r.at < len(r.lines) && !r.lines[r.at].blank(); r.at++ {
		all = append(all, r.lines[r.at])
	}
	t := &table{start: l.start, end: all[len(all)-1].end}
	if len(all) > 1 {
		begin := strings.LastIndexByte(r.source[:all[1].start], '\n') + 1
		t.indent = r.source[begin:all[1].start]
	}
	for i, row := range all {
		text := r.text(row)
		if row.column != l.column || text[0] != '+' && text[0] != '|' || strings.Contains(text, "\t") || len(text) > 4*maxTableWidth {
			return
		}
		t.lines = append(t.lines, canvas(text))
		if len(t.lines[i]) != len(t.lines[0]) || len(t.lines[i]) > maxTableWidth {
			return
		}
	}
	if t.draw = t.grid; t.scan() {
		r.keepTable(t, first)
	}
}

// keepTable adds the segments of the cells, if the table is one that is drawn as it was.
func (r *reader) keepTable(t *table, first int) {
	if r.depth >= maxTables {
		return
	}
	for i := range t.cells {
		if !t.cells[i].read(t.lines, r.depth+1) {
			return
		}
	}
	if t.draw(segment.Options{}, "\n") != t.joined() {
		return
	}
	slices.SortFunc(t.cells, func(a, b cell) int { return cmp.Or(a.top-b.top, a.left-b.left) })
	for i, c := range t.cells {
		for _, s := range c.own {
			s.Elsewhere = true
			s.Kind = cmp.Or(map[segment.Kind]segment.Kind{segment.Paragraph: segment.Cell}[s.Kind], s.Kind)
		}
		for _, s := range c.part.Segments {
			s.ID = fmt.Sprintf("line %d, cell %d, %s", first+1, i+1, s.ID)
		}
	}
	r.tables = append(r.tables, t)
}

// withTables puts the segments of tables among the others.
func (r *reader) withTables(segments []*segment.Segment) []*segment.Segment {
	if len(r.tables) == 0 {
		return segments
	}
	var all []*segment.Segment
	at := 0
	for _, t := range r.tables {
		for at < len(segments) && segments[at].Slots[0].Start < t.start {
			all = append(all, segments[at])
			at++
		}
		for _, c := range t.cells {
			all = append(all, c.part.Segments...)
		}
	}
	return append(all, segments[at:]...)
}

// redraw writes the tables of which a cell has changed.
func (r *reader) redraw(o segment.Options, eol string) (edits []segment.Edit) {
	for _, t := range r.tables {
		if slices.ContainsFunc(t.cells, func(c cell) bool { return slices.ContainsFunc(c.part.Segments, (*segment.Segment).Changed) }) {
			edits = append(edits, segment.Edit{Start: t.start, End: t.end, Text: t.draw(o, eol)})
		}
	}
	return edits
}

func (t *table) joined() string {
	lines := make([]string, len(t.lines))
	for i, l := range t.lines {
		lines[i] = strings.TrimRight(strings.Join(l, ""), " ")
	}
	return joinLines(lines, "\n", t.indent)
}

// at is the character at a place, with the lines below heads as other borders.
func (t *table) at(y, x int) byte {
	s := t.lines[y][x]
	if s == "" {
		return 0
	}
	if s[0] == '=' {
		return '-'
	}
	return s[0]
}

// scan finds the cells as docutils does: from each corner along the borders around.
func (t *table) scan() bool {
	height, wide := len(t.lines)-1, len(t.lines[0])-1
	steps := 0
	border := func(y, x, dy, dx int, of byte, yield func(y, x int) bool) bool { // whether it was ended by yield
		for y, x = y+dy, x+dx; y >= 0 && y <= height && x >= 0 && x <= wide; y, x = y+dy, x+dx {
			if steps++; steps > maxScan {
				return false
			}
			switch t.at(y, x) {
			case '+':
				if yield(y, x) {
					return true
				}
			case of:
			default:
				return false
			}
		}
		return false
	}
	closed := func(c cell) bool { // its lower and its left border
		reaches := func(y, x int) func(int, int) bool {
			return func(atY, atX int) bool { return atY == y && atX == x }
		}
		return border(c.bottom, c.right, 0, -1, '-', reaches(c.bottom, c.left)) && border(c.bottom, c.left, -1, 0, '|', reaches(c.top, c.left))
	}
	xs, ys := map[int]bool{0: true, wide: true}, map[int]bool{0: true, height: true}
	done := map[[2]int]bool{}
	corners := [][2]int{{0, 0}}
	for len(corners) > 0 {
		from := corners[0]
		corners = corners[1:]
		if done[from] || from[0] == height || from[1] == wide {
			continue
		}
		done[from] = true
		c := cell{top: from[0], left: from[1]}
		if !border(c.top, c.left, 0, 1, '-', func(_, x int) bool {
			c.right = x
			return border(c.top, x, 1, 0, '|', func(y, _ int) bool {
				c.bottom = y
				return closed(c)
			})
		}) {
			continue
		}
		t.cells = append(t.cells, c)
		xs[c.left], xs[c.right], ys[c.top], ys[c.bottom] = true, true, true, true
		corners = append(corners, [2]int{c.top, c.right}, [2]int{c.bottom, c.left})
	}
	t.xs, t.ys = slices.Sorted(maps.Keys(xs)), slices.Sorted(maps.Keys(ys))
	return steps <= maxScan && len(t.cells) > 0 && len(t.cells) <= maxCells
}

// read takes the text within the borders apart.
func (c *cell) read(lines []canvasLine, depth int) bool {
	var texts []string
	c.indent, c.margin = -1, 1
	for _, l := range lines[c.top+1 : c.bottom] {
		text := strings.Join(l[c.left+1:c.right], "")
		core := strings.TrimRight(text, " ")
		texts = append(texts, core)
		if core == "" {
			continue
		}
		c.margin = min(c.margin, len(text)-len(core))
		if indent := len(core) - len(strings.TrimLeft(core, " ")); c.indent < 0 || indent < c.indent {
			c.indent = indent
		}
	}
	c.indent = max(c.indent, 0)
	for i, text := range texts {
		texts[i] = text[min(c.indent, len(text)):]
	}
	var err error
	if c.part, err = read(strings.Join(texts, "\n"), depth); err != nil {
		return false
	}
	for _, s := range c.part.Segments {
		if !s.Elsewhere {
			c.own = append(c.own, s)
		}
	}
	return true
}

// written are the lines of a cell.
func (c *cell) written(o segment.Options) []string {
	part := *c.part
	part.Segments = make([]*segment.Segment, len(c.own))
	for i, s := range c.own {
		own := *s
		own.Elsewhere = false
		part.Segments[i] = &own
	}
	text, err := part.Render(o)
	if err != nil {
		text = part.Source // segments of one text never overlap
	}
	return strings.Split(text, "\n")
}

// grid draws the table, with columns and rows as wide and high as they were, or as the cells need.
func (t *table) grid(o segment.Options, eol string) string {
	texts := make([][]string, len(t.cells))
	needX, needY := map[[2]int]int{}, map[[2]int]int{}
	for i, c := range t.cells {
		texts[i] = c.written(o)
		w := 0
		for _, l := range texts[i] {
			if l != "" {
				w = max(w, c.indent+len(canvas(l))+c.margin)
			}
		}
		x, y := [2]int{c.left, c.right}, [2]int{c.top, c.bottom}
		needX[x], needY[y] = max(needX[x], w+1), max(needY[y], len(texts[i])+1)
	}
	atX, atY := spread(t.xs, needX), spread(t.ys, needY)
	out := make([]canvasLine, atY[t.ys[len(t.ys)-1]]+1)
	for y := range out {
		out[y] = slices.Repeat(canvasLine{" "}, atX[t.xs[len(t.xs)-1]]+1)
	}
	for i, c := range t.cells {
		top, left, bottom, right := atY[c.top], atX[c.left], atY[c.bottom], atX[c.right]
		for x := left + 1; x < right; x++ {
			put(out, top, x, t.lines[c.top][c.left+1])
			put(out, bottom, x, t.lines[c.bottom][c.left+1])
		}
		for y := top + 1; y < bottom; y++ {
			put(out, y, left, "|")
			put(out, y, right, "|")
		}
		for n, l := range texts[i] {
			if n < bottom-top-1 {
				copy(out[top+1+n][left+1+c.indent:right], canvas(l))
			}
		}
	}
	for _, c := range t.cells { // over the borders of larger neighbours
		for _, x := range t.xs {
			if x >= c.left && x <= c.right {
				t.corner(out, c.top, x, atY, atX)
				t.corner(out, c.bottom, x, atY, atX)
			}
		}
		for _, y := range t.ys {
			if y >= c.top && y <= c.bottom {
				t.corner(out, y, c.left, atY, atX)
				t.corner(out, y, c.right, atY, atX)
			}
		}
	}
	lines := make([]string, len(out))
	for y, l := range out {
		lines[y] = strings.Join(l, "")
	}
	return joinLines(lines, eol, t.indent)
}

// joinLines puts lines below each other, those with text all as far indented.
func joinLines(lines []string, eol, indent string) string {
	var b strings.Builder
	for i, l := range lines {
		if i > 0 {
			b.WriteString(eol)
			if l != "" {
				b.WriteString(indent)
			}
		}
		b.WriteString(l)
	}
	return b.String()
}

// corner draws one where there was one.
func (t *table) corner(out []canvasLine, y, x int, atY, atX map[int]int) {
	if t.lines[y][x] == "+" {
		out[atY[y]][atX[x]] = "+"
	}
}

// put draws a border, not over the corner of another cell.
func put(out []canvasLine, y, x int, mark string) {
	if out[y][x] != "+" {
		out[y][x] = mark
	}
}

// spread is where borders get, so that there is between two what is needed there, and never less than was.
func spread(at []int, need map[[2]int]int) map[int]int {
	byEnd := map[int][][2]int{}
	for between := range need {
		byEnd[between[1]] = append(byEnd[between[1]], between)
	}
	to := map[int]int{at[0]: at[0]}
	for i := 1; i < len(at); i++ {
		to[at[i]] = to[at[i-1]] + at[i] - at[i-1]
		for _, between := range byEnd[at[i]] {
			to[at[i]] = max(to[at[i]], to[between[0]]+need[between])
		}
	}
	return to
}
