package markup

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func TestXML(t *testing.T) {
	const its = `<its:rules xmlns:its="http://www.w3.org/2005/11/its" version="2.0">`
	for name, c := range map[string]struct{ body, want string }{
		"several words":    {"<c><n>one two</n><v>three</v><f>a_b c/d</f></c>", "<c><n>ONE TWO</n><v>three</v><f>a_b c/d</f></c>"},
		"among words":      {"<c><n>one <b>two</b></n><b>three</b></c>", "<c><n>ONE <b>TWO</b></n><b>three</b></c>"},
		"words alone":      {"<c><title>one</title><id>two three</id></c>", "<c><title>ONE</title><id>two three</id></c>"},
		"white space":      {"<c><n>\n  one\n  two\n</n></c>", "<c><n>\n  ONE TWO\n</n></c>"},
		"comments":         {"<c><!-- one two --><?x y?><n a=\"b c\">one two</n></c>", "<c><!-- one two --><?x y?><n a=\"b c\">ONE TWO</n></c>"},
		"DocBook":          {"<article><para>Run <command>ls</command> <emphasis>now</emphasis>.<programlisting>a b</programlisting>Then</para></article>", "<article><para>RUN <command>ls</command> <emphasis>NOW</emphasis>.<programlisting>a b</programlisting>THEN</para></article>"},
		"an index":         {"<article><para>a<indexterm><primary>x</primary></indexterm> b</para></article>", "<article><para>A<indexterm><primary>x</primary></indexterm> B</para></article>"},
		"Android":          {`<resources><string name="a">don\'t\n%1$s &amp; <b>go</b></string><string name="b" translatable="false">c d</string><string name="e">@string/a</string><string name="f">"g  h"</string><plurals name="p"><item quantity="one">%d day</item></plurals></resources>`, `<resources><string name="a">DON\'T\n%1$s &amp; <b>GO</b></string><string name="b" translatable="false">c d</string><string name="e">@string/a</string><string name="f">"G  H"</string><plurals name="p"><item quantity="one">%d DAY</item></plurals></resources>`},
		"feed":             {"<rss><channel><title>a</title><link>http://x.y/z</link><item><description><![CDATA[<p>b <i>c</i></p>]]></description><description>&lt;p>d e&lt;/p></description></item></channel></rss>", "<rss><channel><title>A</title><link>http://x.y/z</link><item><description><![CDATA[<p>B <i>C</i></p>]]></description><description>&lt;p&gt;D E&lt;/p&gt;</description></item></channel></rss>"},
		"plain CDATA":      {"<c><n><![CDATA[ one two ]]></n></c>", "<c><n><![CDATA[ ONE TWO ]]></n></c>"},
		"translate=no":     {`<c><n translate="no">one two</n><n xmlns:i="x" i:translate="no">a b<m i:translate="yes">c d</m></n></c>`, `<c><n translate="no">one two</n><n xmlns:i="x" i:translate="no">a b<m i:translate="yes">C D</m></n></c>`},
		"rules":            {"<c>" + its + `<its:translateRule selector="//n | //o/p" translate="no"/><its:translateRule selector="//q" translate="yes"/></its:rules><n>a b</n><p>c d</p><o><p>e f</p></o><q>g</q></c>`, "<c>" + its + `<its:translateRule selector="//n | //o/p" translate="no"/><its:translateRule selector="//q" translate="yes"/></its:rules><n>a b</n><p>C D</p><o><p>e f</p></o><q>G</q></c>`},
		"attributes":       {"<c>" + its + `<its:translateRule selector="//n/@t" translate="yes"/></its:rules><n t="a &lt; b" u="c d"/></c>`, "<c>" + its + `<its:translateRule selector="//n/@t" translate="yes"/></its:rules><n t="A &lt; B" u="c d"/></c>`},
		"within text":      {"<c>" + its + `<its:withinTextRule selector="//b" withinText="no"/></its:rules><n>a<b>c</b>d</n></c>`, "<c>" + its + `<its:withinTextRule selector="//b" withinText="no"/></its:rules><n>a<b>c</b>d</n></c>`},
		"languages":        {`<c xml:lang="en"><n>a b</n><n xml:lang="fr">c d</n><n xml:lang="en">e f</n></c>`, `<c xml:lang="de"><n>A B</n><n xml:lang="fr">c d</n><n xml:lang="de">E F</n></c>`},
		"siblings":         {`<component><summary>a b</summary><summary xml:lang="fr">c d</summary></component>`, `<component><summary>A B</summary><summary xml:lang="fr">c d</summary></component>`},
		"unknown entities": {"<c><n>a b &nbsp; &foo; c</n></c>", "<c><n>a b &nbsp; &foo; c</n></c>"},
		"preserved":        {`<c><n xml:space="preserve">a  b</n></c>`, `<c><n xml:space="preserve">A  B</n></c>`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, segmenttest.Translated(t, ReadXML, c.body, segment.Options{To: "de"}, func(s string) string {
				return upperButPlaceholders(s)
			}))
		})
	}
	_, err := ReadXML("<c>" + its + `<its:translateRule selector="id('x')" translate="no"/></its:rules></c>`)
	require.ErrorContains(t, err, "not understood")
	_, err = ReadXML(`<!DOCTYPE a [<!ENTITY b "c">]><a>&b; d</a>`)
	require.ErrorContains(t, err, "declares entities")
}

func upperButPlaceholders(s string) string {
	var b strings.Builder
	at := 0
	for _, found := range segment.InMessages.FindAllStringIndex(s, -1) {
		b.WriteString(strings.ToUpper(s[at:found[0]]) + s[found[0]:found[1]])
		at = found[1]
	}
	return b.String() + strings.ToUpper(s[at:])
}
