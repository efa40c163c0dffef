package restructured

import (
	"strings"

	"dragoman/watch/document/segment"
)

// simpleTable goes over a table whose columns are marked by = above and below them (docutils, "Simple Tables"). Its
// last border is before an empty line.
func (r *reader) simpleTable(l line) {
	all, first, borders := []line{l}, r.at, 1
	for r.at++; r.at < len(r.lines); r.at++ {
		all = append(all, r.lines[r.at])
		if tableBorder.MatchString(r.text(r.lines[r.at])) {
			if borders++; r.nextBlank(r.at + 1) {
				r.at++
				break
			}
		}
	}
	last := all[len(all)-1]
	if borders < 2 || borders > 3 {
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

// column is a column of a table, or several that a cell goes over.
type column struct {
	start, end  int // of its mark
	first, last int // of the columns
}

// marked are the columns that the marks of a border tell.
func marked(border string, mark byte) (all []column) {
	for at := 0; at < len(border); at++ {
		if border[at] != mark || at > 0 && border[at-1] == mark {
			continue
		}
		end := at + len(border[at:]) - len(strings.TrimLeft(border[at:], string(mark)))
		all = append(all, column{at, end, len(all), len(all)})
	}
	return all
}

// over are the columns that a line below a row tells, by which cells go over several; nil where they
// do not begin and end where columns do.
func over(columns []column, line string) []column {
	all := marked(line, line[0])
	next := 0
	for i := range all {
		one := &all[i]
		if next >= len(columns) || columns[next].start != one.start {
			return nil
		}
		one.first = next
		for next < len(columns) && columns[next].end < one.end {
			next++
		}
		if next >= len(columns) || columns[next].end != one.end {
			return nil
		}
		one.last = next
		next++
	}
	if next != len(columns) {
		return nil
	}
	return all
}

// row are cells beside each other.
type row struct {
	cells []int // in the table
	marks []column
	under string // the mark of a line below it that tells its columns, "" where there is none
}

// columns finds the cells: a row begins where the first column has a text.
func (t *table) columns(wide int) bool {
	line := func(y int) string { return strings.TrimRight(strings.Join(t.lines[y], ""), " ") }
	border := line(0)
	t.marks = marked(border, '=')
	isBorder := func(y int) bool { return line(y) == border }
	isUnder := func(y int) bool {
		l := line(y)
		return l != "" && l != border && (strings.Trim(l, "- ") == "" || strings.Trim(l, "= ") == "") && l[0] != ' '
	}
	begins := func(y int) bool {
		return strings.TrimLeft(strings.Join(t.lines[y][t.marks[0].start:t.marks[0].end], ""), " ") != ""
	}
	for y := 1; y < len(t.lines)-1; {
		if isBorder(y) {
			y++
			continue
		}
		if !begins(y) || strings.Trim(line(y), "-= ") == "" {
			return false
		}
		end := y + 1
		for end < len(t.lines) && !isBorder(end) && !isUnder(end) && !begins(end) {
			if core := strings.Trim(line(end), " "); core != "" && strings.Trim(core, "-= ") == "" {
				return false
			}
			end++
		}
		if end == len(t.lines) {
			return false
		}
		r := row{marks: t.marks}
		if isUnder(end) {
			r.under = line(end)[:1]
			if r.marks = over(t.marks, line(end)); r.marks == nil {
				return false
			}
		}
		for i, m := range r.marks {
			right := wide
			if i+1 < len(r.marks) {
				right = r.marks[i+1].start
				for _, l := range t.lines[y:end] {
					for gap := m.end; gap < right; gap++ {
						if l[gap] != " " { // a text over the border of its column
							return false
						}
					}
				}
			}
			r.cells = append(r.cells, len(t.cells))
			t.cells = append(t.cells, cell{top: y - 1, bottom: end, left: m.start - 1, right: right})
		}
		t.rows = append(t.rows, r)
		if y = end; r.under != "" {
			y++
		}
	}
	return len(t.cells) > 0 && len(t.cells) <= maxCells
}

// simple draws the table with columns as wide as they were, or as the cells need.
func (t *table) simple(o segment.Options, eol string) string {
	texts := make([][]string, len(t.cells))
	grown := make([]int, len(t.marks))
	width := func(m column) (w int) { // with the gaps between its columns
		w = m.end - m.start
		for i := m.first; i <= m.last; i++ {
			w += grown[i]
		}
		return w
	}
	need := func(c cell, lines []string) (most int) {
		for _, l := range lines {
			if l != "" {
				most = max(most, c.indent+len(canvas(l)))
			}
		}
		return most
	}
	// A text of the last column may go on behind its border.
	behind := make([]int, len(t.marks))
	for _, r := range t.rows {
		for i, m := range r.marks {
			c := t.cells[r.cells[i]]
			behind[m.last] = max(behind[m.last], need(c, strings.Split(c.part.Source, "\n"))-(m.end-m.start))
		}
	}
	for _, wide := range []bool{false, true} { // cells of one column first
		for _, r := range t.rows {
			for i, m := range r.marks {
				if wide != (m.last > m.first) {
					continue
				}
				c, n := t.cells[r.cells[i]], r.cells[i]
				texts[n] = c.written(o)
				if i == 0 && len(texts[n]) > len(strings.Split(c.part.Source, "\n")) {
					return t.joined() // another line would be another row
				}
				grown[m.last] += max(0, need(c, texts[n])-width(m)-behind[m.last])
			}
		}
	}
	var lines []string
	drawn := func(marks []column, mark string) string {
		var b strings.Builder
		for i, m := range marks {
			b.WriteString(strings.Repeat(mark, width(m)))
			if i+1 < len(marks) {
				b.WriteString(strings.Repeat(" ", marks[i+1].start-m.end))
			}
		}
		return b.String()
	}
	y := 0
	for _, r := range t.rows {
		for ; y <= t.cells[r.cells[0]].top; y++ {
			lines = append(lines, drawn(t.marks, "="))
		}
		height := 0
		for _, n := range r.cells {
			height = max(height, len(texts[n]), t.cells[n].bottom-t.cells[n].top-1)
		}
		for at := range height {
			var b strings.Builder
			for i, n := range r.cells {
				text := ""
				if at < len(texts[n]) && texts[n][at] != "" {
					text = strings.Repeat(" ", t.cells[n].indent) + texts[n][at]
				}
				b.WriteString(text)
				if i+1 < len(r.cells) {
					b.WriteString(strings.Repeat(" ", max(0, width(r.marks[i])+r.marks[i+1].start-r.marks[i].end-len(canvas(text)))))
				}
			}
			lines = append(lines, strings.TrimRight(b.String(), " "))
		}
		if y = t.cells[r.cells[0]].bottom; r.under != "" {
			lines = append(lines, drawn(r.marks, r.under))
			y++
		}
	}
	for ; y < len(t.lines); y++ {
		lines = append(lines, drawn(t.marks, "="))
	}
	return joinLines(lines, eol, t.indent)
}
