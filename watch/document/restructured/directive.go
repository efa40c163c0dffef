package restructured

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"dragoman/watch/document/segment"
)

var (
	directive = regexp.MustCompile(`^\.\.[ \t]+(\|[^|]+\|[ \t]+)?([A-Za-z][\w:+.-]*?)[ \t]?::(?:[ \t]+|$)`)
	target    = regexp.MustCompile(`^\.\.[ \t]+_`)
	optionRow = regexp.MustCompile(`^:([\w-]+):(?:[ \t]+|$)`)
	word      = regexp.MustCompile(`^\S+[ \t]*`)
)

// What directives of docutils, Sphinx and well-known extensions hold. What is in none
// of these tables stays as it is: it may be a program.
var (
	// texts have paragraphs as their content, which may begin on the first line.
	texts = segment.Names(`attention caution danger error hint important note tip warning seealso todo
		epigraph highlights pull-quote compound centered hlist header footer`)
	// titled have a title and then paragraphs.
	titled = segment.Names("admonition topic sidebar rubric list-table contents dropdown tab-item grid-item-card card")
	// tables have a title, and rows that stay.
	tables = segment.Names("table csv-table")
	// dated have a version and then a text.
	dated = segment.Names("versionadded versionchanged deprecated versionremoved")
	// described have names or an address as their argument, and paragraphs as their
	// content.
	described = segment.Names(`figure function class method classmethod staticmethod attribute property data exception decorator
		decoratormethod module describe object option cmdoption program envvar confval setting directive role opcode
		macro type struct union enum enumerator member var container only tabs tab-set grid grid-item cssclass rst-class`)
	// shown are options whose values readers see.
	shown = segment.Names("alt caption title subtitle")
)

// explicit reads a block that begins with two dots.
func (r *reader) explicit(l line) {
	text := r.text(l)
	if found := footnote.FindString(text); found != "" {
		r.marked(l, len(found), false)
		return
	}
	found := directive.FindStringSubmatch(text)
	if found == nil { // a comment or a target
		if text == ".." && r.nextBlank(r.at+1) {
			r.at++ // an empty comment has nothing below it
			return
		}
		r.at++
		if target.MatchString(text) {
			r.continued(l.column)
		} else {
			r.below(l.column)
		}
		return
	}
	name := strings.ToLower(found[2])
	rest := line{start: l.start + len(found[0]), end: l.end, column: l.column + utf8.RuneCountInString(found[0])}
	switch {
	case texts[name]:
		if rest.blank() {
			r.at++
			r.options(l.column)
			return
		}
		r.paragraph(rest, &l.column)
	case name == "replace" && found[1] != "":
		if !rest.blank() {
			r.paragraph(rest, &l.column)
			return
		}
		r.at++
	case titled[name]:
		r.at++
		if !rest.blank() {
			r.add([]line{rest}, segment.Heading)
		}
		r.arguments(l.column)
		r.options(l.column)
	case dated[name]:
		version := word.FindString(r.text(rest))
		rest.start += len(version)
		rest.column += utf8.RuneCountInString(version)
		if rest.blank() || version == "" {
			r.at++
			return
		}
		r.paragraph(rest, &l.column)
	case tables[name]:
		r.at++
		if !rest.blank() {
			r.add([]line{rest}, segment.Heading)
		}
		r.options(l.column)
		if name != "table" { // which has one that is drawn
			r.below(l.column)
		}
	case described[name] || strings.Contains(name, ":") && !strings.HasPrefix(name, "auto"):
		r.at++
		r.arguments(l.column)
		r.options(l.column)
	case name == "glossary":
		r.at++
		r.options(l.column)
		r.glossary(l.column)
	default:
		r.at++
		r.options(l.column)
		r.below(l.column)
	}
}

// continued goes over lines that go on with a target.
func (r *reader) continued(column int) {
	for r.at < len(r.lines) && !r.lines[r.at].blank() && r.lines[r.at].column > column {
		r.at++
	}
}

// arguments goes over further lines of an argument.
func (r *reader) arguments(column int) {
	for r.at < len(r.lines) && !r.lines[r.at].blank() && r.lines[r.at].column > column && !optionRow.MatchString(r.text(r.lines[r.at])) {
		r.at++
	}
}

// options reads those of a directive, which are the lines right below it.
func (r *reader) options(column int) {
	for r.at < len(r.lines) {
		l := r.lines[r.at]
		found := optionRow.FindStringSubmatch(r.text(l))
		if l.blank() || l.column <= column || found == nil {
			return
		}
		lines := []line{{start: l.start + len(found[0]), end: l.end, column: l.column + len(found[0])}}
		for r.at++; r.at < len(r.lines) && !r.lines[r.at].blank() && r.lines[r.at].column > l.column; r.at++ {
			lines = append(lines, r.lines[r.at])
		}
		if shown[strings.ToLower(found[1])] && !lines[0].blank() {
			r.add(lines, segment.Attribute)
		}
	}
}

// glossary reads the definitions of terms. The terms stay, since other files refer to
// them.
func (r *reader) glossary(column int) {
	term := -1
	for r.at < len(r.lines) {
		l := r.lines[r.at]
		switch {
		case l.blank():
			r.at++
		case l.column <= column:
			return
		case term < 0 || l.column <= term:
			term = l.column
			r.at++
		default:
			r.block(l)
		}
	}
}
