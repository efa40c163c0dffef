package libretranslate

import (
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestHTML(t *testing.T) {
	for source, want := range map[string]string{
		"":                                   "",
		"Hello":                              "HELLO",
		"<p>Hello</p>":                       "<p>HELLO</p>",
		"  <p>\n Hello\t</p>\n":              "  <p>\n HELLO\t</p>\n",
		"Hello <b>big</b> world":             "HELLO <b>BIG</b> WORLD",
		"<p>two\n  lines</p>":                "<p>TWO LINES</p>",
		"<pre>two\n  lines</pre><i>a\nb</i>": "<pre>TWO\n  LINES</pre><i>A B</i>",
		"<a href=\"/x?a=1&b=2\" title='Hello'>link</a>":        "<a href=\"/x?a=1&b=2\" title='Hello'>LINK</a>",
		"<SCRIPT>if (a < b) hello()</SCRIPT>x":                 "<SCRIPT>if (a < b) hello()</SCRIPT>X",
		"<style>p { color: red }</style>x":                     "<style>p { color: red }</style>X",
		"<title>Tom &amp; me</title>":                          "<title>TOM &amp; ME</title>",
		"<textarea>mine</textarea> <code>x = y</code> z":       "<textarea>mine</textarea> <code>x = y</code> Z",
		"<!-- comment --><!DOCTYPE html><?php echo ?>x":        "<!-- comment --><!DOCTYPE html><?php echo ?>X",
		"fish &amp; chips &lt;now&gt; &copy; caf&eacute;":      "FISH &amp; CHIPS &lt;NOW&gt; © CAFÉ",
		"&nbsp;Hello&nbsp;<br>&#160;you ":                      "&nbsp;HELLO&nbsp;<br>&#160;YOU ",
		"1 &lt; 2 <b>3.5&nbsp;%</b> &rarr;":                    "1 &lt; 2 <b>3.5&nbsp;%</b> &rarr;",
		"a <span translate=no>b <i>c</i> d</span> e":           "A <span translate=no>b <i>c</i> d</span> E",
		"a <span translate=\"NO\">b <i translate>c</i></span>": "A <span translate=\"NO\">b <i translate>C</i></span>",
		"a <b class='x notranslate y'>b</b> e":                 "A <b class='x notranslate y'>b</b> E",
		"<p class=notranslate>a<p>b":                           "<p class=notranslate>a<p>B",
		"<ul><li translate=no>a<li>b</ul>c":                    "<ul><li translate=no>a<li>B</ul>C",
		"<div><p translate=no>a</div>b":                        "<div><p translate=no>a</div>B",
		"<p translate=no>a<div>b</div>":                        "<p translate=no>a<div>B</div>",
		"<br translate=no>a <img class=notranslate>b":          "<br translate=no>A <img class=notranslate>B",
		"</b>a</p></span>b":                                    "</b>A</p></span>B",
		"a < b and <unfinished ":                               "A &lt; B AND <unfinished ",
		"<svg><style>x</style><text>label</text></svg>":        "<svg><style>x</style><text>LABEL</text></svg>",
	} {
		assert.Equal(t, want, translated(t, source, strings.ToUpper), "%q", source)
	}
}

// translated is HTML after another function than a model's.
func translated(t *testing.T, source string, do func(string) string) string {
	t.Helper()
	p, err := htmlDocument(source)
	require.NoError(t, err)
	require.NoError(t, segment.Translate(t.Context(), p.Segments, func(_ context.Context, text string) (string, error) { return do(text), nil }))
	out, err := p.Render(segment.Options{})
	require.NoError(t, err)
	return out
}

func TestHTMLUnclosedCostsLittle(t *testing.T) {
	// Closing tags that fit nothing must not search all that is open each time.
	source := strings.Repeat("<a>", 19_000) + strings.Repeat("</b>", 200_000) + strings.Repeat("</a>", 200_000)
	require.Equal(t, source, translated(t, source, strings.ToUpper))
	h, _, _ := setup(t, nil)
	status, body := postJSON(t, h, "/translate", object{"q": strings.Repeat("<a>", 30_000), "source": "en", "target": "es", "format": "html"})
	require.Equal(t, http.StatusBadRequest, status)
	require.Contains(t, body.(object)["error"], "nested deeper than 20000")
}

// A translation that changes nothing gives the same bytes, whatever they are.
func FuzzHTML(f *testing.F) {
	f.Add("<p class=notranslate>a<p>b &amp; c\r\n<br/> &nbsp;<pre>\n x</pre><!-- --></div>")
	f.Add("<script><!--<script></script>--></script>a</title><title>x<textarea>&lt;</")
	f.Add("<![CDATA[x]]><?a?><!a><a b='<c>' d=\"e>f\">\x00\xff&#0;&#x110000;&amp;amp;")
	f.Add("<plaintext>a<b>c</plaintext>")
	f.Add("<svg><![CDATA[a]]></svg><math><mi>x</mi></math><noscript>b</noscript>")
	f.Fuzz(func(t *testing.T, source string) {
		require.Equal(t, source, translated(t, source, func(text string) string { return text }))
	})
}
