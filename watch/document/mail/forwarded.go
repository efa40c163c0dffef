package mail

import (
	"regexp"
	"strings"

	"dragoman/watch/document/segment"
)

var (
	// rule is a line that parts a mail from the one that is forwarded below it.
	rule = regexp.MustCompile(`^\s*([-_=*]{3,})(?:\s*([^\s_=*-](?:.*[^\s_=*-])?)\s*[-_=*]{3,})?\s*$`)
	// headline is a line of a header in the text of a mail, whatever its language.
	headline = regexp.MustCompile(`^\s*\*?\p{L}[\p{L} -]{0,20}\s?:\*? *(\S.*)$`)
	// address or time is what is not translated of a field.
	address = regexp.MustCompile(`\S@\S|\d`)
)

// forwarded makes segments of lines that are quoted alike: of the rules and headers of mails that are forwarded in them,
// which have few words for people, and of the texts between these.
func forwarded(body string, lines []quoted) (all []*segment.Segment) {
	texts := func(lines []quoted) {
		if s := run(body, lines); s != nil {
			all = append(all, s)
		}
	}
	part := func(l quoted, from, to int) {
		if from < 0 || !segment.HasWords(body[l.start+len(l.mark)+from:l.start+len(l.mark)+to]) {
			return
		}
		start, end := l.start+len(l.mark)+from, l.start+len(l.mark)+to
		all = append(all, &segment.Segment{Kind: segment.Attribute, Protect: segment.InProse, Slots: []segment.Slot{{Text: body[start:end], Start: start, End: end}}})
	}
	textOf := func(l quoted) string { return body[l.start+len(l.mark) : l.end] }
	done := 0
	for i := 0; i < len(lines); i++ {
		if found := rule.FindStringSubmatchIndex(textOf(lines[i])); found != nil {
			texts(lines[done:i])
			part(lines[i], found[4], found[5])
			done = i + 1
			continue
		}
		end, sender := i, false
		for end < len(lines) && headline.MatchString(textOf(lines[end])) {
			sender = sender || strings.Contains(textOf(lines[end]), "@")
			end++
		}
		if end-i < 2 || !sender {
			i = max(i, end-1)
			continue
		}
		texts(lines[done:i])
		for _, l := range lines[i:end] {
			if found := headline.FindStringSubmatchIndex(textOf(l)); !address.MatchString(textOf(l)[found[2]:found[3]]) {
				part(l, found[2], found[3])
			}
		}
		i, done = end-1, end
	}
	texts(lines[done:])
	return all
}
