package charset

import (
	"strings"
	"unicode"
)

// script is how texts in letters other than Latin look in an encoding.
type script struct {
	tables []*unicode.RangeTable // of the letters
	// often are those that texts have most of, and least their share of the letters, some
	// two thirds of what texts of a few hundred letters have.
	often string
	least float64
}

var (
	cyrillic = script{[]*unicode.RangeTable{unicode.Cyrillic}, "оеаинтсрвл", 0.42}
	greek    = script{[]*unicode.RangeTable{unicode.Greek}, "αοιετσνηυρ", 0.45}
	hebrew   = script{[]*unicode.RangeTable{unicode.Hebrew}, "יוהלאמרתבש", 0.5}
	arabic   = script{[]*unicode.RangeTable{unicode.Arabic}, "اليمنورتبد", 0.5}
	thai     = script{[]*unicode.RangeTable{unicode.Thai}, "านรอกเงมยล่ว", 0.4}
	korean   = script{[]*unicode.RangeTable{unicode.Hangul, unicode.Han}, "이다는의에을가고를한하은지기로사도리대시인", 0.22}
	japanese = script{[]*unicode.RangeTable{unicode.Hiragana, unicode.Katakana, unicode.Han}, "のにはをたがでてとしれさいなもっるらかりンスイルトーア", 0.25}
	simple   = script{[]*unicode.RangeTable{unicode.Han}, "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年", 0.15}
	full     = script{[]*unicode.RangeTable{unicode.Han}, "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年", 0.15}
)

// scripts are by what the encodings are called.
var scripts = map[string]script{
	"windows-1251": cyrillic, "koi8-r": cyrillic, "koi8-u": cyrillic, "iso-8859-5": cyrillic, "ibm866": cyrillic, "x-mac-cyrillic": cyrillic,
	"windows-1253": greek, "iso-8859-7": greek, "windows-1255": hebrew, "iso-8859-8": hebrew, "iso-8859-8-i": hebrew,
	"windows-1256": arabic, "iso-8859-6": arabic, "windows-874": thai, "euc-kr": korean,
	"shift_jis": japanese, "euc-jp": japanese, "iso-2022-jp": japanese, "gbk": simple, "gb18030": simple, "big5": full,
}

// frequent says whether a text has what texts of an encoding's languages have most of.
func (c Charset) frequent(text string) bool {
	s, known := scripts[c.name]
	if !known {
		return false
	}
	all, often, other := 0, 0, 0
	before := rune(0)
	for _, r := range text {
		switch {
		case unicode.In(r, s.tables...) || r == 'ー':
			all++
			if strings.ContainsRune(s.often, unicode.ToLower(r)) {
				often++
			}
			if unicode.IsLower(before) && unicode.IsUpper(r) {
				other++ // of another encoding of the same letters
			}
		case r >= 0x80 && unicode.IsLetter(r):
			other++
		}
		before = r
	}
	return float64(often) >= s.least*float64(all) && 20*other <= all && all > 0
}
