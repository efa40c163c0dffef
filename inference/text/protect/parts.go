package protect

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"dragoman/inference/text"
)

// inParts translates what lies between the spans part by part.
func (p *sentence) inParts(model func(string) (string, error)) (string, Report, error) {
	report := Report{Way: Cut, Spans: p.texts()}
	var b strings.Builder
	b.WriteString(p.head)
	for i, gap := range p.gaps() {
		out, kept, err := part(gap, model)
		if err != nil {
			return "", Report{}, err
		}
		if kept {
			report.Kept++
		}
		b.WriteString(out)
		if i < len(p.spans) {
			b.WriteString(p.value(i))
		}
	}
	b.WriteString(p.tail)
	if !p.faithful(b.String()) { // a part came out like a span
		report.Kept++
		return p.unchanged(), report, nil
	}
	return b.String(), report, nil
}

// part translates what lies between two spans. White space and signs at its
// ends stay.
func part(gap string, model func(string) (string, error)) (out string, kept bool, err error) {
	core := strings.TrimFunc(gap, func(c rune) bool { return !isLetterOrMark(c) })
	if !text.Translatable(core) {
		return gap, false, nil
	}
	before, after, _ := strings.Cut(gap, core)
	if mark := strings.TrimSpace(after); mark == "?" || mark == "!" {
		core, after = core+mark, strings.Replace(after, mark, "", 1)
	}
	translated, err := model(core)
	if err != nil {
		return "", false, err
	}
	translated = fit(core, translated)
	if translated == "" || inventive(core, translated) {
		return gap, true, nil
	}
	return before + translated + after, false, nil
}

func isLetterOrMark(c rune) bool {
	return unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.Is(unicode.M, c)
}

// fit takes from a translated part what makes a sentence of it: a full stop
// that the part lacks, and a capital where it begins with a small letter.
func fit(source, out string) string {
	out = strings.TrimSpace(out)
	if last, _ := utf8.DecodeLastRuneInString(source); isLetterOrMark(last) {
		out = strings.TrimRight(out, ".。")
	}
	first, _ := utf8.DecodeRuneInString(source)
	c, size := utf8.DecodeRuneInString(out)
	second, _ := utf8.DecodeRuneInString(out[size:])
	if unicode.IsLower(first) && unicode.IsUpper(c) && unicode.IsLower(second) && !strings.Contains(source, out) {
		out = string(unicode.ToLower(c)) + out[size:]
	}
	return out
}
