package office

import (
	"context"
	"fmt"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

// files is an archive by names.
type files map[string]string

func (f files) Names() (names []string) {
	for name := range f {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func (f files) Text(name string) (string, error) {
	body, ok := f[name]
	if !ok {
		return "", fmt.Errorf("it has no %s", name)
	}
	return body, nil
}

func upper(_ context.Context, text string) (string, error) { return strings.ToUpper(text), nil }

func rendered(t *testing.T, parts []*segment.Part, o segment.Options) string {
	t.Helper()
	var b strings.Builder
	for _, p := range parts {
		require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
		out, err := p.Render(o)
		require.NoError(t, err)
		b.WriteString(out)
	}
	return b.String()
}

func TestWord(t *testing.T) {
	const space = `<w:t xml:space="preserve">`
	for name, c := range map[string]struct{ body, to, want string }{
		"one run":            {"<w:p><w:r><w:t>a</w:t></w:r></w:p>", "", "<w:p><w:r>" + space + "A</w:t></w:r></w:p>"},
		"runs of a spelling": {`<w:p><w:r w:rsidR="1"><w:t>a</w:t></w:r><w:proofErr/><w:r><w:t xml:space="preserve"> b</w:t></w:r></w:p>`, "", `<w:p><w:r w:rsidR="1">` + space + `A B</w:t></w:r><w:proofErr/><w:r>` + space + `</w:t></w:r></w:p>`},
		"bold":               {`<w:p><w:r><w:t>one </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>b</w:t></w:r></w:p>`, "", `<w:p><w:r>` + space + `ONE </w:t></w:r><w:r><w:rPr><w:b/></w:rPr>` + space + `B</w:t></w:r></w:p>`},
		"language only":      {`<w:p><w:r><w:t>one </w:t></w:r><w:r><w:rPr><w:lang w:val="en-US"/></w:rPr><w:t>b</w:t></w:r></w:p>`, "de", `<w:p><w:r>` + space + `ONE </w:t></w:r><w:r><w:rPr><w:lang w:val="de"/></w:rPr>` + space + `B</w:t></w:r></w:p>`},
		"deleted":            {`<w:p><w:r><w:t>a </w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:r><w:t>c</w:t></w:r></w:p>`, "", `<w:p><w:r>` + space + `A </w:t></w:r><w:del><w:r><w:delText>b</w:delText></w:r></w:del><w:r>` + space + `C</w:t></w:r></w:p>`},
		"tabs":               {`<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t></w:r></w:p>`, "", `<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r>` + space + `A</w:t><w:tab/>` + space + `B</w:t></w:r></w:p>`},
		"page number":        {`<w:p><w:r><w:t>page </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> PAGE </w:instrText><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>iv</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`, "", `<w:p><w:r>` + space + `PAGE </w:t></w:r><w:r><w:fldChar w:fldCharType="begin"/><w:instrText> PAGE </w:instrText><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>iv</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`},
		"link field":         {`<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "a"</w:instrText><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>b</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`, "", `<w:p><w:r><w:fldChar w:fldCharType="begin"/><w:instrText>HYPERLINK "a"</w:instrText><w:fldChar w:fldCharType="separate"/></w:r><w:r>` + space + `B</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`},
		"text box":           {`<w:p><w:r><w:t>a</w:t></w:r><w:r><w:pict><w:p><w:r><w:t>b</w:t></w:r></w:p></w:pict></w:r><w:r><w:t>.</w:t></w:r></w:p>`, "", `<w:p><w:r>` + space + `A</w:t></w:r><w:r><w:pict><w:p><w:r>` + space + `B</w:t></w:r></w:p></w:pict></w:r><w:r><w:t>.</w:t></w:r></w:p>`},
		"hyphen":             {`<w:p><w:r><w:t>figure 1</w:t><w:noBreakHyphen/><w:t>2: words</w:t></w:r></w:p>`, "", `<w:p><w:r>` + space + `FIGURE 1</w:t><w:noBreakHyphen/>` + space + `2: WORDS</w:t></w:r></w:p>`},
		"picture":            {`<w:p><w:r><w:t>a </w:t></w:r><w:r><w:drawing><wp:docPr id="1" name="Picture 1" descr="a &lt;cat&gt;"/><pic:cNvPr descr="a cat"/></w:drawing></w:r></w:p>`, "", `<w:p><w:r>` + space + `A </w:t></w:r><w:r><w:drawing><wp:docPr id="1" name="Picture 1" descr="A &lt;CAT>"/><pic:cNvPr descr="a cat"/></w:drawing></w:r></w:p>`},
		"picture's file":     {`<w:p><w:r><w:drawing><wp:docPr descr="C:\My pictures\cat one.jpg" title="cat.png"/></w:drawing></w:r></w:p>`, "", `<w:p><w:r><w:drawing><wp:docPr descr="C:\My pictures\cat one.jpg" title="cat.png"/></w:drawing></w:r></w:p>`},
		"entities":           {`<w:p><w:r><w:t>a &amp; b&#39;</w:t></w:r></w:p>`, "", `<w:p><w:r>` + space + `A &amp; B'</w:t></w:r></w:p>`},
		"to Arabic":          {`<w:p><w:pPr><w:keepNext/><w:jc w:val="left"/></w:pPr><w:r><w:rPr><w:b/><w:lang w:bidi="he"/></w:rPr><w:t>a</w:t></w:r></w:p><w:p><w:r><w:t>b</w:t></w:r></w:p>`, "ar", `<w:p><w:pPr><w:keepNext/><w:bidi/><w:jc w:val="left"/></w:pPr><w:r><w:rPr><w:b/><w:rtl/><w:lang w:bidi="ar"/></w:rPr>` + space + `A</w:t></w:r></w:p><w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr>` + space + `B</w:t></w:r></w:p>`},
		"from Arabic":        {`<w:p><w:pPr><w:bidi/></w:pPr><w:r><w:rPr><w:rtl/></w:rPr><w:t>a</w:t></w:r></w:p>`, "de", `<w:p><w:pPr></w:pPr><w:r><w:rPr></w:rPr>` + space + `A</w:t></w:r></w:p>`},
	} {
		t.Run(name, func(t *testing.T) {
			wrap := func(s string) string { return "<w:document><w:body>" + s + "</w:body></w:document>" }
			parts, err := Word(files{"word/document.xml": wrap(c.body)})
			require.NoError(t, err)
			require.Equal(t, wrap(c.want), rendered(t, parts, segment.Options{To: c.to}))
		})
	}
}

func TestPresentation(t *testing.T) {
	body := `<p:sld><a:p><a:pPr algn="l"/><a:r><a:rPr lang="en-US" dirty="0"/><a:t>a </a:t></a:r><a:r><a:rPr lang="en-GB"/><a:t>b </a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:sld>`
	want := `<p:sld><a:p><a:pPr rtl="1" algn="l"/><a:r><a:rPr lang="ar" dirty="0"/><a:t>A B </a:t></a:r><a:r><a:rPr lang="ar"/><a:t></a:t></a:r><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:sld>`
	parts, err := Presentation(files{"ppt/slides/slide1.xml": body})
	require.NoError(t, err)
	require.Equal(t, want, rendered(t, parts, segment.Options{To: "ar"}))

	chart := `<c:chart><c:strCache><c:pt><c:v>north</c:v></c:pt></c:strCache><c:numCache><c:v>one</c:v></c:numCache></c:chart>`
	parts, err = Presentation(files{"ppt/charts/chart1.xml": chart})
	require.NoError(t, err)
	require.Equal(t, strings.Replace(chart, "north", "NORTH", 1), rendered(t, parts, segment.Options{}))
}

func TestWorkbook(t *testing.T) {
	parts, err := Workbook(files{
		"xl/sharedStrings.xml":     `<sst><si><t>total</t></si><si><r><t>red </t></r><r><rPr><b/></rPr><t>car</t></r><rPh><t>x</t></rPh></si><si><t>sum</t></si></sst>`,
		"xl/tables/table1.xml":     `<table><tableColumns><tableColumn id="1" name="total"/></tableColumns></table>`,
		"xl/worksheets/sheet1.xml": `<worksheet><c t="str"><f>IF(A1="yes","a","b")</f><v>a</v></c><c t="inlineStr"><is><t>in line</t></is></c></worksheet>`,
	})
	require.NoError(t, err)
	require.Equal(t, `<sst><si><t>total</t></si><si><r><t xml:space="preserve">RED </t></r><r><rPr><b/></rPr><t xml:space="preserve">CAR</t></r><rPh><t>x</t></rPh></si><si><t xml:space="preserve">SUM</t></si></sst>`+
		`<worksheet><c t="str"><f>IF(A1="yes","a","b")</f><v>a</v></c><c t="inlineStr"><is><t xml:space="preserve">IN LINE</t></is></c></worksheet>`, rendered(t, parts, segment.Options{}))
}

// The title that a file has is translated, and nothing else of its properties.
func TestTitleOfTheFile(t *testing.T) {
	const core = `<cp:coreProperties><dc:title>a b</dc:title><dc:creator>c d</dc:creator><dc:title></dc:title></cp:coreProperties>`
	for _, read := range []func(Zip) ([]*segment.Part, error){Word, Presentation, Workbook} {
		parts, err := read(files{"docProps/core.xml": core})
		require.NoError(t, err)
		require.Equal(t, strings.Replace(core, "a b", "A B", 1), rendered(t, parts, segment.Options{To: "de"}))
		require.Equal(t, strings.Replace(core, "a b", "a b / A B", 1), rendered(t, parts, segment.Options{Bilingual: true}))
	}
}

// A translation stands behind its text in a run of its own, which looks like most of the text,
// and is never within a link, a mark or a field, nor outside of all runs.
func TestBilingual(t *testing.T) {
	const bold, run = `<w:rPr><w:b/></w:rPr>`, `<w:r><w:t>one and </w:t></w:r>`
	own := func(looks, text string) string {
		return "<w:r>" + looks + `<w:br/><w:t xml:space="preserve">` + text + "</w:t></w:r>"
	}
	for name, c := range map[string][2]string{
		"footnote":     {"<w:p>" + run + `<w:r><w:footnoteReference w:id="1"/></w:r></w:p>`, "<w:p>" + run + `<w:r><w:footnoteReference w:id="1"/></w:r>` + own("", "ONE AND") + "</w:p>"},
		"link":         {"<w:p>" + run + `<w:hyperlink r:id="a"><w:r>` + bold + `<w:t>b</w:t></w:r></w:hyperlink></w:p>`, "<w:p>" + run + `<w:hyperlink r:id="a"><w:r>` + bold + `<w:t>b</w:t></w:r></w:hyperlink>` + own("", "ONE AND B") + "</w:p>"},
		"mostly bold":  {`<w:p><w:r><w:t>a </w:t></w:r><w:r>` + bold + `<w:t>and more &amp; more</w:t></w:r></w:p>`, `<w:p><w:r><w:t>a </w:t></w:r><w:r>` + bold + `<w:t>and more &amp; more</w:t></w:r>` + own(bold, "A AND MORE &amp; MORE") + `</w:p>`},
		"line break":   {`<w:p><w:r><w:t>a</w:t><w:br/><w:t>b</w:t></w:r></w:p>`, `<w:p><w:r><w:t>a</w:t><w:br/><w:t xml:space="preserve">A</w:t><w:br/><w:t>b</w:t></w:r>` + own("", "B") + `</w:p>`},
		"tab":          {`<w:p><w:r><w:t>a</w:t><w:tab/><w:t>7</w:t></w:r></w:p>`, `<w:p><w:r><w:t>a</w:t><w:t xml:space="preserve"> / A</w:t><w:tab/><w:t>7</w:t></w:r></w:p>`},
		"how it was":   {`<w:p><w:r><w:rPr><w:b/><w:rPrChange w:id="1"><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r></w:p>`, `<w:p><w:r><w:rPr><w:b/><w:rPrChange w:id="1"><w:rPr><w:i/></w:rPr></w:rPrChange></w:rPr><w:t>a</w:t></w:r>` + own(bold, "A") + `</w:p>`},
		"a text box":   {`<w:p>` + run + `<w:r><w:pict><w:p><w:r><w:t>b</w:t></w:r></w:p></w:pict></w:r></w:p>`, `<w:p>` + run + `<w:r><w:pict><w:p><w:r><w:t>b</w:t></w:r>` + own("", "B") + `</w:p></w:pict></w:r>` + own("", "ONE AND") + `</w:p>`},
		"deleted last": {`<w:p>` + run + `<w:del><w:r><w:delText>b</w:delText></w:r></w:del></w:p>`, `<w:p>` + run + `<w:del><w:r><w:delText>b</w:delText></w:r></w:del>` + own("", "ONE AND") + `</w:p>`},
	} {
		t.Run(name, func(t *testing.T) {
			parts, err := Word(files{"word/document.xml": "<d>" + c[0] + "</d>"})
			require.NoError(t, err)
			require.Equal(t, "<d>"+c[1]+"</d>", rendered(t, parts, segment.Options{To: "de", Bilingual: true}))
		})
	}
	const looks = `<a:rPr sz="900"/>`
	slides, err := Presentation(files{
		"ppt/charts/chart1.xml": `<c:c><a:p><a:r>` + looks + `<a:t>a</a:t></a:r></a:p><c:strCache><c:v>b</c:v></c:strCache></c:c>`,
		"ppt/slides/slide1.xml": `<p:s><a:p><a:r>` + looks + `<a:t>a</a:t></a:r><a:br/><a:r><a:t>b </a:t></a:r><a:fld><a:t>7</a:t></a:fld><a:endParaRPr/></a:p></p:s>`,
	})
	require.NoError(t, err)
	require.Equal(t, `<p:s><a:p><a:r>`+looks+`<a:t>a</a:t></a:r><a:br>`+looks+`</a:br><a:r>`+looks+`<a:t>A</a:t></a:r><a:br/><a:r><a:t>b </a:t></a:r><a:fld><a:t>7</a:t></a:fld><a:br></a:br><a:r><a:t>B 7</a:t></a:r><a:endParaRPr/></a:p></p:s>`+
		`<c:c><a:p><a:r>`+looks+`<a:t>a</a:t></a:r><a:br>`+looks+`</a:br><a:r>`+looks+`<a:t>A</a:t></a:r></a:p><c:strCache><c:v>b / B</c:v></c:strCache></c:c>`, rendered(t, slides, segment.Options{Bilingual: true}))

	cells, err := Workbook(files{"xl/sharedStrings.xml": `<sst><si><t>a</t></si><si><r><t>red </t></r><r><rPr><b/></rPr><t>car</t></r><rPh><t>x</t></rPh></si><si><t>a` + "\n" + `b</t></si></sst>`})
	require.NoError(t, err)
	require.Equal(t, `<sst><si><t xml:space="preserve">a / A</t></si><si><r><t>red </t></r><r><rPr><b/></rPr><t>car</t></r><r><t xml:space="preserve"> / RED CAR</t></r><rPh><t>x</t></rPh></si><si><t xml:space="preserve">a`+"\n"+`b`+"\n"+`A`+"\n"+`B</t></si></sst>`, rendered(t, cells, segment.Options{Bilingual: true}))
}

func TestSlidesComeByTheirNumbers(t *testing.T) {
	z := files{}
	for _, n := range []string{"1", "10", "2", "9"} {
		z["ppt/slides/slide"+n+".xml"] = `<p:sld xmlns:p="p" xmlns:a="a"><a:p><a:r><a:t>Slide ` + n + `</a:t></a:r></a:p></p:sld>`
	}
	parts, err := Presentation(z)
	require.NoError(t, err)
	var names []string
	for _, p := range parts {
		names = append(names, strings.TrimSuffix(strings.TrimPrefix(p.Name, "ppt/slides/slide"), ".xml"))
	}
	require.Equal(t, []string{"1", "2", "9", "10"}, names)
}
