package span

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// mostWord is how long a word may be, in bytes, that is looked at for what it
// is; longer ones are data.
const mostWord = 4096

// wordLen returns what the word at text[i], which is its beginning, is.
func wordLen(text string, i int) (int, Kind) {
	s := text[i:]
	first, _ := utf8.DecodeRuneInString(s)
	if !isWord(first) {
		return 0, ""
	}
	if startsWithDrive(s) {
		return driveLen(s), Path
	}
	token := s[:tokenEnd(s)]
	if at := strings.Index(token, "://"); at > 0 && isScheme(token[:at]) {
		if n := urlLen(s, at+3); n > at+3 {
			return n, URL
		}
	}
	core := token[:trimStops(token, len(token))]
	if first >= utf8.RuneSelf {
		return foreignLen(core)
	}
	if isDigit(s[0]) {
		return numberLen(s, core)
	}
	switch {
	case strings.ContainsRune(core, '@'):
		if isEmail(core) {
			return len(core), Email
		}
		return 0, ""
	case strings.ContainsRune(core, ':') || strings.ContainsRune(core, '.'):
		if isURL(core) {
			return urlLen(s, 0), URL
		}
	}
	if strings.HasPrefix(core, "www.") {
		return urlLen(s, 4), URL
	}
	if hasExtension(core) || strings.ContainsAny(core, `/\`) && strings.HasSuffix(core, "/") && isASCII(core) {
		return len(core), Path
	}
	return identifierLen(s, core)
}

// tokenEnd returns the end of the word that s begins with: a blank, a bracket,
// a quotation mark, or a character of a script without spaces.
func tokenEnd(s string) int {
	for n, c := range s {
		if n > mostWord || isBlank(c) || strings.ContainsRune("<>\"“”„«»‚‘’()[]{}|`,;", c) || Unspaced(c) || c >= 0x3000 && c < 0x3040 || c >= 0xff00 {
			return n
		}
	}
	return len(s)
}

// foreignLen is for words that begin with a letter beyond ASCII: names of files
// and signs such as CO₂ have such letters too.
func foreignLen(core string) (int, Kind) {
	if hasExtension(core) {
		return len(core), Path
	}
	return 0, ""
}

