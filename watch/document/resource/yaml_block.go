package resource

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

var (
	// blockHead is what is behind the colon of a block scalar (YAML 1.2, section 8.1).
	blockHead = regexp.MustCompile(`^([|>])[-+0-9]{0,2}[ \t]*(#.*)?$`)
	// program are keys whose blocks are for programs.
	program = regexp.MustCompile(`(?i)^(run|scripts?|.*_script|inlinescript|bash|pwsh|powershell|commands?|cmd|args|entrypoint|if|when|condition|code|sql|query|css|js|html|template|data|config|source|shell|exec|key|cert.*|patch|regex|pattern)$`)
	// codeLine is a line that nobody wrote for people.
	codeLine = regexp.MustCompile(`^(#!|//|\$ |[\w.-]+=|[\w.-]+:( |$)|<[/!?a-zA-Z]|[{}\[\])]|-----)|([;{}\\]|&&|\|\|)$`)
	// condition is a value that shells and the like read: an assignment, or their marks between words.
	condition = regexp.MustCompile(`^[\w.-]+=\S| (&&|\|\||==|!=) |^[\w.]+ (=|=~|<|>|<=|>=) \S+$`)
	// executed are keys of commands, and of lists of these or of their arguments.
	executed = regexp.MustCompile(`(?i)^(run|scripts?|.*_script|inlinescript|bash|pwsh|powershell|commands?|cmd|args|entrypoint|shell|exec)$`)
	// arguments are what a command has: a name in lower case or the place of a file first, or a switch.
	arguments = regexp.MustCompile(`^/|^[a-z][^ ]* |(^| )--?[a-zA-Z]`)
	// item is how a line of a list begins in a text.
	item = regexp.MustCompile(`^([-*+•]|\d{1,3}[.)])(?:[ \t]+|$)`)
)

// wrapped is the length in columns from which on, in the mean, lines are those of a
// text that was wrapped, and not lines of their own.
const wrapped = 40

// block takes the lines of a block scalar apart, where they are for people: a paragraph is a
// segment, which keeps its lines.
func (r *reader) block(id, key string, folded bool, lines []segment.Span) {
	if program.MatchString(key) || technical.MatchString(key) && !folded {
		return
	}
	text := 0
	for _, l := range lines {
		core := strings.TrimSpace(r.source[l.Start:l.End])
		if codeLine.MatchString(core) {
			return
		}
		if severalWords(core) && forPeople(core) {
			text++
		}
	}
	if text == 0 {
		return
	}
	var paragraph []segment.Span
	depth, starts := 0, 0 // the indentation of a paragraph's lines
	flush := func() {
		r.paragraph(id, folded, paragraph)
		paragraph = nil
	}
	for _, l := range lines {
		line := strings.TrimRight(r.source[l.Start:l.End], " \t")
		core := strings.TrimLeft(line, " \t")
		mark := item.FindString(core)
		if core == mark { // empty, or an item without text
			flush()
			continue
		}
		indent := len(line) - len(core)
		if len(paragraph) > 0 && (indent != depth && indent != starts || mark != "") {
			flush()
		}
		if len(paragraph) == 0 {
			depth, starts = indent, indent+len(mark)
		}
		depth = indent
		if len(paragraph) == 0 && mark != "" {
			depth = starts
		}
		paragraph = append(paragraph, segment.Span{Start: l.Start + indent + len(mark), End: l.Start + len(line)})
	}
	flush()
}

// paragraph adds the lines of a block that belong together.
func (r *reader) paragraph(id string, folded bool, lines []segment.Span) {
	var b strings.Builder
	long, before := 0, ""
	for _, l := range lines {
		line := r.source[l.Start:l.End]
		b.WriteString(segment.LineEnd(before, line) + line)
		before = line
		for _, c := range line {
			long++
			if segment.Unspaced(c) { // as wide as two
				long++
			}
		}
	}
	if len(lines) == 0 {
		return
	}
	if !folded && long < wrapped*len(lines) && len(lines) > 1 {
		for _, l := range lines {
			r.paragraph(id, folded, []segment.Span{l})
		}
		return
	}
	text := b.String()
	if !segment.HasWords(text) {
		return
	}
	r.add(id, segment.Message, segment.Slot{Text: text, Start: lines[0].Start, End: lines[len(lines)-1].End, Escape: func(out string) string {
		out = strings.Join(strings.Fields(out), " ")
		if folded {
			return refold(r.source, lines, out)
		}
		return segment.Rebreak(r.source, lines, out)
	}}, "")
}
