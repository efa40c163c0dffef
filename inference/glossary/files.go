package glossary

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"dragoman/inference/ownfiles"
)

// Extensions are the files that are read: tables, termbases, lists of words
// that stay as they are.
var Extensions = []string{".csv", ".tsv", ".tbx", ".txt"}

const (
	mostTerm    = 200     // bytes of a term
	mostEntries = 200_000 // of one file
)

// FileError is what is wrong with a file, of which then nothing is taken.
type FileError struct {
	File   string
	Line   int
	Reason string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("glossary %s, line %d: %s", filepath.Base(e.File), e.Line, e.Reason)
}

// Parse reads a file by its name's extension.
func Parse(name string, r io.Reader) ([]Entry, error) {
	switch extension := strings.ToLower(filepath.Ext(name)); extension {
	case ".csv":
		b := bufio.NewReader(ownfiles.DropMark(r))
		return parseTable(name, b, separator(b))
	case ".tsv":
		return parseTable(name, r, '\t')
	case ".tbx":
		return parseTBX(name, r)
	case ".txt":
		return parseList(name, r)
	default:
		return nil, &FileError{name, 1, fmt.Sprintf("files ending in %q are not known: use one of %s", extension, strings.Join(Extensions, " "))}
	}
}

// separator is the one of a table by its first line: spreadsheets write semicolons
// where the comma is in numbers.
func separator(b *bufio.Reader) rune {
	head, _ := b.Peek(b.Size()) // shorter files give what there is
	head, _, _ = bytes.Cut(head, []byte("\n"))
	if bytes.Contains(head, []byte(";")) && !bytes.Contains(head, []byte(",")) {
		return ';'
	}
	return ','
}

// parseTable reads a table whose first line names languages ("en,de,fr"), or the
// columns from, to, source and target. Cells that are empty are no terms.
func parseTable(name string, r io.Reader, comma rune) (entries []Entry, err error) {
	table := csv.NewReader(ownfiles.DropMark(r))
	table.Comma, table.FieldsPerRecord, table.ReuseRecord, table.TrimLeadingSpace = comma, -1, true, true
	var head []string
	for {
		record, err := table.Read()
		if err == io.EOF {
			break
		}
		var broken *csv.ParseError
		if errors.As(err, &broken) {
			return nil, &FileError{name, broken.Line, broken.Err.Error()}
		} else if err != nil {
			return nil, err
		}
		line, _ := table.FieldPos(0)
		if head == nil {
			if head, err = tableHead(name, line, record); err != nil {
				return nil, err
			}
			continue
		}
		if len(record) > len(head) {
			return nil, &FileError{name, line, fmt.Sprintf("it has %d cells, the first line %d: put quotes around cells with a separator", len(record), len(head))}
		}
		if entries, err = appendRow(entries, name, line, head, record); err != nil {
			return nil, err
		}
	}
	if head == nil {
		return nil, &FileError{name, 1, "it is empty: the first line names the languages, such as en,de"}
	}
	return entries, nil
}

func tableHead(name string, line int, record []string) (head []string, err error) {
	for _, cell := range record {
		head = append(head, strings.ToLower(strings.TrimSpace(cell)))
	}
	if slices.Contains(head, "source") && slices.Contains(head, "target") {
		return head, nil
	}
	for _, code := range head {
		if !isLanguage(code) {
			return nil, &FileError{name, line, fmt.Sprintf("%q is no language: the first line names the languages, such as en,de, or from,to,source,target", code)}
		}
	}
	if len(head) < 2 {
		return nil, &FileError{name, line, "it has one column: a term and its translation need two, and words that stay go into a .txt file"}
	}
	return head, nil
}

// isLanguage says whether code looks like a language's.
func isLanguage(code string) bool {
	base, _, _ := strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return len(base) >= 2 && len(base) <= 3 && strings.Trim(base, "abcdefghijklmnopqrstuvwxyz") == ""
}

func appendRow(entries []Entry, name string, line int, head, record []string) ([]Entry, error) {
	cell := map[string]string{}
	for i, c := range record {
		c = strings.TrimSpace(c)
		if err := checkTerm(name, line, c); err != nil {
			return nil, err
		}
		cell[head[i]] = c
	}
	if slices.Contains(head, "source") && slices.Contains(head, "target") {
		if cell["source"] == "" {
			return entries, nil
		}
		if err := checkWord(name, line, cell["source"]); err != nil {
			return nil, err
		}
		for _, column := range []string{"from", "to"} {
			if code := base(cell[column]); code != "" && !isLanguage(code) {
				return nil, &FileError{name, line, fmt.Sprintf("%q is no language: use a code such as en, or nothing for all", cell[column])}
			}
		}
		return limit(append(entries, Entry{base(cell["from"]), base(cell["to"]), cell["source"], cell["target"], name, line}), name, line)
	}
	if err := checkConcept(name, line, cell); err != nil {
		return nil, err
	}
	return limit(appendConcept(entries, name, line, cell), name, line)
}

