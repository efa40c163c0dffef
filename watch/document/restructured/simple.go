package restructured

import (
	"strings"

	"dragoman/watch/document/segment"
)

// simpleTable goes over a table whose columns are marked by = above and below them (docutils, "Simple Tables"). Its
// last border is before an empty line. One with cells over several columns stays.
func (r *reader) simpleTable(l line) {
	all, first, borders := []line{l}, r.at, 1
	for r.at++; r.at < len(r.lines); r.at++ {
		all = append(all, r.lines[r.at])
		if plainTable.MatchString(r.text(r.lines[r.at])) {
			if borders++; r.nextBlank(r.at + 1) {
				r.at++
				break
			}
		}
	}
	last := all[len(all)-1]
	if borders < 2 || borders > 3 || r.text(last) != r.text(l) {
		return
	}
	begin := strings.LastIndexByte(r.source[:last.start], '\n') + 1
	t := &table{start: l.start, end: last.end, indent: r.source[begin:last.start]}
	wide := 0
	for _, row := range all {
		if row.blank() {
			t.lines = append(t.lines, nil)
			continue
		}
		text := r.text(row)
		if row.column < l.column || strings.Contains(text, "\t") || len(text) > 4*maxTableWidth {
			return
		}
		drawn := append(canvas(strings.Repeat(" ", row.column-l.column)), canvas(text)...)
		t.lines, wide = append(t.lines, drawn), max(wide, len(drawn))
	}
	for i := range t.lines {
		for len(t.lines[i]) < wide {
			t.lines[i] = append(t.lines[i], " ")
		}
	}
	if wide > maxTableWidth || !t.columns(wide) {
		return
	}
	t.draw = t.simple
	r.keepTable(t, first)
}

// columns finds the cells: a row begins where the first column has a text.
func (t *table) columns(wide int) bool {
	border := strings.TrimRight(strings.Join(t.lines[0], ""), " ")
	for at := 0; at < len(border); at++ {
		if border[at] == '=' && (at == 0 || border[at-1] == ' ') {
			t.xs = append(t.xs, at)
		}
	}
	isBorder := func(y int) bool { return strings.TrimRight(strings.Join(t.lines[y], ""), " ") == border }
	begins := func(y int) bool {
		return strings.TrimLeft(strings.Join(t.lines[y][:strings.IndexByte(border, ' ')], ""), " ") != ""
	}
	for y := 1; y < len(t.lines)-1; {
		if isBorder(y) {
			y++
			continue
		}
		if !begins(y) || strings.Trim(strings.Join(t.lines[y], ""), "-= ") == "" { // an empty line, or cells that go over columns
			return false
		}
		end := y + 1
		for end < len(t.lines)-1 && !isBorder(end) && !begins(end) {
			if core := strings.Trim(strings.Join(t.lines[end], ""), " "); core != "" && strings.Trim(core, "-= ") == "" {
				return false
			}
			end++
		}
		for i, x := range t.xs {
			right := wide
			if i+1 < len(t.xs) {
				right = t.xs[i+1]
				for _, l := range t.lines[y:end] {
					for gap := x + strings.IndexByte(border[x:]+" ", ' '); gap < right; gap++ {
						if l[gap] != " " { // a text over the border of its column
							return false
						}
					}
				}
			}
			t.cells = append(t.cells, cell{top: y - 1, bottom: end, left: x - 1, right: right})
		}
		y = end
	}
	return len(t.cells) > 0 && len(t.cells) <= maxCells
}

// simple draws the table with columns as wide as they were, or as the cells need.
func (t *table) simple(o segment.Options, eol string) string {
	texts := make([][]string, len(t.cells))
	border := strings.TrimRight(strings.Join(t.lines[0], ""), " ")
	n := len(t.xs)
	widths, were, gaps := make([]int, n), make([]int, n), make([]int, n)
	for i, x := range t.xs {
		widths[i] = strings.IndexByte(border[x:]+" ", ' ')
		if i+1 < n {
			gaps[i] = t.xs[i+1] - x - widths[i]
		}
	}
	need := func(c cell, lines []string) (most int) {
		for _, l := range lines {
			if l != "" {
				most = max(most, c.indent+len(canvas(l)))
			}
		}
		return most
	}
	copy(were, widths)
	for i, c := range t.cells { // a text of the last column may go on behind its border
		were[i%n] = max(were[i%n], need(c, strings.Split(c.part.Source, "\n")))
	}
	grown := make([]int, n)
	for i, c := range t.cells {
		texts[i] = c.written(o)
		if i%n == 0 && len(texts[i]) > len(strings.Split(c.part.Source, "\n")) {
			return t.joined() // another line would be another row
		}
		grown[i%n] = max(grown[i%n], need(c, texts[i])-were[i%n])
	}
	var lines []string
	var marks strings.Builder
	for i := range n {
		marks.WriteString(strings.Repeat("=", widths[i]+grown[i]) + strings.Repeat(" ", gaps[i]))
	}
	put := func(row []cell, texts [][]string) {
		height := row[0].bottom - row[0].top - 1
		for _, text := range texts {
			height = max(height, len(text))
		}
		for y := range height {
			var b strings.Builder
			for i, c := range row {
				text := ""
				if y < len(texts[i]) && texts[i][y] != "" {
					text = strings.Repeat(" ", c.indent) + texts[i][y]
				}
				b.WriteString(text)
				b.WriteString(strings.Repeat(" ", max(0, widths[i]+grown[i]+gaps[i]-len(canvas(text)))))
			}
			lines = append(lines, strings.TrimRight(b.String(), " "))
		}
	}
	y := 0
	for i := 0; i < len(t.cells); i += n {
		for ; y <= t.cells[i].top; y++ {
			lines = append(lines, marks.String())
		}
		put(t.cells[i:i+n], texts[i:i+n])
		y = t.cells[i].bottom
	}
	for ; y < len(t.lines); y++ {
		lines = append(lines, marks.String())
	}
	return joinLines(lines, eol, t.indent)
}
