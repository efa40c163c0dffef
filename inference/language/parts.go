package language

import "strings"

// Part is a piece of a text in one language.
type Part struct {
	Text     string
	Language string // "" where it is in none of the given ones
}

const (
	// A paragraph of fewer words says too little to go against the whole text.
	leastPartWords = 5
	// So sure must a paragraph's language be to do so: more than what is asked of
	// a whole text, since what it would be otherwise is known.
	surePart = 0.6
	// mostParts bounds the work for texts of very many paragraphs.
	mostParts = 1000
)

// Parts cuts a text whose language as a whole is known at empty lines, where
// paragraphs are surely in other languages, as in a letter above the one that it
// answers. Joined, the parts are the text. It is nil where all of the text is in
// one language.
func Parts(text, whole string, among []string) (parts []Part) {
	paragraphs := 0
	for rest := text; rest != ""; paragraphs++ {
		end := paragraphEnd(rest)
		if len(parts) == mostParts {
			end = len(rest)
		}
		paragraph, lang := rest[:end], whole
		rest = rest[end:]
		if words, strange := cut(paragraph); len(words) >= leastPartWords {
			switch found := detect(words, strange, among); {
			case found.Foreign == Wholly && found.Other != "":
				lang = ""
			case !found.Unsure && found.Confidence >= surePart && found.Foreign == None:
				lang = found.Language
			}
		}
		if last := len(parts) - 1; last >= 0 && parts[last].Language == lang {
			parts[last].Text = text[len(text)-len(rest)-len(paragraph)-len(parts[last].Text) : len(text)-len(rest)]
			continue
		}
		parts = append(parts, Part{paragraph, lang})
	}
	if paragraphs < 2 || len(parts) == 1 && parts[0].Language == whole {
		return nil
	}
	return parts
}

// paragraphEnd is where the paragraph that a text begins with ends, behind the
// empty lines that follow it.
func paragraphEnd(text string) int {
	end, empty := 0, false
	for end < len(text) {
		stop := len(text)
		if n := strings.IndexByte(text[end:], '\n'); n >= 0 {
			stop = end + n + 1
		}
		if strings.TrimSpace(text[end:stop]) == "" {
			empty = end > 0
		} else if empty {
			return end
		}
		end = stop
	}
	return end
}
