package catalog

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"dragoman/watch/document/segment"
)

var (
	poLanguage = regexp.MustCompile(`(?m)^Language:[ \t]*(.*)$`)
	poPlurals  = regexp.MustCompile(`(?m)^Plural-Forms:[ \t]*(.*)$`)
	poForms    = regexp.MustCompile(`nplurals\s*=\s*(\d)`)
	poCharset  = regexp.MustCompile(`(?i)charset=([\w-]+)`)
)

// head reads the header, which is the translation of "".
func (r *poReader) head(e *poEntry) {
	if r.header.end > 0 {
		return
	}
	r.header = e.strings[0]
	if found := poLanguage.FindStringSubmatch(r.header.text); found != nil {
		r.language = strings.TrimSpace(found[1])
	}
	if found := poForms.FindStringSubmatch(r.header.text); found != nil {
		r.forms, _ = strconv.Atoi(found[1])
	}
}

// localise names the language and how many forms its plurals have, and adds or takes
// away forms where the file is of another.
func (r *poReader) localise(o segment.Options) []segment.Edit {
	if o.To == "" || r.header.end == 0 {
		return nil
	}
	rule := pluralRule(o.To)
	var edits []segment.Edit
	header := r.header.text
	if !segment.SameLanguage(r.language, o.To) {
		header = setHeader(header, poLanguage, "Language: "+o.To)
		if rule != "" && poPlurals.MatchString(header) {
			header = setHeader(header, poPlurals, "Plural-Forms: "+rule)
		}
	}
	if found := poCharset.FindStringSubmatchIndex(header); found != nil && !strings.EqualFold(header[found[2]:found[3]], "utf-8") {
		header = header[:found[2]] + "UTF-8" + header[found[3]:]
	}
	if header != r.header.text {
		eol := "\n"
		if strings.Contains(r.source, "\r\n") {
			eol = "\r\n"
		}
		edits = append(edits, segment.Edit{Start: r.header.start, End: r.header.end, Text: poHeader(header, eol)})
	}
	found := poForms.FindStringSubmatch(header)
	if found == nil {
		return edits
	}
	forms, _ := strconv.Atoi(found[1])
	return append(edits, r.forForms(forms)...)
}

func poHeader(text, eol string) string {
	var b strings.Builder
	b.WriteString(`""`)
	for line := range strings.SplitAfterSeq(text, "\n") {
		if line != "" {
			b.WriteString(eol + `"` + poEscaper.Replace(line) + `"`)
		}
	}
	return b.String()
}

func setHeader(header string, field *regexp.Regexp, line string) string {
	if at := field.FindStringIndex(header); at != nil {
		return header[:at[0]] + line + header[at[1]:]
	}
	if header != "" && !strings.HasSuffix(header, "\n") {
		header += "\n"
	}
	return header + line + "\n"
}

// forForms gives each plural message as many forms as the language has: further ones
// are like the last, and those that are too many go.
func (r *poReader) forForms(forms int) (edits []segment.Edit) {
	at := make(map[int]*segment.Segment, len(r.segments))
	for _, s := range r.segments {
		at[s.Copy.Start] = s
	}
	for _, e := range r.entries {
		if e.plural.end == 0 {
			continue
		}
		last := -1
		for n := range maxForms {
			if _, ok := e.strings[n]; ok {
				last = n
			}
		}
		if last < 0 {
			continue
		}
		if last+1 < forms {
			text := r.written(at, e.strings[last])
			end := e.strings[last].end
			add := ""
			for n := last + 1; n < forms; n++ {
				add += "\nmsgstr[" + strconv.Itoa(n) + "] " + text
			}
			edits = append(edits, segment.Edit{Start: end, End: end, Text: add})
		}
		if last >= forms && forms > 0 {
			edits = append(edits, segment.Edit{Start: e.strings[forms-1].end, End: e.strings[last].end})
		}
	}
	return edits
}

// written is what a form will be written as, given the segments by where they go.
func (r *poReader) written(at map[int]*segment.Segment, target poString) string {
	if s := at[target.start]; s != nil && s.Slots[0].Out != "" && s.Slots[0].Out != s.Slots[0].Text {
		return s.Slots[0].Escape(s.Slots[0].Out)
	}
	return r.source[target.start:target.end]
}

// pluralRule is that of gettext's and Unicode CLDR's tables of plurals, "" where they
// are not known.
func pluralRule(lang string) string {
	base, region, _ := strings.Cut(strings.ToLower(lang), "-")
	if base == "pt" && region == "br" {
		base = "fr" // and not as in Portugal
	}
	for rule, languages := range pluralRules {
		if slices.Contains(strings.Fields(languages), base) {
			return rule
		}
	}
	return ""
}

var pluralRules = map[string]string{
	"nplurals=1; plural=0;":                                 "zh ja ko vi th id ig ms lo my km jv su wo yo",
	"nplurals=2; plural=(n != 1);":                          "en de nl sv da no nb nn es it pt el fi et hu bg af ast az bn ca eo eu fy gl gu ha he hi ka kk kn ky lb ml mn mr ne or pa ps si sq sw ta te tr ur uz xh yi zu so ku lg sd ss tn",
	"nplurals=2; plural=(n > 1);":                           "fr br oc fa am ff hy ln mg ns nso ti wa",
	"nplurals=3; plural=(n==1 ? 0 : n>=2 && n<=4 ? 1 : 2);": "cs sk",
	"nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);":                 "pl",
	"nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);": "ru uk be sr hr bs",
	"nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && (n%100<10 || n%100>=20) ? 1 : 2);":           "lt",
	"nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n != 0 ? 1 : 2);":                                       "lv",
	"nplurals=3; plural=(n==1 ? 0 : (n==0 || (n%100>0 && n%100<20)) ? 1 : 2);":                              "ro",
	"nplurals=4; plural=(n%100==1 ? 0 : n%100==2 ? 1 : n%100==3 || n%100==4 ? 2 : 3);":                      "sl",
	"nplurals=2; plural=(n%10!=1 || n%100==11);":                                                            "is mk",
	"nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);":  "ar",
	"nplurals=5; plural=(n==1 ? 0 : n==2 ? 1 : n<7 ? 2 : n<11 ? 3 : 4);":                                    "ga",
	"nplurals=4; plural=(n==1 || n==11) ? 0 : (n==2 || n==12) ? 1 : (n > 2 && n < 20) ? 2 : 3;":             "gd",
	"nplurals=4; plural=(n==1 ? 0 : n==2 ? 1 : n==8 || n==11 ? 2 : 3);":                                     "cy",
}
