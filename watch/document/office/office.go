package office

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// Zip is what of an archive is needed.
type Zip interface {
	Names() []string
	Text(name string) (string, error)
}

type rule struct {
	names *regexp.Regexp
	g     *grammar
	kind  segment.Kind
}

var (
	title     = rule{regexp.MustCompile(`^docProps/core\.xml$`), &properties, segment.Attribute}
	wordRules = []rule{
		title,
		{regexp.MustCompile(`^word/(document\d*|header\d*|footer\d*)\.xml$`), &word, segment.Paragraph},
		{regexp.MustCompile(`^word/(footnotes|endnotes|comments)\d*\.xml$`), &word, segment.Note},
		{regexp.MustCompile(`^word/styles\d*\.xml$`), &word, segment.Paragraph}, // its language
		{regexp.MustCompile(`^word/(charts/chart|diagrams/data|diagrams/drawing)\d*\.xml$`), &slide, segment.Paragraph},
	}
	slideRules = []rule{
		title,
		{regexp.MustCompile(`^ppt/slides/slide\d+\.xml$`), &slide, segment.Paragraph},
		{regexp.MustCompile(`^ppt/notesSlides/notesSlide\d+\.xml$`), &slide, segment.Note},
		{regexp.MustCompile(`^ppt/(charts/chart|diagrams/data|diagrams/drawing)\d*\.xml$`), &slide, segment.Paragraph},
	}
	sheetRules = []rule{
		title,
		{regexp.MustCompile(`^xl/sharedStrings\d*\.xml$`), &sheet, segment.Cell},
		{regexp.MustCompile(`^xl/worksheets/sheet\d+\.xml$`), &sheet, segment.Cell},
		{regexp.MustCompile(`^xl/comments/?[^/]*\d*\.xml$`), &sheet, segment.Note},
		{regexp.MustCompile(`^xl/(drawings/drawing|charts/chart)\d*\.xml$`), &slide, segment.Paragraph},
	}
)

var textName = regexp.MustCompile(`^word/document\d*\.xml$`)

// IsText says whether a file of a zip is the text of a document of Word. Word on the web numbers it.
func IsText(name string) bool { return textName.MatchString(name) }

// Word reads a document of Word.
func Word(z Zip) ([]*segment.Part, error) { return readAll(z, wordRules) }

// Presentation reads slides and their notes.
func Presentation(z Zip) ([]*segment.Part, error) { return readAll(z, slideRules) }

// columnName is a text that formulas and pivot tables refer to.
var columnName = regexp.MustCompile(`<(?:\w+:)?(?:tableColumn|cacheField)\b[^>]*?\bname="([^"]*)"`)

// Workbook reads the texts of cells, comments and drawings. Formulas, their results,
// and the names of columns that tables have stay.
func Workbook(z Zip) ([]*segment.Part, error) {
	parts, err := readAll(z, sheetRules)
	if err != nil {
		return nil, err
	}
	columns := map[string]bool{}
	for _, name := range z.Names() {
		if !strings.HasPrefix(name, "xl/tables/") && !strings.HasPrefix(name, "xl/pivotCache/pivotCacheDefinition") {
			continue
		}
		body, err := z.Text(name)
		if err != nil {
			return nil, err
		}
		for _, found := range columnName.FindAllStringSubmatch(body, -1) {
			column, _ := xmltext.Unescape(found[1])
			columns[column] = true
		}
	}
	for _, p := range parts {
		for _, s := range p.Segments {
			if columns[s.Source()] {
				s.Keep = "it is the name of a table's column"
			}
		}
	}
	return parts, nil
}

// byNumber has slide10.xml after slide9.xml, wherever the zip has them.
func byNumber(a, b string) int {
	stem := func(name string) (string, int) {
		name = strings.TrimSuffix(name, ".xml")
		without := strings.TrimRight(name, "0123456789")
		n, _ := strconv.Atoi(name[len(without):])
		return without, n
	}
	as, an := stem(a)
	bs, bn := stem(b)
	return cmp.Or(strings.Compare(as, bs), cmp.Compare(an, bn))
}

func readAll(z Zip, rules []rule) ([]*segment.Part, error) {
	var parts []*segment.Part
	for _, r := range rules {
		names := slices.DeleteFunc(slices.Clone(z.Names()), func(name string) bool { return !r.names.MatchString(name) })
		slices.SortStableFunc(names, byNumber)
		for _, name := range names {
			body, err := z.Text(name)
			if err != nil {
				return nil, err
			}
			p, err := read(name, body, r.g, r.kind)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		}
	}
	return parts, nil
}
