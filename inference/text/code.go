package text

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// coder finds the code of a text. It looks at no line twice, and for what closes a fence
// only where there is one.
type coder struct {
	text    string
	from    int               // no code begins before
	closers map[byte][]closer // by their mark, in order; found with the first fence
}

// closer is a line that closes a fence.
type closer struct {
	at      int // where it begins
	marks   int
	longest int // of the marks of this line and those behind it
}

// end returns the end of the code that begins with the line at pos, or pos where it
// is none.
//
// Code is what stands between two fences, as CommonMark has them, and a block of
// indented lines (CommonMark: four spaces or a tab) of which none reads like a sentence
// and half show what only code has.
func (c *coder) end(pos int) (end int) {
	if pos >= c.from {
		end, c.from = c.look(pos)
		return end
	}
	return pos
}

// look returns also where the next code may begin.
func (c *coder) look(pos int) (end, from int) {
	text := c.text
	stop, next := lineEnd(text, pos)
	if fence := fenceOf(text[pos:stop]); fence != "" {
		if end := c.fencedEnd(next, fence); end > 0 {
			return end, end
		}
		return pos, next
	}
	lines, code := 0, 0
	for end, from = pos, pos; from < len(text); from = next {
		stop, next = lineEnd(text, from)
		line := text[from:stop]
		body := strings.TrimSpace(line)
		if body == "" && lines > 0 {
			continue
		}
		if !isIndented(line) || readsLikeASentence(body) {
			break
		}
		lines++
		if looksLikeCode(body) {
			code++
		}
		end = next
	}
	if code > 0 && 2*code >= lines && !(from < len(text) && isIndentedAt(text, from)) {
		return end, end
	}
	// A line that reads like a sentence spoils its block.
	for from < len(text) && isIndentedAt(text, from) {
		_, from = lineEnd(text, from)
	}
	_, next = lineEnd(text, pos)
	return pos, max(from, next)
}

func isIndentedAt(text string, pos int) bool {
	end, _ := lineEnd(text, pos)
	return isIndented(text[pos:end])
}

func isIndented(line string) bool {
	return strings.HasPrefix(line, "\t") || strings.HasPrefix(line, "    ")
}

// fenceOf returns the backticks or tildes that begin a line, three or more.
func fenceOf(line string) string {
	body := strings.TrimLeft(line, " ")
	for _, mark := range []string{"`", "~"} {
		if n := len(body) - len(strings.TrimLeft(body, mark)); n >= 3 && !strings.Contains(body[n:], mark) {
			return body[:n]
		}
	}
	return ""
}

// fencedEnd returns the end of the line behind pos that closes a fence, 0 where none does.
func (c *coder) fencedEnd(pos int, fence string) int {
	if c.closers == nil {
		c.closers = map[byte][]closer{'`': closersOf(c.text, "`"), '~': closersOf(c.text, "~")}
	}
	all := c.closers[fence[0]]
	first, _ := slices.BinarySearchFunc(all, pos, func(l closer, pos int) int { return l.at - pos })
	if first == len(all) || all[first].longest < len(fence) {
		return 0
	}
	i := first + slices.IndexFunc(all[first:], func(l closer) bool { return l.marks >= len(fence) })
	_, next := lineEnd(c.text, all[i].at)
	return next
}

// closersOf are the lines with nothing but three marks or more, and spaces.
func closersOf(text, mark string) (all []closer) {
	for pos, next := 0, 0; pos < len(text); pos = next {
		var end int
		end, next = lineEnd(text, pos)
		if marks := strings.Trim(text[pos:end], " "); len(marks) >= 3 && strings.Trim(marks, mark) == "" {
			all = append(all, closer{at: pos, marks: len(marks)})
		}
	}
	longest := 0
	for i := range slices.Backward(all) {
		longest = max(longest, all[i].marks)
		all[i].longest = longest
	}
	return all
}

// longLine is how many bytes of a line are looked at: expressions take microseconds a byte.
const longLine = 4 << 10

// looksLikeCode says whether a line has what prose has not.
func looksLikeCode(line string) bool {
	line = line[:min(len(line), longLine)]
	word, rest, _ := strings.Cut(line, " ")
	if slices.Contains(commands, word) && rest != "" && !strings.HasSuffix(line, ".") {
		return true
	}
	return codeSigns.MatchString(line)
}

// codeSigns are calls, assignments, operators, flags, prompts, blocks and markup.
var codeSigns = regexp.MustCompile(`[\pL\d_\])]\([^ )]|\w\(\)|[=!<>]=|[^ ]+ = [^ ]|->|=>|&&|\|\||::|[;{}]$|^[{}\]]|\):$|^[$#%>] \w|(^| )--?\w[\w-]*( |=|$)|^</?\w[^>]*>`)

// commands begin lines of programs and of shells.
var commands = strings.Fields(`import from def return class func var let const package public private static void int char
		print echo sudo apt apt-get git pip npm go cd ls mkdir rm cp mv cat curl wget docker make ssh systemctl export set
		SELECT INSERT UPDATE DELETE CREATE DROP ALTER #include #define using namespace try: else: elif except`)

// readsLikeASentence says whether a line has five words of small letters in a row, or
// ends as a sentence does behind two.
func readsLikeASentence(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	if slices.Contains(commands, word) {
		return false
	}
	run := 0
	for w := range strings.FieldsSeq(line) {
		bare := strings.TrimRight(w, ",.!?:")
		if bare == "" || strings.ContainsFunc(bare, func(c rune) bool { return !unicode.IsLetter(c) && c != '\'' && c != '’' }) {
			run = 0
			continue
		}
		if run++; run >= 5 || run >= 2 && strings.ContainsAny(w[len(w)-1:], ".!?") {
			return true
		}
	}
	return false
}
