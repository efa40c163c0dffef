package markdown

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

// Limits, since parsing is recursive, and quadratic in the marks of a block.
const (
	maxSize    = 16 << 20 // bytes
	maxLine    = 1 << 20  // bytes
	maxNesting = 200      // of quotes and lists
	maxMarks   = 4000     // of emphasis and links in one block
)

var (
	tableRule = regexp.MustCompile(`^[ >]*\|?[ \t]*:?-+:?[ \t]*\|`)
	listItem  = regexp.MustCompile(`^[ \t>]*[-*+][ \t]`)
)

func checkLimits(body string) error {
	bad := func(line int, reason, hint string) error {
		return &segment.FormatError{Format: "Markdown", Line: line, Reason: reason, Hint: hint}
	}
	if len(body) > maxSize {
		return bad(0, "it is larger than 16 MiB", "split it into smaller files")
	}
	line, marks, table := 0, 0, false
	for l := range strings.SplitSeq(body, "\n") {
		line++
		if len(l) > maxLine {
			return bad(line, "the line is longer than 1 MiB", "break it into lines")
		}
		if nesting(l) > maxNesting {
			return bad(line, "quotes or lists are nested too deep", "simplify it")
		}
		switch {
		case strings.TrimSpace(l) == "":
			marks, table = 0, false
		case tableRule.MatchString(l):
			table = true
		}
		if table || listItem.MatchString(l) {
			marks = 0
		}
		for i := range len(l) {
			switch l[i] {
			case '*', '_', '[', ']', '~', '<', '`':
				marks++
			}
		}
		if marks > maxMarks && strings.Trim(l, "*_~` \t") != "" {
			return bad(line, "the paragraph has too much markup", "put empty lines between its parts")
		}
	}
	return nil
}

// nesting is how many quotes and lists a line can begin.
func nesting(line string) int {
	depth := 0
	for i, c := range line {
		switch {
		case c == ' ', c == '\t':
		case c == '>':
			depth++
		case (c == '-' || c == '*' || c == '+') && i+1 < len(line) && (line[i+1] == ' ' || line[i+1] == '\t'):
			depth++
		default:
			return depth
		}
	}
	return 0 // a rule, or nothing
}
