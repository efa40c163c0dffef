package language

import (
	"slices"
	"strings"

	"golang.org/x/text/language"
)

// nearest are the languages that stand in for ones that the models do not have
// or call otherwise: what detectors, systems and other translators answer
// (ISO 639-3, old codes, LibreTranslate's own).
var nearest = map[string][]string{
	"nb": {"no"}, "nn": {"no"}, "no": {"nb"},
	"wuu": {"zh"}, "yue": {"zh"}, "lzh": {"zh"}, "nan": {"zh"}, "hak": {"zh"}, "gan": {"zh"}, "zt": {"zh"},
	"pb":  {"pt"},
	"fil": {"tl"}, "nso": {"ns"},
	"prs": {"fa"}, "pbt": {"ps"}, "fuv": {"ff"},
	"sr": {"hr", "bs"}, "hr": {"sr", "bs"}, "bs": {"hr", "sr"},
	"ckb": {}, // Sorani: no model language is near enough
}

// Match returns the code among the given ones that a label means: the same in
// any case, with another separator, with a region or script ("zh-CN",
// "pt_BR"), an ISO 639-2 or -3 code ("deu", "cmn"), an old one ("iw"), or a
// close relative ("nb" for no, "yue" for zh). It is "" if there is none.
func Match(label string, among []string) string {
	label = strings.ToLower(strings.ReplaceAll(label, "_", "-"))
	if slices.Contains(among, label) {
		return label
	}
	base, _, _ := strings.Cut(label, "-")
	for _, code := range append([]string{base}, nearest[base]...) {
		if slices.Contains(among, code) {
			return code
		}
	}
	tag, err := language.All.Parse(label)
	if err != nil {
		return ""
	}
	parsed, confidence := tag.Base()
	if confidence != language.Exact {
		return ""
	}
	for _, code := range append([]string{parsed.String()}, nearest[parsed.String()]...) {
		if slices.Contains(among, code) {
			return code
		}
	}
	return ""
}
