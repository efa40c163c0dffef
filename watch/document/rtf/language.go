package rtf

import (
	"strconv"
	"strings"

	"dragoman/watch/document/segment"
)

// identifiers are what Windows calls languages by (MS-LCID).
var identifiers = map[string]int{
	"ar": 1025, "bg": 1026, "ca": 1027, "zh": 2052, "cs": 1029, "da": 1030, "de": 1031, "el": 1032, "en": 1033, "es": 3082, "fi": 1035,
	"fr": 1036, "he": 1037, "hu": 1038, "is": 1039, "it": 1040, "ja": 1041, "ko": 1042, "nl": 1043, "no": 1044, "pl": 1045, "pt": 2070,
	"ro": 1048, "ru": 1049, "hr": 1050, "sk": 1051, "sq": 1052, "sv": 1053, "th": 1054, "tr": 1055, "ur": 1056, "id": 1057, "uk": 1058,
	"be": 1059, "sl": 1060, "et": 1061, "lv": 1062, "lt": 1063, "fa": 1065, "vi": 1066, "hy": 1067, "az": 1068, "mk": 1071, "af": 1078,
	"ka": 1079, "hi": 1081, "ms": 1086, "kk": 1087, "sw": 1089, "bn": 1093, "gu": 1095, "ta": 1097, "mr": 1102, "mn": 1104, "cy": 1106,
	"km": 1107, "gl": 1110, "si": 1115, "am": 1118, "ne": 1121, "ps": 1123, "tl": 1124,
}

// Of the languages that a text has by the script of its letters (specification 1.9.1, "Associated Character Properties"), the words
// that say the one of a translation.
var (
	eastern   = map[string]bool{"zh": true, "ja": true, "ko": true}
	complexes = map[string]bool{"ar": true, "he": true, "fa": true, "ur": true, "ps": true, "hi": true, "bn": true, "gu": true, "ta": true, "mr": true, "ne": true, "si": true, "th": true, "km": true}
)

// language remembers where one is said of shown text.
func (r *reader) language(t token) {
	switch t.name {
	case "lang", "langnp", "langfe", "langfenp", "alang":
		if t.has && t.number != 1024 { // which is that nobody checks its spelling
			r.languages = append(r.languages, t)
			if t.name == "lang" {
				r.spoken[t.number]++
			}
		}
	}
}

// relabelled sets the language of texts that are in the one of most.
func (r *reader) relabelled(to string) (edits []segment.Edit) {
	base, _, _ := strings.Cut(to, "-")
	id, most := identifiers[base], 0
	for number, times := range r.spoken {
		if times > r.spoken[most] || times == r.spoken[most] && number < most {
			most = number
		}
	}
	if id == 0 || most == 0 {
		return nil
	}
	for _, t := range r.languages {
		far := strings.HasPrefix(t.name, "langfe")
		if eastern[base] != far || complexes[base] != (t.name == "alang") || !eastern[base] && !complexes[base] && t.number != most {
			continue
		}
		at := t.start + 1 + len(t.name)
		if was := strconv.Itoa(t.number); t.number != id && strings.HasPrefix(r.source[at:], was) {
			edits = append(edits, segment.Edit{Start: at, End: at + len(was), Text: strconv.Itoa(id)})
		}
	}
	return edits
}
