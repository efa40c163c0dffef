package markup

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

// nodes lists the nodes of a page with their attributes, without texts.
func nodes(t *testing.T, body string) (all []string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(body))
	require.NoError(t, err)
	for n := range root.Descendants() {
		switch n.Type {
		case html.TextNode: // may be empty before or after a tag
		case html.ElementNode:
			line := n.Data
			for _, a := range n.Attr {
				if !shown[a.Key] && a.Key != "content" && a.Key != "value" {
					line += fmt.Sprintf(" %s=%q", a.Key, a.Val)
				}
			}
			all = append(all, line)
		default:
			all = append(all, fmt.Sprint(n.Type, n.Data))
		}
	}
	return all
}

func TestNodesStay(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "html", "page.html"))
	require.NoError(t, err)
	for name, translate := range map[string]func(string) string{
		"capitals": strings.ToUpper,
		"longer":   func(s string) string { return "Y & <b>" + s + "</b> \"more\"" },
		"reversed": func(s string) string {
			w := strings.Fields(s)
			for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
				w[i], w[j] = w[j], w[i]
			}
			return strings.Join(w, " ")
		},
	} {
		t.Run(name, func(t *testing.T) {
			out := segmenttest.Translated(t, ReadHTML, string(raw), segment.Options{}, translate)
			require.Equal(t, nodes(t, string(raw)), nodes(t, out), out)
		})
	}
}

func TestWhatIsWritten(t *testing.T) {
	for name, c := range map[string]struct{ body, to, want string }{
		"inline":            {"<p>a <b>b</b> c</p>", "", "<p>A <b>B</b> C</p>"},
		"white space":       {"<p>\n  a\n  b\n</p>", "", "<p>\n  A B\n</p>"},
		"entities":          {"<p>a &lt; b&nbsp;&eacute;</p>", "", "<p>A &lt; B&nbsp;É</p>"},
		"kept":              {"<p translate=no>a</p><p>b <code>c</code></p>", "", "<p translate=no>a</p><p>B <code>c</code></p>"},
		"unquoted":          {"<img alt=cat>", "", `<img alt="CAT">`},
		"quotation marks":   {`<img alt='a "cat"'>`, "", "<img alt='A &quot;CAT&quot;'>"},
		"language":          {`<html lang='en-US'><p lang="en-US">a<p lang=la>b`, "de", `<html lang='de'><p lang="de">A<p lang=la>B`},
		"no language":       {"<html><p>a", "de", `<html lang="de"><p>A`},
		"to Arabic":         {`<html lang="en"><p>a`, "ar", `<html dir="rtl" lang="ar"><p>A`},
		"from Arabic":       {`<html lang="ar" dir="rtl"><p>a`, "en", `<html lang="en" dir="ltr"><p>A`},
		"another encoding":  {`<meta charset="iso-8859-1"><p>a`, "de", `<meta charset="utf-8"><p>A`},
		"another, long":     {`<meta http-equiv="Content-Type" content="text/html; charset=windows-1252"><p>a`, "de", `<meta http-equiv="Content-Type" content="text/html; charset=utf-8"><p>A`},
		"kept but":          {"<p translate=NO>a <i translate>b</i></p>", "", "<p translate=NO>a <i translate>B</i></p>"},
		"without scripts":   {"<noscript><img src=a> b</noscript>c", "", "<noscript><img src=a> b</noscript>C"},
		"pictures":          {"<svg><style>a</style><text>b</text><text>c</text></svg>", "", "<svg><style>a</style><text>B</text><text>C</text></svg>"},
		"closing alone":     {"a</p>b</div>", "", "A</p>B</div>"},
		"kept, then not":    {"a <i translate=no>b <b translate>c</b></i>", "", "A <i translate=no>b <b translate>C</b></i>"},
		"script":            {"<script>a</script><p>b", "", "<script>a</script><p>B"},
		"unfinished":        {"<p>a<b", "", "<p>A<b"},
		"break ends a line": {"<p>a<br>b</p>", "", "<p>A<br>B</p>"},
		"button":            {`<input type=submit value="Go"><input value="x">`, "", `<input type=submit value="GO"><input value="x">`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, segmenttest.Translated(t, ReadHTML, c.body, segment.Options{To: c.to}, strings.ToUpper))
		})
	}
}

func TestXHTML(t *testing.T) {
	body := `<?xml version="1.0"?><html xml:lang="en"><head><title/></head><body><p>a&#160;<b>b</b> &amp; <![CDATA[c]]></p><p>d<br/>e</p></body></html>`
	want := `<?xml version="1.0"?><html xml:lang="de"><head><title/></head><body><p>A` + "\u00a0" + `<b>B</b> &amp; <![CDATA[c]]></p><p>D<br/>E</p></body></html>`
	require.Equal(t, want, segmenttest.Translated(t, ReadXHTML, body, segment.Options{To: "de"}, strings.ToUpper))
}

