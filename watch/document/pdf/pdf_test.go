package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// made is a file with one page, whose content and font are given.
func made(content, font string, more ...string) []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj\n")
	b.WriteString("3 0 obj <</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>>> endobj\n")
	fmt.Fprintf(&b, "4 0 obj <</Length %d>> stream\n%s\nendstream endobj\n5 0 obj %s endobj\n", len(content), content, font)
	for _, m := range more {
		b.WriteString(m + "\n")
	}
	b.WriteString("trailer <</Root 1 0 R>>\n%%EOF")
	return []byte(b.String())
}

const plainFont = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>"

func packed(t testing.TB, s string) string {
	t.Helper()
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := w.Write([]byte(s))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.String()
}

func TestTexts(t *testing.T) {
	line := func(y int, s string) string { return fmt.Sprintf("1 0 0 1 50 %d Tm (%s) Tj\n", y, s) }
	for name, c := range map[string]struct {
		content, font string
		more          []string
		want          []string
	}{
		"one line":       {"BT /F 10 Tf 50 700 Td (Hello world) Tj ET", plainFont, nil, []string{"Hello world"}},
		"wrapped":        {"BT /F 10 Tf " + line(700, "This is a sentence that goes") + line(688, "on in a second line and a") + line(676, "third.") + line(640, "Another one.") + "ET", plainFont, nil, []string{"This is a sentence that goes on in a second line and a third.", "Another one."}},
		"hyphen":         {"BT /F 10 Tf " + line(700, "This is an exam-") + line(688, "ple with well-") + line(676, "Known words") + "ET", plainFont, nil, []string{"This is an example with well- Known words"}},
		"escapes":        {`BT /F 10 Tf (a \(b\) \\ \101\351) Tj ET`, plainFont, nil, []string{`a (b) \ Aé`}},
		"hex":            {"BT /F 10 Tf <48 65 6C6C6F> Tj ET", plainFont, nil, []string{"Hello"}},
		"spaces by gaps": {"BT /F 10 Tf [(Hel) 20 (lo) -400 (you)] TJ ET", plainFont, nil, []string{"Hello you"}},
		"next line":      {"BT /F 10 Tf 12 TL 50 700 Td (one two three four five) Tj T* (six) Tj (') ' ET", plainFont, nil, []string{"one two three four five six '"}},
		"columns":        {"BT /F 10 Tf 1 0 0 1 50 700 Tm (Left) Tj 1 0 0 1 300 700 Tm (Right) Tj ET", plainFont, nil, []string{"Left", "Right"}},
		"items":          {"BT /F 10 Tf " + line(700, "1. One") + line(688, "2. Two") + "ET", plainFont, nil, []string{"1. One", "2. Two"}},
		"differences":    {"BT /F 10 Tf (abcd) Tj ET", "<</Type/Font/Subtype/Type1/Encoding<</Differences[97/Aacute/fi 99/uni20AC/germandbls]>>>>", nil, []string{"Áfi€ß"}},
		"to Unicode":     {"BT /F 10 Tf <000100020003> Tj ET", "<</Subtype/Type0/Encoding/Identity-H/DescendantFonts[<</DW 500>>]/ToUnicode 7 0 R>>", []string{"7 0 obj<</Length 99>>stream\n1 beginbfchar <0001> <65E5> endbfchar 1 beginbfrange <0002> <0003> <672C> endbfrange\nendstream endobj"}, []string{"日本札"}},
		"Chinese":        {"BT /F 10 Tf <C4E3BAC3> Tj ET", "<</Subtype/Type0/Encoding/GBK-EUC-H/DescendantFonts[<</DW 1000>>]>>", nil, []string{"你好"}},
		"a form":         {"q 1 0 0 1 0 0 cm /X Do Q", plainFont, []string{"6 0 obj<</Subtype/Form/Resources<</Font<</G 5 0 R>>>>/Length 40>>stream\nBT /G 10 Tf (Inside) Tj ET\nendstream endobj"}, []string{"Inside"}},
		"a picture":      {"BI /W 1 ID (x) aEI b ( Tj EI BT /F 10 Tf (after) Tj ET", plainFont, nil, []string{"after"}},
		"turned":         {"BT /F 10 Tf 0 1 -1 0 300 300 Tm (upright) Tj ( text) Tj ET", plainFont, nil, []string{"upright text"}},
		"no-break":       {"BT /F 10 Tf (a\\240b\\001) Tj ET", plainFont, nil, []string{"a b"}},
	} {
		t.Run(name, func(t *testing.T) {
			pages, err := Pages(made(c.content, c.font, c.more...))
			require.NoError(t, err)
			require.Equal(t, [][]string{c.want}, pages)
		})
	}
}

// Objects in packed streams, as all newer files have them.
func TestPackedObjects(t *testing.T) {
	content := packed(t, "BT /F 10 Tf (Packed text) Tj ET")
	objects := "1 0 2 30 3 70 "
	inner := fmt.Sprintf("%-30s%-40s%s", "<</Pages 2 0 R>>", "<</Kids[3 0 R]>>", "<</Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>")
	pack := packed(t, objects+inner)
	raw := fmt.Sprintf("%%PDF-1.5\n8 0 obj<</Type/ObjStm/N 3/First %d/Filter/FlateDecode/Length %d>>stream\n%s\nendstream endobj\n4 0 obj<</Filter[/FlateDecode]/Length %d>>stream\n%s\nendstream endobj\n5 0 obj%s endobj\n9 0 obj<</Type/XRef/Root 1 0 R>>stream\nendstream endobj", len(objects), len(pack), pack, len(content), content, plainFont)
	pages, err := Pages([]byte(raw))
	require.NoError(t, err)
	require.Equal(t, [][]string{{"Packed text"}}, pages)
}

