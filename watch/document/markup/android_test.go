package markup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func TestAndroid(t *testing.T) {
	in := func(text string) string { return `<resources><string name="a">` + text + `</string></resources>` }
	for name, c := range map[string]struct{ body, want string }{
		"apostrophes":        {in(`don\'t \"go\"`), in(`DON\'T \"GO\"`)},
		"quoted":             {in(`" it's  here\n "`), in(`" IT'S  HERE\n "`)},
		"quoted in part":     {in(`a "b" c`), in(`a "b" c`)},
		"quoted by markup":   {in(`"a b" <b>c d</b>`), in(`"a b" <b>C D</b>`)},
		"line ends":          {in(`\n\na b\nc\u0020`), in(`\n\nA B\nC\u0020`)},
		"an escaped mark":    {in(`a b\\n`), in(`A B\\N`)},
		"white space":        {in("\n  one\n    two <b>three</b>\n"), in("\n  ONE TWO <b>THREE</b>\n")},
		"numbers":            {in(`caf\u00e9 \ud83d\ude00 x`), in(`CAFÉ 😀 X`)},
		"bad numbers":        {in(`a \u00g9 b`), in(`a \u00g9 b`)},
		"half a character":   {in(`a \ud83d b`), in(`a \ud83d b`)},
		"references":         {in(`@string/a_b`) + "<!-- -->", in(`@string/a_b`) + "<!-- -->"},
		"no references":      {in(`\@home \?`), in(`\@HOME ?`)},
		"what stays in it":   {in(`Hi <xliff:g id="w" example="a b">%1$s of x</xliff:g>, go`), in(`HI <xliff:g id="w" example="a b">%1$s of x</xliff:g>, GO`)},
		"tags as text":       {in(`Use &lt;b>it&lt;/b> &amp; go`), in(`USE &lt;b&gt;IT&lt;/b&gt; &amp; GO`)},
		"CDATA":              {in(`<![CDATA[<p title=\"x y\">a <b>b</b>, don\'t</p>]]>`), in(`<![CDATA[<p title=\"x y\">A <b>B</b>, DON\'T</p>]]>`)},
		"CDATA without tags": {in(`<![CDATA[ it\'s a & b ]]>`), in(`<![CDATA[ IT\'S A & B ]]>`)},
		"not translatable":   {`<resources><string name="a" translatable="false">b c</string><string-array name="d" translatable="false"><item>e f</item></string-array></resources>`, `<resources><string name="a" translatable="false">b c</string><string-array name="d" translatable="false"><item>e f</item></string-array></resources>`},
		"plurals, arrays":    {`<resources><plurals name="a"><item quantity="one">%d file</item><item quantity="other">%d files</item></plurals><string-array name="b"><item>one</item><item>@string/c</item></string-array></resources>`, `<resources><plurals name="a"><item quantity="one">%d FILE</item><item quantity="other">%d FILES</item></plurals><string-array name="b"><item>ONE</item><item>@string/c</item></string-array></resources>`},
		"other resources":    {`<resources><color name="a">red</color><style name="b"><item name="c">bold</item></style><item name="d" type="id"/><integer-array name="e"><item>one</item></integer-array></resources>`, `<resources><color name="a">red</color><style name="b"><item name="c">bold</item></style><item name="d" type="id"/><integer-array name="e"><item>one</item></integer-array></resources>`},
		"locale":             {`<resources tools:locale="en"><string name="a">b</string></resources>`, `<resources tools:locale="de"><string name="a">B</string></resources>`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, segmenttest.Translated(t, ReadXML, c.body, segment.Options{To: "de"}, upperButPlaceholders))
		})
	}
}

// Quantities that only the target language has are like the one that all languages have.
func TestQuantitiesOfAndroid(t *testing.T) {
	for body, want := range map[string]string{
		"<resources>\n  <plurals name=\"a\">\n    <item quantity=\"one\">%d file</item>\n    <item quantity=\"other\">%d <b>files</b></item>\n  </plurals>\n</resources>":                                                                                                                   "<resources>\n  <plurals name=\"a\">\n    <item quantity=\"one\">%d FILE</item>\n    <item quantity=\"few\">%d <b>FILES</b></item>\n    <item quantity=\"many\">%d <b>FILES</b></item>\n    <item quantity=\"other\">%d <b>FILES</b></item>\n  </plurals>\n</resources>",
		`<resources><plurals name="a"><item quantity="other">days</item></plurals><string-array name="b"><item>c d</item></string-array><plurals name="e" translatable="false"><item quantity="other">f g</item></plurals><plurals name="h"><item quantity="other"/></plurals></resources>`: `<resources><plurals name="a"><item quantity="one">DAYS</item><item quantity="few">DAYS</item><item quantity="many">DAYS</item><item quantity="other">DAYS</item></plurals><string-array name="b"><item>C D</item></string-array><plurals name="e" translatable="false"><item quantity="other">f g</item></plurals><plurals name="h"><item quantity="other"/></plurals></resources>`,
	} {
		require.Equal(t, want, segmenttest.Translated(t, ReadXML, body, segment.Options{To: "ru"}, upperButPlaceholders))
	}
}

// What a translation has is escaped, as Android needs it there.
func TestWhatAndroidNeedsEscaped(t *testing.T) {
	for in, want := range map[string]string{
		"a b":             `\@l\'a\\b \"c\"`,
		`"a b"`:           `"@l'a\\b \"c\""`,
		"<![CDATA[a b]]>": `<![CDATA[\@l\'a\\b \"c\"]]>`,
	} {
		body := `<resources><string name="x">` + in + `</string></resources>`
		require.Equal(t, `<resources><string name="x">`+want+`</string></resources>`, segmenttest.Translated(t, ReadXML, body, segment.Options{}, func(string) string { return `@l'a\b "c"` }))
	}
}
