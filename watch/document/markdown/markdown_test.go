package markdown

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

// shape is the tree of a text without its words.
func shape(t *testing.T, body string) string {
	t.Helper()
	var b strings.Builder
	source := []byte(body)
	require.NoError(t, ast.Walk(markdown.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		switch n := n.(type) {
		case *ast.Text:
			return ast.WalkContinue, nil
		case *ast.Link:
			fmt.Fprintf(&b, "(link %s %t)", n.Destination, len(n.Title) > 0)
			return ast.WalkContinue, nil
		}
		if entering {
			fmt.Fprintf(&b, "(%s", n.Kind())
		} else {
			b.WriteString(")")
		}
		return ast.WalkContinue, nil
	}))
	return b.String()
}

func translated(t *testing.T, body string, translate func(string) string) string {
	t.Helper()
	return segmenttest.Translated(t, Read, body, segment.Options{To: "es"}, translate)
}

func TestStructureStays(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "md", "all.md"))
	require.NoError(t, err)
	body := string(raw)[strings.Index(string(raw)[3:], "---\n")+7:]
	for name, translate := range map[string]func(string) string{
		"longer":     func(s string) string { return s + " and some more words" },
		"shorter":    func(s string) string { return strings.Fields(s + " x")[0] },
		"capitals":   strings.ToUpper,
		"markup":     func(s string) string { return s + " *a* _b_ `c` [d](e) <f> #g | h" },
		"block":      func(s string) string { return "# " + s },
		"list":       func(s string) string { return "1. " + s },
		"quotations": func(s string) string { return "«" + s + "»" },
		"Chinese":    func(s string) string { return strings.Repeat("中文，", 1+len(s)/6) },
	} {
		t.Run(name, func(t *testing.T) {
			out := translated(t, body, translate)
			require.Equal(t, shape(t, body), shape(t, out), out)
		})
	}
}

func TestWhatIsWritten(t *testing.T) {
	upper := strings.ToUpper
	for name, c := range map[string]struct {
		body, want string
		translate  func(string) string
	}{
		"emphasis in words of its own": {"a **b** c\n", "A **B** C\n", upper},
		"named by their words":         {"see [a b][] and [c] and [d `e`][] and [f][a b]\n\n![g][]\n\n[a b]: x\n[c]: y\n[d `e`]: z\n[g]: w\n", "SEE [A B][a b] AND [C][c] AND [D `e`][d `e`] AND [F][a b]\n\n![G][g]\n\n[a b]: x\n[c]: y\n[d `e`]: z\n[g]: w\n", upper},
		"a space and lines":            {"see [a](b) for\nmore `c` of\nit\n", "SEE [A](b) FOR\nMORE `c` OF\nIT\n", upper},
		"lines":                        {"one two\nthree four\n", "ONE TWO\nTHREE FOUR\n", upper},
		"CRLF":                         {"> one two\r\n> three four\r\n", "> ONE TWO\r\n> THREE FOUR\r\n", upper},
		"escapes":                      {"a \\* b &amp; c\n", "A \\* B & C\n", upper},
		"entity made up":               {"a b\n", "a \\&amp; b\n", func(string) string { return "a &amp; b" }},
		"pipe in a cell":               {"|a|\n|-|\n|b|\n", "|a \\| a|\n|-|\n|b \\| b|\n", func(s string) string { return s + " | " + s }},
		"number at the beginning":      {"A house\n", "1\\. Haus\n", func(string) string { return "1. Haus" }},
		"titles":                       {"[a](b \"c d\"), ![e](f 'g'), [h](<i> (j \\) k))\n\n> [l]: m 'n o'\n> [p]: q\n>   \"r & s\"\n\n[l] [p][]\n", "[A](b \"C D\"), ![E](f 'G'), [H](<i> (J \\) K))\n\n> [l]: m 'N O'\n> [p]: q\n>   \"R & S\"\n\n[L][l] [P][p]\n", upper},
		"titles in cells":              {"|[a](b \"c\")|![d](e 'f')|\n|-|-|\n", "|[a \\| a](b \"c \\| c\")|![d \\| d](e 'f \\| f')|\n|-|-|\n", func(s string) string { return s + " | " + s }},
		"a picture in a link":          {"[![a](b \"c\")](b \"c\")\n", "[![A](b \"C\")](b \"C\")\n", upper},
		"a title and a text at once":   {"[a]: b\n'c d'\f\ne\n", "[a]: b\n'C D'\nE\n", upper},
		"a title with words behind it": {"[a]: b\n'c d' e\n", "[a]: b\n'C D' E\n", upper},
		"a title over lines":           {"[a](b \"c\nd\")\n", "[A](b \"c\nd\")\n", upper},
		"a link without words":         {"a\n[](b 'c')d e\n", "A\n[](b 'C')D E\n", upper},
		"code only":                    {"`code`\n", "`code`\n", upper},
		"address":                      {"See https://a.example/b now\n", "Siehe https://a.example/b Siehe\n", func(s string) string { return "Siehe" }},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, translated(t, c.body, c.translate))
		})
	}
}