func TestObjects(t *testing.T) {
	for data, want := range map[string]map[ref]int{
		"1 0 obj<<>>endobj 2\r\n0\x00obj 3": {1: 7, 2: 26},
		"12345678901 65535 obj":             {2345678901: 21}, // ten digits at most
		"1 0 object 2 0 obj_ 30obj 4 5obj":  {},
		"1 123456 obj a 0 obj obj 7 obj":    {},
		"8 0 obj":                           {8: 7},
		"12 0 12 0 obj":                     {12: 13},
		"1 0 endobj endobj":                 {},
	} {
		require.Equal(t, want, maps.Collect(objects([]byte(data))), data)
	}
}

// A file that LibreOffice made of the Word document among the samples.
func TestRealFile(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "pdf", "doc.pdf"))
	require.NoError(t, err)
	parts, write, err := Read(raw)
	require.NoError(t, err)
	require.NoError(t, segment.Translate(t.Context(), parts[0].Segments, func(_ context.Context, text string) (string, error) { return strings.ToUpper(text), nil }))
	out, err := write(segment.Options{To: "de"})
	require.NoError(t, err)
	for _, says := range []string{"THE YEARLY REPORT\n", "THIS IS A VERY IMPORTANT PARAGRAPH WITH A LINK IN IT", "1 THE TEXT OF THE FOOTNOTE.\n", "WORDS IN A BOX"} {
		require.Contains(t, string(out), says)
	}
}

func TestHostileFiles(t *testing.T) {
	bomb := packed(t, strings.Repeat(" ", maxStream+1))
	form := func(filter, content string) string {
		return "6 0 obj<</Subtype/Form/Filter/" + filter + ">>stream\n" + content + "endstream endobj"
	}
	again := func(s string) string { return strings.Repeat(s+" ", 20_000) + "BT /F 10 Tf (a) Tj ET" }
	blanks := strings.Repeat(" ", 1_000_000)
	mapped := "7 0 obj<</Length 150>>stream\n1 beginbfchar <00> <" + strings.Repeat("0041", 30) + "> endbfchar\nendstream endobj"
	letters := strings.Repeat("("+strings.Repeat("\x00", 1000)+") Tj ", 2*maxOutput/30_000)
	for name, c := range map[string]struct {
		raw  []byte
		says string
	}{
		"nothing":         {[]byte("%PDF-1.4"), "pages are not found"},
		"no text":         {made("q Q", plainFont), "no text in it"},
		"protected":       {append(made("BT ET", plainFont), "trailer<</Encrypt 9 0 R>>"...), "protected"},
		"bomb":            {[]byte(strings.Replace(string(made("", plainFont)), "4 0 obj <</Length 0>> stream\n", fmt.Sprintf("4 0 obj <</Filter/FlateDecode/Length %d>> stream\n%s", len(bomb), bomb), 1)), "larger than 256 MiB"},
		"bomb of objects": {[]byte(fmt.Sprintf("%%PDF-1.5\n8 0 obj<</Type/ObjStm/N 3/First 9/Filter/FlateDecode/Length %d>>stream\n%s\nendstream", len(bomb), bomb)), "larger than 256 MiB"},
		"a form again":    {made(again("/X Do"), plainFont, form("ASCIIHexDecode", blanks)), "larger than 256 MiB"},
		"unknown filter":  {made(again("/X Do"), plainFont, form("Unknown", blanks)), "larger than 256 MiB"},
		"many characters": {made("BT /F 10 Tf "+letters+"ET", "<</Subtype/Type1/ToUnicode 7 0 R>>", mapped), "more than 32 MiB"},
		"many lines":      {made("BT /F 10 Tf "+strings.Repeat("(a) Tj 0 99 Td ", maxLines+2)+"ET", plainFont), "more than 200,000 lines"},
		"cut":             {made("BT /F 10 Tf (Hello) Tj ET", plainFont)[:120], "pages are not found"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := Read(c.raw)
			require.ErrorContains(t, err, c.says)
		})
	}
	for name, raw := range map[string]string{
		"pages in a circle":  strings.Replace(string(made("BT /F 10 Tf (a) Tj ET", plainFont)), "/Kids[3 0 R]", "/Kids[2 0 R 3 0 R 2 0 R]", 1),
		"itself a form":      string(made("/X Do", plainFont, "6 0 obj<</Subtype/Form/Resources<</Font<</F 5 0 R>>/XObject<</X 6 0 R>>>>/Length 44>>stream\n/X Do /X Do BT /F 9 Tf (a) Tj ET\nendstream endobj")),
		"nested":             string(made("BT /F 10 Tf (a) Tj ET "+strings.Repeat("[", 1_000_000)+strings.Repeat("<<", 1_000_000), plainFont)),
		"saved states":       string(made(strings.Repeat("q ", 500_000)+"BT /F 10 Tf (a) Tj ET", plainFont)),
		"huge numbers":       string(made("BT /F 1e300 Tf 99999999999999999999 -1e400 Td 1e999 0 0 1e999 0 0 Tm (b) Tj ET BT /F 10 Tf (a) Tj ET", plainFont)),
		"a length of itself": strings.Replace(string(made("BT /F 10 Tf (a) Tj ET", plainFont)), "/Length 21", "/Length 4 0 R", 1),
		"fonts again":        strings.Replace(string(made(again("/F 1 Tf"), plainFont, "7 0 obj <<"+strings.Repeat("/A 1 ", 200_000)+"/F 5 0 R>> endobj")), "/Font<</F 5 0 R>>", "/Font 7 0 R", 1),
		"many columns":       string(made(strings.Repeat("BT /F 10 Tf (a) Tj ET ", 100_000), plainFont)),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Pages([]byte(raw))
			require.NoError(t, err)
		})
	}
}
