package markup

import (
	"strconv"
	"strings"
	"unicode/utf16"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/xmltext"
)

// keptAndroid are resources of Android that are no texts.
var keptAndroid = segment.Names(`color integer bool dimen drawable style attr declare-styleable id public public-group integer-array item fraction
	font overlayable skip eat-comment java-symbol add-resource macro staging-public-group`)

// androidEscaper writes a text as Android's resources have it, and quotedEscaper one between quotation marks.
var (
	androidEscaper = strings.NewReplacer(`\`, `\\`, `'`, `\'`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
	quotedEscaper  = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\t", `\t`)
)

// escapeAndroid writes a text: at its beginning @ and ? stand for a reference, and # for a colour.
func escapeAndroid(text string) string {
	text = androidEscaper.Replace(text)
	if text != "" && strings.IndexByte("@?#", text[0]) >= 0 {
		text = `\` + text
	}
	return text
}

// quotedAndroid is where the text between quotation marks begins and ends that stand around all of a text; false where
// there are no such.
func quotedAndroid(raw string) (start, end int, ok bool) {
	core := strings.Trim(raw, space)
	if len(core) < 2 || core[0] != '"' || core[len(core)-1] != '"' || core[len(core)-2] == '\\' || bareQuote(core[1:len(core)-1]) {
		return 0, 0, false
	}
	start = strings.Index(raw, core) + 1
	return start, start + len(core) - 2, true
}

// bareQuote says whether a text has a quotation mark without a backslash.
func bareQuote(raw string) bool {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return true
		}
	}
	return false
}

// unescapeAndroid reads a text. False for references to other resources, texts with quotation marks around a part
// of them and escapes that there are not, which stay. White space is one space but between quotation marks.
func unescapeAndroid(raw string, quoted bool) (string, bool) {
	core := strings.TrimSpace(raw)
	if !quoted && (strings.HasPrefix(core, "@") || strings.HasPrefix(core, "?")) || bareQuote(raw) {
		return raw, false
	}
	var b strings.Builder
	blank := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if !quoted && strings.IndexByte(space, c) >= 0 {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		blank = false
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if i++; i == len(raw) {
			return raw, false
		}
		if raw[i] == 'u' {
			units := []uint16{unit(raw[i-1:])}
			i += 4
			if utf16.IsSurrogate(rune(units[0])) {
				units = append(units, unit(raw[min(i+1, len(raw)):]))
				i += 6
			}
			text := string(utf16.Decode(units))
			if strings.ContainsAny(text, "\uFFFD\x00") {
				return raw, false
			}
			b.WriteString(text)
			continue
		}
		at := strings.IndexByte(`nt'"\@?#`, raw[i])
		if at < 0 {
			return raw, false
		}
		b.WriteByte("\n\t'\"\\@?#"[at])
	}
	return b.String(), true
}

// unit is what \uXXXX stands for, 0 where a text begins otherwise.
func unit(raw string) uint16 {
	if len(raw) < 6 || raw[:2] != `\u` {
		return 0
	}
	n, err := strconv.ParseUint(raw[2:6], 16, 16)
	if err != nil {
		return 0
	}
	return uint16(n)
}

// androidSpace is white space that is written with a backslash.
var androidSpace = []string{`\n`, `\t`, `\u0020`, `\u00A0`, `\u00a0`}

// leadingEscaped and trailingEscaped are how many bytes of white space a text begins or ends with, also
// such that is written with a backslash.
func leadingEscaped(raw string) (n int) {
next:
	for {
		n += leadingSpace(raw[n:])
		for _, one := range androidSpace {
			if strings.HasPrefix(raw[n:], one) {
				n += len(one)
				continue next
			}
		}
		return n
	}
}

func trailingEscaped(raw string) (n int) {
next:
	for {
		rest := raw[:len(raw)-n]
		n += trailingSpace(rest)
		rest = raw[:len(raw)-n]
		for _, one := range androidSpace {
			before := strings.TrimSuffix(rest, one)
			if len(before) < len(rest) && (len(before)-len(strings.TrimRight(before, `\`)))%2 == 0 {
				n += len(one)
				continue next
			}
		}
		return n
	}
}

// androidText makes the slot of a text of a resource.
func (r *reader) androidText(start, end int) segment.Slot {
	raw := r.source[start:end]
	from, to, quoted := quotedAndroid(raw)
	if quoted {
		raw, start, end = raw[from:to], start+from, start+to
	}
	shown, ok := unescapeXML(raw)
	if ok {
		shown, ok = unescapeAndroid(shown, quoted)
	}
	escape := escapeAndroid
	if quoted {
		escape = quotedEscaper.Replace
	}
	return segment.Slot{Text: shown, Fixed: !ok, Start: start, End: end, Escape: func(text string) string { return xmltext.Escape(escape(text)) }}
}

// keepQuoted keeps texts between quotation marks that stand beside markup: what is behind them counts too.
func (r *reader) keepQuoted(slots []segment.Slot) {
	if len(slots) < 2 {
		return
	}
	for i := range slots {
		if s := &slots[i]; s.Start > 0 && s.End < len(r.source) && s.End > s.Start && r.source[s.Start-1] == '"' && r.source[s.End] == '"' {
			s.Fixed = true
		}
	}
}

// androidHTML has the escapes of resources read in segments of HTML, which what makes pages of them
// does not get to see.
func androidHTML(segments []*segment.Segment, raw string) []*segment.Segment {
	var all []*segment.Segment
	for _, s := range segments {
		if s.Kind == segment.Attribute && strings.Contains(raw, `\"`) {
			continue // the quotation marks around values are escaped themselves
		}
		s.Protect = segment.InMessages
		for i := range s.Slots {
			slot := &s.Slots[i]
			if slot.Fixed {
				continue
			}
			shown, ok := unescapeAndroid(slot.Text, true)
			if slot.Fixed = !ok; !ok {
				continue
			}
			slot.Text = shown
			escape := slot.Escape
			slot.Escape = func(text string) string { return androidEscaper.Replace(escape(text)) }
		}
		all = append(all, s)
	}
	return all
}
