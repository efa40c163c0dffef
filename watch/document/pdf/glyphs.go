package pdf

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// glyphs are names of Adobe's glyph list for the characters of Latin texts; letters with
// accents are made of their parts.
var glyphs = map[string]string{}

func init() {
	glyphs["equal"] = "="
	for line := range strings.FieldsSeq(`space=\u0020 exclam=! quotedbl=" numbersign=# dollar=$ percent=% ampersand=& quotesingle=' parenleft=( parenright=) asterisk=*
		plus=+ comma=, hyphen=- period=. slash=/ zero=0 one=1 two=2 three=3 four=4 five=5 six=6 seven=7 eight=8 nine=9 colon=: semicolon=; less=<
		greater=> question=? at=@ bracketleft=[ backslash=\ bracketright=] asciicircum=^ underscore=_ grave=` + "`" + ` braceleft={ bar=| braceright=} asciitilde=~
		exclamdown=¡ cent=¢ sterling=£ currency=¤ yen=¥ brokenbar=¦ section=§ dieresis=¨ copyright=© ordfeminine=ª guillemotleft=« logicalnot=¬
		registered=® macron=¯ degree=° plusminus=± twosuperior=² threesuperior=³ acute=´ mu=µ paragraph=¶ periodcentered=· cedilla=¸ onesuperior=¹
		ordmasculine=º guillemotright=» onequarter=¼ onehalf=½ threequarters=¾ questiondown=¿ AE=Æ Oslash=Ø Thorn=Þ germandbls=ß ae=æ eth=ð Eth=Ð
		divide=÷ multiply=× oslash=ø thorn=þ dotlessi=ı Lslash=Ł lslash=ł OE=Œ oe=œ florin=ƒ circumflex=ˆ tilde=˜ breve=˘ dotaccent=˙ ring=˚ ogonek=˛
		hungarumlaut=˝ caron=ˇ endash=– emdash=— quoteleft=‘ quoteright=’ quotesinglbase=‚ quotedblleft=“ quotedblright=” quotedblbase=„ dagger=†
		daggerdbl=‡ bullet=• ellipsis=… perthousand=‰ guilsinglleft=‹ guilsinglright=› fraction=⁄ Euro=€ trademark=™ minus=− ff=ff fi=fi fl=fl
		ffi=ffi ffl=ffl Dcroat=Đ dcroat=đ Hbar=Ħ hbar=ħ kgreenlandic=ĸ Eng=Ŋ eng=ŋ Tbar=Ŧ tbar=ŧ nbspace=\u0020 sfthyphen=- arrowright=→ arrowleft=←
		Alpha=Α Beta=Β Gamma=Γ Delta=Δ Epsilon=Ε Zeta=Ζ Eta=Η Theta=Θ Iota=Ι Kappa=Κ Lambda=Λ Mu=Μ Nu=Ν Xi=Ξ Omicron=Ο Pi=Π Rho=Ρ Sigma=Σ Tau=Τ
		Upsilon=Υ Phi=Φ Chi=Χ Psi=Ψ Omega=Ω alpha=α beta=β gamma=γ delta=δ epsilon=ε zeta=ζ eta=η theta=θ iota=ι kappa=κ lambda=λ nu=ν xi=ξ omicron=ο
		pi=π rho=ρ sigma=σ tau=τ upsilon=υ phi=φ chi=χ psi=ψ omega=ω`) {
		name, shown, _ := strings.Cut(line, "=")
		glyphs[name] = strings.ReplaceAll(shown, `\u0020`, " ")
	}
}

var accents = map[string]string{"acute": "\u0301", "grave": "\u0300", "circumflex": "\u0302", "dieresis": "\u0308", "tilde": "\u0303", "ring": "\u030A", "caron": "\u030C", "cedilla": "\u0327", "commaaccent": "\u0327", "ogonek": "\u0328", "macron": "\u0304", "breve": "\u0306", "dotaccent": "\u0307", "hungarumlaut": "\u030B"}

// accented is a letter with the name of an accent behind it.
func accented(name string) string {
	if len(name) < 2 {
		return ""
	}
	if mark, ok := accents[name[1:]]; ok {
		return norm.NFC.String(name[:1] + mark)
	}
	return ""
}
