package charset

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/abadojack/whatlanggo"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
)

// latin are the encodings that languages with Latin letters were written in, those first
// that are more common: where several read a text alike, the first is taken.
var latin = []string{"windows-1252", "windows-1250", "iso-8859-2", "windows-1254", "windows-1257"}

// rivals are not read, since nobody can say so of a file, but a text may be in them: it is
// told only where they read none.
var rivals = []encoding.Encoding{charmap.CodePage850, charmap.CodePage852, charmap.Macintosh}

// letters are those beyond ASCII that a language has, and those that words it took from
// its neighbours bring: lower case, by the codes of ISO 639-1.
var letters = map[string]string{
	"af": "áêëéèïîôöûü", "ast": "áéíñóúüḷḥ", "az": "çəğıöşü", "br": "âêîôûùüñé", "bs": "čćđšž", "ca": "àçèéíïòóúü", "cs": "áčďéěíňóřšťúůýžäöü",
	"cy": "âêîôûŵŷáéíóúàèìòùäëïöü", "da": "æøåéèüöäà", "de": "äöüßéèàêç", "en": "éèêëïöüâçñæœôîû", "es": "áéíñóúüç", "et": "äõöüšžé",
	"fi": "äöåšžéü", "fr": "àâæçéèêëîïôœùûüÿ", "fy": "âêéëïôöúûü", "ga": "áéíóú", "gd": "àèìòùáéó", "gl": "áéíñóúïü", "hr": "čćđšž",
	"hu": "áéíóöőúüűäë", "id": "éè", "is": "áðéíóúýþæö", "it": "àèéìíîòóùúç", "lb": "äëéöüèêôûàç", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūžō",
	"nl": "áéëèïíóöúüàêîçä", "no": "æøåéèêóòôüäöà", "oc": "àáçèéíïòóúü", "pl": "ąćęłńóśźżéöüä", "pt": "àáâãçéêíóôõúü", "ro": "ăâîşţșțé",
	"sk": "áäčďéíĺľňóôŕšťúýžěřůö", "sl": "čšžćđéäöü", "sq": "çëâ", "sr": "čćđšž", "sv": "åäöéàüèæø", "tr": "çğıöşüâîû", "vi": "",
}

// marks are what texts in Latin letters have beyond ASCII that is no letter.
const marks = "“”‘’„‚«»‹›–—…•·°§©®™€£¥½¼¾×¿¡ªº\u00a0\u00ad²³±µ†"

// common are those of them that tell enough where a text has no letter beyond ASCII.
const common = "“”‘’–—…•€£©®™°\u00a0"

// words are letters beyond ASCII that are words by themselves.
const words = "àèéóáêåäöøìíúőøòâ"

const (
	told       = 3 << 10 // bytes by which a language is told
	fewWords   = 12      // of them
	strangers  = 40      // one letter of so many may be of another language: names have them
	latinShare = 0.35
)

// detectLatin finds out in which of the encodings for Latin letters a text is: the
// letters that it has in it must be those of the language that it is in, by its words or
// as it is given ("" where it is not), and there must be no other encoding with which that
// is so and which reads another text.
func detectLatin(raw []byte, language string) (Charset, bool) {
	high := 0
	for _, c := range raw {
		if c >= 0x80 {
			high++
		}
	}
	if language == "" && float64(high) > latinShare*float64(len(raw)) {
		return UTF8, false // it has too many for Latin letters
	}
	if language == "" && inPairs(raw) {
		return UTF8, false
	}
	var found Charset
	var text string
	for _, name := range latin {
		set, ok := Named(name)
		if !ok {
			continue
		}
		read, err := set.Whole().Decode(raw)
		switch {
		case err != nil || text == read || !plausible(read, language):
		case text == "":
			found, text = set.Whole(), read
		default:
			return UTF8, false
		}
	}
	if text == "" {
		return UTF8, false
	}
	for _, set := range rivals {
		read, err := set.NewDecoder().Bytes(raw)
		if err == nil && string(read) != text && plausible(string(read), language) {
			return UTF8, false
		}
	}
	return found, true
}

// inPairs says whether bytes beyond ASCII come in pairs, as in encodings of Chinese,
// Japanese and Korean.
func inPairs(raw []byte) bool {
	single, more, run := 0, 0, 0
	for _, c := range append(raw[:len(raw):len(raw)], 0) {
		switch {
		case c >= 0x80:
			run++
			continue
		case run == 1:
			single++
		case run > 1:
			more++
		}
		run = 0
	}
	return more > single
}

// joins says whether a mark stands between two letters: an apostrophe, a dash between names,
// Catalan's point.
func joins(before, mark, after rune) bool {
	switch mark {
	case '–':
		return unicode.IsUpper(after)
	case '·':
		return unicode.ToLower(before) == 'l' && unicode.ToLower(after) == 'l'
	}
	return strings.ContainsRune("’—…\u00ad\u00a0", mark)
}

// plausible says whether a text looks like one of its language.
func plausible(text, language string) bool {
	beyond := map[rune]int{} // letters
	before, signs := rune(0), false
	for i, c := range text {
		switch {
		case c < 0x80:
		case c < 0xA0:
			return false // controls
		case strings.ContainsRune(marks, c):
			signs = signs || !strings.ContainsRune(common, c)
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
			if unicode.IsLetter(before) && unicode.IsLetter(after) && !joins(before, c, after) {
				return false
			}
		case !unicode.IsLetter(c), unicode.IsLower(before) && unicode.IsUpper(c):
			return false
		default:
			after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(c):])
			if !unicode.IsLetter(before) && !unicode.IsLetter(after) && !strings.ContainsRune(words, unicode.ToLower(c)) {
				return false
			}
			beyond[unicode.ToLower(c)]++
		}
		before = c
	}
	if len(beyond) == 0 && signs {
		return false // too little to go by
	}
	if language == "" {
		beginning := strings.ToValidUTF8(text[:min(len(text), told)], "")
		info := whatlanggo.Detect(beginning)
		language = info.Lang.Iso6391()
		if info.Script != unicode.Latin || !info.IsReliable() || len(strings.Fields(beginning)) < fewWords {
			return false
		}
	}
	language, _, _ = strings.Cut(language, "-")
	own, known := letters[language]
	foreign, all := 0, 0
	for c, n := range beyond {
		all += n
		if !strings.ContainsRune(own, c) {
			foreign += n
		}
	}
	return known && foreign*strangers <= all
}