// appendConcept adds each term of a concept, by language, in all directions.
func appendConcept(entries []Entry, name string, line int, terms map[string]string) []Entry {
	codes := make([]string, 0, len(terms))
	for code, term := range terms {
		if term != "" {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes)
	for _, from := range codes {
		for _, to := range codes {
			if from != to && HasWord(terms[from]) {
				entries = append(entries, Entry{base(from), base(to), terms[from], terms[to], name, line})
			}
		}
	}
	return entries
}

// base is a language without region.
func base(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(strings.ToLower(code), "_", "-"), "-")
	return code
}

func limit(entries []Entry, name string, line int) ([]Entry, error) {
	if len(entries) > mostEntries {
		return nil, &FileError{name, line, fmt.Sprintf("it has more than %d entries", mostEntries)}
	}
	return entries, nil
}

func checkTerm(name string, line int, term string) error {
	switch {
	case !utf8.ValidString(term):
		return &FileError{name, line, "it is not UTF-8"}
	case len(term) > mostTerm:
		return &FileError{name, line, fmt.Sprintf("a term has %d bytes, at most %d are taken", len(term), mostTerm)}
	case strings.ContainsAny(term, "\n\r\x00"):
		return &FileError{name, line, "a term holds a line end"}
	}
	return nil
}

// checkWord refuses a term that would never be found. In the own file there may be
// some from before that was checked.
func checkWord(name string, line int, term string) error {
	if HasWord(term) || filepath.Base(name) == Own {
		return nil
	}
	return &FileError{name, line, fmt.Sprintf("%q has neither letters nor digits, so it is found in no text: leave it out", term)}
}

// checkConcept refuses a concept none of whose terms would be found. A sign may be
// what a word becomes.
func checkConcept(name string, line int, terms map[string]string) error {
	var err error
	for _, term := range terms {
		if HasWord(term) {
			return nil
		}
		if term != "" {
			err = checkWord(name, line, term)
		}
	}
	return err
}

// parseList reads words that stay, one a line; # begins a remark.
func parseList(name string, r io.Reader) (entries []Entry, err error) {
	lines := bufio.NewScanner(ownfiles.DropMark(r))
	for n := 1; lines.Scan(); n++ {
		term := strings.TrimSpace(lines.Text())
		if term == "" || strings.HasPrefix(term, "#") {
			continue
		}
		if err := errors.Join(checkTerm(name, n, term), checkWord(name, n, term)); err != nil {
			return nil, err
		}
		if entries, err = limit(append(entries, Entry{Source: term, File: name, Line: n}), name, n); err != nil {
			return nil, err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, &FileError{name, len(entries) + 1, "a line is too long"}
	}
	return entries, lines.Err()
}

// parseTBX reads a termbase (ISO 30042): concepts with a term or more for each
// language, of which the first counts. TBX 2 calls them termEntry, langSet and
// tig or ntig, TBX 3 conceptEntry, langSec and termSec.
func parseTBX(name string, r io.Reader) (entries []Entry, err error) {
	d := xml.NewDecoder(ownfiles.DropMark(r))
	d.Strict = true
	var concept map[string]string
	lang, started := "", 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		line, _ := d.InputPos()
		if err != nil {
			return nil, &FileError{name, line, "it is not well-formed XML: " + err.Error()}
		}
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "termEntry", "conceptEntry":
				concept, started = map[string]string{}, line
			case "langSet", "langSec":
				lang = ""
				for _, a := range t.Attr {
					if a.Name.Local == "lang" {
						lang = strings.ToLower(a.Value)
					}
				}
				if !isLanguage(lang) {
					return nil, &FileError{name, line, "a " + t.Name.Local + " has no language (xml:lang)"}
				}
			case "term":
				var term string
				if err := d.DecodeElement(&term, &t); err != nil {
					return nil, &FileError{name, line, "it is not well-formed XML: " + err.Error()}
				}
				term = strings.Join(strings.Fields(term), " ")
				if concept == nil || lang == "" {
					return nil, &FileError{name, line, "a term stands outside of a concept and a language"}
				}
				if err := checkTerm(name, line, term); err != nil {
					return nil, err
				}
				if concept[lang] == "" {
					concept[lang] = term
				}
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "termEntry", "conceptEntry":
				if err := checkConcept(name, started, concept); err != nil {
					return nil, err
				}
				if entries, err = limit(appendConcept(entries, name, started, concept), name, line); err != nil {
					return nil, err
				}
				concept = nil
			case "langSet", "langSec":
				lang = ""
			}
		}
	}
	if len(entries) == 0 {
		return nil, &FileError{name, 1, "it has no concept with terms of two languages"}
	}
	return entries, nil
}