// numberLen is for words that begin with a digit.
func numberLen(s, core string) (int, Kind) {
	if n := len("1\ufe0f\u20e3"); strings.HasPrefix(s[1:], "\ufe0f\u20e3") {
		return n, Emoji
	}
	if isTimestamp(core) {
		return len(core), Version
	}
	if hasExtension(core) {
		return len(core), Path
	}
	n, dots := digitsLen(s), 0
	for i := range n {
		if s[i] == '.' {
			dots++
		}
	}
	if half := halfDayLen(s[n:]); half > 0 && isHour(s[:n]) {
		return n + half, Unit
	}
	rest := s[n : n+tokenEnd(s[n:])] // a comma may have ended core within the number
	rest = rest[:trimStops(rest, len(rest))]
	if rest == "" {
		if unit := unitLen(s[n:]); unit > 0 {
			return n + unit, Unit
		}
		if dots >= 2 && !strings.ContainsAny(s[:n], ",:") {
			return n, Version
		}
		return n, Number
	}
	if unit := unitLen(s[n:]); unit > 0 {
		return n + unit, Unit
	}
	switch {
	case !isASCII(rest), isOrdinal(rest), strings.ContainsAny(rest, "/'"), strings.HasPrefix(rest, "-"), strings.HasPrefix(rest, "%"):
		return n, Number
	case dots >= 2 || dots == 1 && strings.HasPrefix(rest, "-"):
		return n + len(rest), Version
	case strings.Trim(rest, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == "":
		return n + len(rest), Name // 3D, 4K, 7z, 0x1F
	}
	return n, Number
}

// digitsLen returns the length of a number with its separators at the beginning
// of s: 1,234.5 10:30 2026-11-28.
func digitsLen(s string) int {
	n := 0
	for n < len(s) && (isDigit(s[n]) || n+1 < len(s) && strings.IndexByte(".,:-/'", s[n]) >= 0 && isDigit(s[n+1])) {
		n++
	}
	return n
}

// isOrdinal says whether letters behind a number make it a word of a language:
// 1st, 90er, 5ème.
func isOrdinal(s string) bool {
	s = strings.TrimPrefix(s, ".")
	return len(s) <= 4 && strings.ToLower(s) == s && !strings.ContainsAny(s, "0123456789-_")
}

// identifierLen is for words that begin with an ASCII letter: names in code,
// CamelCase, letters mixed with digits, versions.
func identifierLen(s, core string) (int, Kind) {
	n := 0
	for n < len(core) && (isName(core[n]) || strings.HasPrefix(core[n:], "::") || n > 0 && n+1 < len(core) && strings.IndexByte(".-:/", core[n]) >= 0 && isName(core[n+1])) {
		n++
	}
	if n < len(core) {
		if c, _ := utf8.DecodeRuneInString(core[n:]); unicode.IsLetter(c) || unicode.Is(unicode.No, c) {
			return subscriptLen(core)
		}
	}
	word := core[:n]
	if call := callLen(s, n); call > 0 && word != "" {
		return n + call, Code
	}
	if i := strings.IndexByte(word, '_'); i > 0 && i < len(word)-1 {
		return n, Code
	}
	if strings.Contains(word, "::") {
		return n, Code
	}
	// Beyond here a dash, dot or slash divides.
	plain := strings.IndexAny(word, "./:")
	if plain < 0 {
		plain = len(word)
	}
	if isVersion(word) {
		return n, Version
	}
	word = word[:plain]
	if isMixed(word) {
		return len(word), Name
	}
	if dash := strings.IndexByte(word, '-'); dash >= 0 {
		word = word[:dash]
	}
	if isCamel(word) || units[word] && word != strings.ToLower(word) && len(word) > 2 {
		return len(word), Name
	}
	return 0, ""
}

// callLen returns the length of (), (a) or (a, b) behind a name at s[n:], where
// the name itself looks like code.
func callLen(s string, n int) int {
	if !strings.HasPrefix(s[n:], "(") {
		return 0
	}
	end := strings.IndexByte(s[n:min(len(s), n+80)], ')')
	if end == 1 {
		return 2
	}
	if end > 1 && strings.ContainsAny(s[:n], "._") && !strings.ContainsAny(s[n+1:n+end], "(") {
		return end + 1
	}
	return 0
}

// isVersion says whether word is v1, v2.0 or v1.2.3-beta.
func isVersion(word string) bool {
	return len(word) > 1 && word[0]|0x20 == 'v' && isDigit(word[1]) && digitsLen(word[1:]) > 0 && (len(word) == 1+digitsLen(word[1:]) || strings.Contains(word, "."))
}

// isMixed says whether word has both capitals and digits, as product names and
// formulas do: M2M-100, H2O, COVID-19, x86_64, A4. Words with a number behind a
// dash have one in every language.
func isMixed(word string) bool {
	digits, upper := false, false
	for i := range len(word) {
		digits = digits || isDigit(word[i])
		upper = upper || word[i] >= 'A' && word[i] <= 'Z'
	}
	if !digits {
		return false
	}
	if dash := strings.IndexByte(word, '-'); dash > 0 {
		first := word[:dash]
		return strings.ToUpper(first) == first
	}
	return upper || len(word) > 2
}

// isCamel says whether word has a capital behind a small letter: CamelCase,
// iPhone, GitHub. Mac and Mc before a capital are names of people, which stay
// as well.
func isCamel(word string) bool {
	for i := 1; i < len(word); i++ {
		if word[i] >= 'A' && word[i] <= 'Z' && word[i-1] >= 'a' && word[i-1] <= 'z' {
			return true
		}
	}
	return false
}

// subscriptLen returns the length of a formula such as CO₂ or m².
func subscriptLen(core string) (int, Kind) {
	has := false
	for _, c := range core {
		if c >= 0x2070 && c <= 0x209c || c == '²' || c == '³' || c == '¹' {
			has = true
			continue
		}
		if c >= utf8.RuneSelf || !isName(byte(c)) {
			return 0, ""
		}
	}
	if has {
		return len(core), Name
	}
	return 0, ""
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// spaces may stand between a number and its unit.
var spaces = []string{" ", "\u00a0", "\u202f"}

// unitLen returns the length of the unit behind a number, with at most one space
// before it, at the beginning of s.
func unitLen(s string) int {
	n := 0
	for _, space := range spaces {
		if strings.HasPrefix(s, space) {
			n = len(space)
			break
		}
	}
	start := n
	for n < len(s) {
		c, size := utf8.DecodeRuneInString(s[n:])
		if !unicode.IsLetter(c) && !strings.ContainsRune("°²³/µ", c) {
			break
		}
		n += size
	}
	unit := strings.TrimRight(s[start:n], "/")
	if !units[unit] {
		return 0
	}
	return start + len(unit)
}

// units are symbols of SI and others (SI brochure, IEC 80000-13 and common use)
// that are no words of a language.
var units = wordSet(`km cm mm µm μm nm kg mg µg μg km/h m/s m/s² mph kWh Wh kW MW GW GWh MWh Hz kHz MHz GHz THz KB MB GB TB PB kB KiB MiB
	GiB TiB kbit Mbit Gbit Kbps Mbps Gbps kbps KBps MBps GBps kbit/s Mbit/s MB/s GB/s kB/s Gbit/s dB °C °F mA mAh mV kV kΩ MΩ Pa hPa kPa MPa
	psi rpm fps dpi ppi px ppm ppb ml mL dl cl kcal kJ MJ m² km² cm² mm² m³ cm³ mm³ mol mmol g/l mg/l mmHg kN Nm kg/m³ nF µF pF ms µs ns`)