// What a title says is what a reader of Markdown sees, whatever marks are in it.
func TestMarksInTitles(t *testing.T) {
	const says = "x\\ \"y' (&amp; | &) <b> `c` \\"
	out := translated(t, "[a](b \"c\")\n\n[a](b 'c')\n\n![a](b (c))\n\n- [a]: b \"c\"\n\n|[a](b 'c')|\n|-|\n", func(string) string { return says })
	var titles []string
	source := []byte(out)
	require.NoError(t, ast.Walk(markdown.Parse(text.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			titles = append(titles, unescape(string(n.Title)))
		case *ast.Image:
			titles = append(titles, unescape(string(n.Title)))
		case *ast.LinkReferenceDefinition:
			titles = append(titles, unescape(string(n.Title)))
		}
		return ast.WalkContinue, nil
	}))
	require.Equal(t, []string{says, says, says, says, says}, titles, out)
}

func TestBilingual(t *testing.T) {
	for body, want := range map[string]string{
		"# One *two*\n\nThree\n":            "# One *two*<br>ONE TWO\n\nThree<br>THREE\n",
		"Run `ls`\n":                        "Run `ls`<br>RUN ls\n",
		"**All of it**\n":                   "**All of it<br>ALL OF IT**\n",
		"[All of it](b)\n":                  "[All of it<br>ALL OF IT](b)\n",
		"A [link](b) *x*  \nand more\n":     "A [link](b) *x*<br>A LINK X  \nand more<br>AND MORE\n",
		"One *a*<br>two\n":                  "One *a*<br>ONE A<br>two<br>TWO\n",
		"| a *b* | c\\|d |\n|---|---|\n":    "| a *b*<br>A B | c\\|d<br>C\\|D |\n|---|---|\n",
		"- One *b*\n  c\n\n> d `e`\n":       "- One *b*\n  c<br>ONE B C\n\n> d `e`<br>D e\n",
		"Head *a*\n====\n\n## Sub *b* ##\n": "Head *a*<br>HEAD A\n====\n\n## Sub *b*<br>SUB B ##\n",
		"An ![pic](a.png)\n":                "An ![pic / PIC](a.png)<br>AN\n",
		"a <b>c & d</b>\n":                  "a <b>c & d</b><br>A C & D\n",
	} {
		p, err := Read(body)
		require.NoError(t, err)
		require.NoError(t, segment.Translate(t.Context(), p.Segments, func(_ context.Context, s string) (string, error) { return strings.ToUpper(s), nil }))
		out, err := p.Render(segment.Options{To: "de", Bilingual: true})
		require.NoError(t, err)
		require.Equal(t, want, out)
	}
}

func TestHostileTextsAreRefusedOrRead(t *testing.T) {
	_, err := Read(strings.Repeat("> ", 300) + "x")
	require.ErrorContains(t, err, "nested too deep")
	_, err = Read("a\n" + strings.Repeat("x", maxLine+1))
	require.ErrorContains(t, err, "line 2: the line is longer")
	_, err = Read(strings.Repeat("a\n", maxSize/2+1))
	require.ErrorContains(t, err, "larger than 16 MiB")
	for _, body := range []string{"[", "*a_", "![a", "[a](", "<b", "a** b\n"} {
		_, err := Read(strings.Repeat(body, maxMarks+1))
		require.ErrorContains(t, err, "too much markup", body)
		_, err = Read(strings.Repeat(body, maxMarks/10))
		require.NoError(t, err, body)
	}
	row := strings.Repeat("| `a` | *b* ", 10) + "|\n"
	for _, body := range []string{
		strings.Repeat("- ", 150) + "x", strings.Repeat("-", 100_000), row + strings.Repeat("|-|-", 10) + "|\n" + strings.Repeat(row, 1000),
		strings.Repeat("- [a](b) *c* `d`\n", 2000), strings.Repeat("* ", 1000),
	} {
		_, err := Read(body)
		require.NoError(t, err)
	}
}
