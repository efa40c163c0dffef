package rtf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func read(body string) (*segment.Part, error) {
	parts, _, err := Read([]byte(body))
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}

func TestWhatIsWritten(t *testing.T) {
	const head = `{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss Arial;}{\f1\fcharset204 Arial;}{\f2\fcharset128 Gothic;}{\f3\fcharset2 Symbol;}}{\colortbl;\red0;}{\stylesheet{\s0 Normal;}}` + "\n"
	for name, c := range map[string]struct{ body, want string }{
		"paragraphs":            {`\pard a b\par c d\par}`, `\pard A B\par C D\par}`},
		"marks around words":    {`a {\b bold} word\i0 .\par}`, `A {\b BOLD} WORD.\i0 \par}`},
		"words in pieces":       {`{\rsid1 un}{\rsid2 like}ly so\par}`, `{\rsid1 UNLIKELY SO}{\rsid2 }\par}`},
		"code pages":            {`caf\'e9 {\f1\'ef\'f0\'e8 x}{\f2 \'83\'4A\'83C x}\par}`, `CAF\u201? {\f1 \u1055?\u1056?\u1048? X}{\f2 \u12459?\u12452? X}\par}`},
		"numbers of characters": {`\uc2\u233\'c3\'a9 x\uc0\u8212 y\uc1 \u-10179?\u-8704?\par}`, `\uc2 \u201?? X\u8212??Y\u-10179??\u-8704??\uc0\uc1 \par}`},
		"signs":                 {`\{a\}\\ b\~c\emdash d\par}`, `\{A\}\\ B\~C\u8212?D\par}`},
		"links and fields":      {`{\field{\*\fldinst HYPERLINK "http://a b/"}{\fldrslt a link}} of {\field{\*\fldinst{DATE}}{\fldrslt 1 may}} x\par}`, `{\field{\*\fldinst HYPERLINK "http://a b/"}{\fldrslt A LINK}} OF {\field{\*\fldinst{DATE}}{\fldrslt 1 may}} X\par}`},
		"a note":                {`a{\super\chftn}{\footnote {\super\chftn} see b\par c} d\par}`, `A{\super\chftn}{\footnote {\super\chftn} SEE B\par C} D\par}`},
		"a table":               {`\trowd a b\cell c\cell\row}`, `\trowd A B\cell C\cell\row}`},
		"what stays":            {`{\pict\bin4 }}{{}{\*\unknown a b}{\listtext\'b7\tab}{\deleted gone }{\v hidden}a b{\f3 abc}\par}`, `{\pict\bin4 }}{{}{\*\unknown a b}{\listtext\'b7\tab}{\deleted gone }{\v hidden}A B{\f3 abc}\par}`},
		"the title":             {`{\info{\title a b}{\author c d}}\par}`, `{\info{\title A B}{\author c d}}\par}`},
		"head and box":          {`{\header a b\par}{\shp{\*\shpinst\shpleft1{\sp{\sn x y}{\sv a b}}{\shptxt c d\par}}}e\par}`, `{\header A B\par}{\shp{\*\shpinst\shpleft1{\sp{\sn x y}{\sv a b}}{\shptxt C D\par}}}E\par}`},
		"a box twice":           {`a b{\shp{\*\shpinst{\shptxt c\par}}{\shprslt\par\pard{\*\do{\dptxbxtext c\par}}\par}} d\par}`, `A B{\shp{\*\shpinst{\shptxt C\par}}{\shprslt\par\pard{\*\do{\dptxbxtext C\par}}\par}} D\par}`},
		"pictures":              {`a b {\pict\bin4 }}{{} c d\par {{\NeXTGraphic a b.png \width12 }\'ac} g h\par i {\mmath{\*\moMath{\mr x y}}} j\par}`, `A B  {\pict\bin4 }}{{}C D\par {{\NeXTGraphic a b.png \width12 }\u172? G H}\par I  {\mmath{\*\moMath{\mr x y}}}J\par}`},
		"tables of old":         {`\intbl\itap2 a b\nestcell{\*\nesttableprops\nestrow}{\nonesttables\par}c\cell\row}`, `\intbl\itap2 A B\nestcell{\*\nesttableprops\nestrow}{\nonesttables\par}C\cell\row}`},
		"notes that go on":      {`{\ftncn a b\par}{\*\aftncn c d\par}{\aftnsepc\chftnsepc\par}e\par}`, `{\ftncn A B\par}{\*\aftncn C D\par}{\aftnsepc\chftnsepc\par}E\par}`},
		"lines":                 {"a\r\n b\\line c\\tab d\\par}", "A B\\line C\\tab D\\par}"},
		"ends with backslashes": {"a b\\\nc d\\\r\ne}", "A B\\\nC D\\\r\nE}"},
		"unknown charsets":      {`{\fonttbl{\f4\fcharset130 x;}{\f5\fcharset254 y;}}{\f4\'88\'61 a}b\par{\f4 c d}{\f5\'81}\par}`, `{\fonttbl{\f4\fcharset130 x;}{\f5\fcharset254 y;}}{\f4\'88\'61 a}B\par{\f4 C D}{\f5 \u220?}\par}`},
		"twice":                 {`{\upr{\fonttbl{\f6\fcharset204 x?;}}{\*\ud{\fonttbl{\f6\fcharset204 x\u233?;}}}}{\info{\upr{\title a?}{\*\ud{\title a\u233?}}}{\upr{\author b?}{\*\ud{\author b}}}}{\f6 c\'ef}{\upr{\*\bkmkstart d?}{\*\ud{\*\bkmkstart d}}}\par}`, `{\upr{\fonttbl{\f6\fcharset204 x?;}}{\*\ud{\fonttbl{\f6\fcharset204 x\u233?;}}}}{\info{\upr{\title A?}{\*\ud{\title A\u201?}}}{\upr{\author b?}{\*\ud{\author b}}}}{\f6 C\u1055?}{\upr{\*\bkmkstart d?}{\*\ud{\*\bkmkstart d}}}\par}`},
		"unknown code pages":    {`\ansicpg12 a\'e9 b\par c d\par}`, `\ansicpg12 a\'e9 b\par C D\par}`},
		"UTF-8":                 {"\\ansicpg65001 \u00e9 b\\'c3\\'a9\\par}", `\ansicpg65001 \u201? B\u201?\par}`},
		"behind its end":        {`a b\par}c d`, `A B\par}c d`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, head+c.want, segmenttest.Translated(t, read, head+c.body, segment.Options{}, strings.ToUpper))
			require.Equal(t, head+c.body, segmenttest.Translated(t, read, head+c.body, segment.Options{}, func(s string) string { return s }))
		})
	}
}