func TestHostilePagesAreRefusedOrRead(t *testing.T) {
	for name, c := range map[string]struct {
		read func(string) (*segment.Part, error)
		body string
		says string
	}{
		"entities":   {ReadXHTML, "<!DOCTYPE a [<!ENTITY b \"" + strings.Repeat("c", 100) + "\">]><p>&b;</p>", "declares entities"},
		"external":   {ReadXHTML, `<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><p>&b;</p>`, "declares entities"},
		"deep XHTML": {ReadXHTML, strings.Repeat("<b>", 3000), "nested deeper"},
		"deep HTML":  {ReadHTML, strings.Repeat("<b>", 30_000), "nested deeper"},
		"cut":        {ReadXHTML, "<p>a", "ends within <p>"},
		"crossed":    {ReadXHTML, "<p><b>a</p></b>", "closes what is not open"},
		"huge tag":   {ReadHTML, "<p>x<a b=\"" + strings.Repeat("c", maxToken+1), "longer than 16 MiB"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.read(c.body)
			require.ErrorContains(t, err, c.says)
		})
	}
	for _, body := range []string{strings.Repeat("</p>", 100_000), strings.Repeat("<p>a", 100_000), strings.Repeat("<b>a</b>", 50_000), "<" + strings.Repeat(" a=b", 100_000)} {
		_, err := ReadHTML(body)
		require.NoError(t, err)
	}
}

// Links that touch are a menu, no sentence, and each keeps its words.
func TestLinksThatTouch(t *testing.T) {
	for body, want := range map[string]string{
		"<p><a>New</a><a title=x>Old</a></p>":   "<p><a>NEW</a><a title=\"X\">OLD</a></p>",
		"<p>see <a>New</a> <a>Old</a></p>":      "<p>SEE <a>NEW</a> <a>OLD</a></p>",
		"<p><b>N</b><i>ew</i> <a>x</a> y</p>":   "<p><b>N</b><i>EW</i> <a>X</a> Y</p>",
		"<label>Name</label><label>Age</label>": "<label>NAME</label><label>AGE</label>",
	} {
		require.Equal(t, want, segmenttest.Translated(t, ReadHTML, body, segment.Options{}, strings.ToUpper))
	}
	p, err := ReadHTML("<p><a>New</a><a>Old</a> and <a>more</a></p>")
	require.NoError(t, err)
	require.Len(t, p.Segments, 2)
}

// White space between links stays between them.
func TestSpaceBetweenLinks(t *testing.T) {
	for _, body := range []string{"<p><a>New story</a> <a>Old story</a></p>", "<p><a>New story</a>\u00a0\n<a>Old</a></p>"} {
		out := segmenttest.Translated(t, ReadHTML, body, segment.Options{}, strings.ToUpper)
		require.Regexp(t, `<p><a>NEW STORY</a>[\s\x{a0}]+<a>OLD`, strings.ReplaceAll(out, "&nbsp;", "\u00a0"))
	}
}

// Pages hide addresses of mail from robots by markup in them, and they stay all the same.
func TestAddressesWithMarkup(t *testing.T) {
	body := `<p>Write to <a href="mailto:x">packager<span>@</span>example<span>.</span>com</a> today, or to <b>nobody</b>.</p>`
	out := segmenttest.Translated(t, ReadHTML, body, segment.Options{}, func(s string) string {
		return strings.ReplaceAll(strings.ToUpper(s), "PACKAGER@EXAMPLE.COM", "PACKAGERIN BEI EXAMPLE")
	})
	require.Equal(t, `<p>WRITE TO <a href="mailto:x">packager<span>@</span>example<span>.</span>com</a> TODAY, OR TO <b>NOBODY</b>.</p>`, out)
}

func TestBilingual(t *testing.T) {
	for body, want := range map[string]string{
		"<p>a <b>b</b></p>":                     "<p>a <b>b</b><br>A B</p>",
		"<p><b>b &amp; c</b></p>":               "<p><b>b &amp; c<br>B &amp; C</b></p>",
		"<p>run <code>a &lt; b</code></p>":      "<p>run <code>a &lt; b</code><br>RUN a &lt; b</p>",
		"<p><i>a <b>b</b></i></p>":              "<p><i>a <b>b</b><br>A B</i></p>",
		"<ul><li>a <i>b</i><ul><li>c</ul></ul>": "<ul><li>a <i>b</i><br>A B<ul><li>c<br>C</ul></ul>",
		"<title>a b</title><select><option>c</select><svg><text>d <tspan>e</tspan></text></svg><p>f": "<title>a b / A B</title><select><option>c / C</select><svg><text>d <tspan>e</tspan> / D E</text></svg><p>f<br>F",
		"<p>a <b>b":                      "<p>a <b>b<br>A B",
		"<p>a <img alt='b'></p>":         "<p>a<br>A <img alt='b / B'></p>",
		"<li>\n <a>a</a>\n <ol><li> b":   "<li>\n <a>a<br>A</a>\n <ol><li> b<br>B",
		"<a href=1>a</a><a href=2>b</a>": "<a href=1>a<br>A</a><a href=2>b<br>B</a>",
	} {
		p, err := ReadHTML(body)
		require.NoError(t, err)
		require.NoError(t, segment.Translate(t.Context(), p.Segments, func(_ context.Context, s string) (string, error) { return strings.ToUpper(s), nil }))
		out, err := p.Render(segment.Options{To: "de", Bilingual: true})
		require.NoError(t, err)
		require.Equal(t, want, out)
	}
}
