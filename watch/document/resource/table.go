package resource

import (
	"fmt"
	"strings"

	"dragoman/watch/document/segment"
)

// ReadCSV takes a table apart (RFC 4180) whose cells are divided by the character that
// the first line has most: comma, semicolon, tab or bar.
func ReadCSV(body string, rules *Columns) (*segment.Part, error) {
	return readTable(body, delimiter(body[remarks(body):]), rules)
}

// ReadTSV takes a table apart whose cells are divided by tabs.
func ReadTSV(body string, rules *Columns) (*segment.Part, error) { return readTable(body, '\t', rules) }

func delimiter(body string) byte {
	first, _, _ := strings.Cut(body[:min(len(body), 64<<10)], "\n")
	best, most := byte(','), 0
	for _, c := range []byte(",;\t|") {
		// Where the first line does not tell, the next ones may.
		if n := outsideQuotes(first, c)*10_000 + outsideQuotes(body[:min(len(body), 4<<10)], c); n > most && n >= 10_000 {
			best, most = c, n
		}
	}
	return best
}

// remarks is where lines end that a file begins with and that have # before a text for whoever reads the file.
func remarks(body string) (end int) {
	for strings.HasPrefix(body[end:], "#") {
		next := strings.IndexByte(body[end:], '\n')
		if next < 0 {
			return 0
		}
		end += next + 1
	}
	return end
}

// withRemarks says which of these are no rows: those with other cells than the first row below them has.
func withRemarks(body string, by byte) (end int) {
	below := remarks(body)
	first, _, _ := strings.Cut(body[below:], "\n")
	cells := outsideQuotes(first, by)
	for end < below && cells > 0 {
		line, _, _ := strings.Cut(body[end:below], "\n")
		if strings.Count(line, string(by)) == cells {
			break
		}
		end += len(line) + 1
	}
	return end
}

// outsideQuotes counts a character that is not between quotation marks.
func outsideQuotes(s string, c byte) (n int) {
	quoted := false
	for i := range len(s) {
		if s[i] == '"' {
			quoted = !quoted
		} else if s[i] == c && !quoted {
			n++
		}
	}
	return n
}

func readTable(body string, by byte, rules *Columns) (*segment.Part, error) {
	r := &reader{source: body}
	type cell struct {
		row, column, start, end int
	}
	var cells []cell
	var names []string // in the first row
	begin := withRemarks(body, by)
	row, column := 1+strings.Count(body[:begin], "\n"), 1
	head := row
	for at := begin; at < len(body); {
		start, quoted := at, body[at] == '"'
		if quoted {
			for at++; at < len(body); at++ {
				if body[at] != '"' {
					continue
				}
				if at+1 < len(body) && body[at+1] == '"' {
					at++
					continue
				}
				break
			}
			if at == len(body) {
				return nil, &segment.FormatError{Format: "table", Line: segment.LineOf(body, start), Reason: "a cell begins with a quotation mark and has no other at its end", Hint: "write marks within a cell twice"}
			}
			at++
		}
		for at < len(body) && body[at] != by && body[at] != '\n' && body[at] != '\r' {
			at++
		}
		cells = append(cells, cell{row, column, start, at})
		if row == head {
			names = append(names, strings.ReplaceAll(strings.Trim(body[start:at], `"`), `""`, `"`))
		}
		if at == len(body) {
			break
		}
		switch {
		case body[at] == by:
			column++
		case strings.HasPrefix(body[at:], "\r\n"):
			at++
			fallthrough
		default:
			row, column = row+1, 1
		}
		at++
	}
	rules, err := rules.resolved(names)
	if err != nil {
		return nil, err
	}
	for _, c := range cells {
		if says := rules.of(c.row-head+1, c.column); says != left {
			r.cell(fmt.Sprintf("row %d, column %d", c.row, c.column), c.start, c.end, by, says)
		}
	}
	return r.part(), nil
}

func (r *reader) cell(id string, start, end int, by byte, says verdict) {
	raw := r.source[start:end]
	quoted := strings.HasPrefix(raw, `"`)
	shown := raw
	if quoted {
		if !strings.HasSuffix(raw, `"`) || len(raw) < 2 {
			return // more after the mark: not a cell as others read it
		}
		shown = strings.ReplaceAll(raw[1:len(raw)-1], `""`, `"`)
	}
	if says == silent && !forPeople(shown) || !segment.HasWords(shown) || strings.HasPrefix(shown, "=") {
		return
	}
	r.add(id, segment.Cell, segment.Slot{Text: shown, Start: start, End: end, Escape: func(text string) string {
		if by == '\t' && !quoted {
			return strings.NewReplacer("\t", " ", "\n", " ", "\r", " ").Replace(text)
		}
		if quoted || strings.ContainsAny(text, "\"\r\n"+string(by)) || strings.ContainsFunc(text, func(c rune) bool {
			return strings.ContainsRune(",;\t|", c) && !strings.ContainsRune(raw, c)
		}) {
			return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
		}
		return text
	}}, "")
}