// A control word must not go on with what is written behind it.
func TestControlWordsEnd(t *testing.T) {
	for body, want := range map[string]string{
		`{\rtf1\b\'e9\par}`: `{\rtf1\b 12 ab\par}`, `{\rtf1{\b.a}\par}`: `{\rtf1{\b 12 ab}\par}`, `{\rtf1\b0\~x\par}`: `{\rtf1\b0 12 ab\par}`,
	} {
		require.Equal(t, want, segmenttest.Translated(t, read, body, segment.Options{}, func(string) string { return "12 ab" }))
	}
}

func TestDirection(t *testing.T) {
	body := `{\rtf1{\stylesheet{\s0\ql\ltrpar x;}}\pard\plain\ql\ltrpar a b\par\pard c\par}`
	require.Equal(t, `{\rtf1{\stylesheet{\s0\ql\ltrpar x;}}\pard\rtlpar\qr \plain\qr \rtlpar A B\par\pard\rtlpar\qr C\par}`,
		segmenttest.Translated(t, read, body, segment.Options{To: "ar"}, strings.ToUpper))
}

func TestLanguage(t *testing.T) {
	body := `{\rtf1{\stylesheet{\s0\lang1033 x;}}\pard\alang1081\lang1033\langfe2052 a {\b\lang1036 b}\lang1033\par{\lang1024 c}}`
	for to, want := range map[string]string{
		"de": `{\rtf1{\stylesheet{\s0\lang1033 x;}}\pard\alang1081\lang1031\langfe2052 A {\b\lang1036 B}\lang1031\par{\lang1024 C}}`,
		"ja": `{\rtf1{\stylesheet{\s0\lang1033 x;}}\pard\alang1081\lang1033\langfe1041 A {\b\lang1036 B}\lang1033\par{\lang1024 C}}`,
		"hi": `{\rtf1{\stylesheet{\s0\lang1033 x;}}\pard\alang1081\lang1033\langfe2052 A {\b\lang1036 B}\lang1033\par{\lang1024 C}}`,
		"qq": `{\rtf1{\stylesheet{\s0\lang1033 x;}}\pard\alang1081\lang1033\langfe2052 A {\b\lang1036 B}\lang1033\par{\lang1024 C}}`,
	} {
		require.Equal(t, want, segmenttest.Translated(t, read, body, segment.Options{To: to}, strings.ToUpper), to)
	}
}

func TestBilingual(t *testing.T) {
	for body, want := range map[string]string{
		`{\rtf1 a {\b b}\par}`:                         `{\rtf1 a {\b b}\line A B\par}`,
		`{\rtf1 {\b b}\par c}`:                         `{\rtf1 {\b b\line B}\par c\line C}`,
		`{\rtf1 a {\i b}{\footnote c {\b d}}\par}`:     `{\rtf1 a {\i b}{\footnote c {\b d}\line C D}\line A B\par}`,
		`{\rtf1 a {\b b}\tab c\cell}`:                  `{\rtf1 a {\b b} / A B\tab c\line C\cell}`,
		`{\rtf1 a {\b b}{\field{\fldinst PAGE}}\par }`: `{\rtf1 a {\b b}{\field{\fldinst PAGE}}\line A B\par }`,
		`{\rtf1 a {\b b}}`:                             `{\rtf1 a {\b b\line A B}}`,
	} {
		require.Equal(t, want, segmenttest.Translated(t, read, body, segment.Options{Bilingual: true}, strings.ToUpper), body)
	}
}

func TestHostileFiles(t *testing.T) {
	_, _, err := Read([]byte(`{\rtf1` + strings.Repeat("{", 10_000)))
	require.ErrorContains(t, err, "nested too deep")
	_, _, err = Read([]byte(`\{\rtf1 a}`))
	require.ErrorContains(t, err, `does not begin with {\rtf`)
	for _, piece := range []string{`\u1`, `{\footnote a`, `\'8`, `\bin9`, `\par a`, `{\*`, `\uc9\u9`, "\\"} {
		_, _, err := Read([]byte(`{\rtf1 a` + strings.Repeat(piece, 100_000/len(piece))))
		if err != nil {
			require.ErrorContains(t, err, "nested too deep", piece)
		}
	}
}
