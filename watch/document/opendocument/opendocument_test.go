package opendocument

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestRead(t *testing.T) {
	for name, c := range map[string]struct{ body, to, want string }{
		"spans":    {`<text:p>a <text:span text:style-name="B">b</text:span> c</text:p>`, "", `<text:p>A <text:span text:style-name="B">B</text:span> C</text:p>`},
		"note":     {`<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>b</text:p></text:note-body></text:note>.</text:p>`, "", `<text:p>A<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>B</text:p></text:note-body></text:note>.</text:p>`},
		"deleted":  {`<text:tracked-changes><text:p>a</text:p></text:tracked-changes><text:p>b</text:p>`, "", `<text:tracked-changes><text:p>a</text:p></text:tracked-changes><text:p>B</text:p>`},
		"formula":  {`<table:table-cell table:formula="of:=1"><text:p>a</text:p></table:table-cell><table:table-cell><text:p>b</text:p></table:table-cell>`, "", `<table:table-cell table:formula="of:=1"><text:p>a</text:p></table:table-cell><table:table-cell><text:p>B</text:p></table:table-cell>`},
		"tab":      {`<text:p>a<text:tab/>b<text:line-break/>c</text:p>`, "", `<text:p>A<text:tab/>B<text:line-break/>C</text:p>`},
		"field":    {`<text:p>page <text:page-number>iv</text:page-number></text:p>`, "", `<text:p>PAGE <text:page-number>iv</text:page-number></text:p>`},
		"language": {`<style:text-properties fo:language="en" fo:country="US" style:language-asian="zh"/><text:p>a</text:p>`, "de", `<style:text-properties fo:language="de" fo:country="none" style:language-asian="zh"/><text:p>A</text:p>`},
		"entities": {`<text:p>a &amp; &#98;</text:p>`, "", `<text:p>A &amp; B</text:p>`},
		"remark":   {`<text:p>a<office:annotation><dc:creator>x</dc:creator><text:p>b</text:p></office:annotation></text:p>`, "", `<text:p>A<office:annotation><dc:creator>x</dc:creator><text:p>B</text:p></office:annotation></text:p>`},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := read("content.xml", "<o>"+c.body+"</o>")
			require.NoError(t, err)
			require.NoError(t, segment.Translate(t.Context(), p.Segments, func(_ context.Context, s string) (string, error) { return strings.ToUpper(s), nil }))
			out, err := p.Render(segment.Options{To: c.to})
			require.NoError(t, err)
			require.Equal(t, "<o>"+c.want+"</o>", out)
		})
	}
}

func TestDirection(t *testing.T) {
	body := `<a><style:page-layout-properties style:writing-mode="lr-tb"/><style:page-layout-properties fo:x="y"/><style:paragraph-properties style:writing-mode="page"/></a>`
	for to, want := range map[string]string{
		"ar": `<a><style:page-layout-properties style:writing-mode="rl-tb"/><style:page-layout-properties style:writing-mode="rl-tb" fo:x="y"/><style:paragraph-properties style:writing-mode="page"/></a>`,
		"de": body,
	} {
		p, err := read("styles.xml", body)
		require.NoError(t, err)
		out, err := p.Render(segment.Options{To: to})
		require.NoError(t, err)
		require.Equal(t, want, out)
		p, err = read("styles.xml", out)
		require.NoError(t, err)
		back, err := p.Render(segment.Options{To: "de"})
		require.NoError(t, err)
		require.NotContains(t, back, "rl-tb")
	}
}

func TestBilingual(t *testing.T) {
	const line, bold = `<text:line-break/>`, `<text:span text:style-name="B">`
	for body, want := range map[string]string{
		`<text:p>a &amp; ` + bold + `b</text:span></text:p>`:                                             `<text:p>a &amp; ` + bold + `b</text:span>` + line + `A &amp; B</text:p>`,
		`<text:p>` + bold + `all of it</text:span> a</text:p>`:                                           `<text:p>` + bold + `all of it</text:span> a` + bold + line + `ALL OF IT A</text:span></text:p>`,
		`<text:p><text:a xlink:href="x">a</text:a></text:p>`:                                             `<text:p><text:a xlink:href="x">a</text:a>` + line + `A</text:p>`,
		`<text:p>a<text:tab/>7</text:p>`:                                                                 `<text:p>a / A<text:tab/>7</text:p>`,
		`<text:p>` + bold + `a` + line + `b</text:span></text:p>`:                                        `<text:p>` + bold + `a` + line + `A` + line + `b</text:span>` + bold + line + `B</text:span></text:p>`,
		`<text:p>a<text:note><text:note-body><text:p>b</text:p></text:note-body></text:note></text:p>`:   `<text:p>a<text:note><text:note-body><text:p>b` + line + `B</text:p></text:note-body></text:note>` + line + `A</text:p>`,
		`<text:p>page <text:page-number>iv</text:page-number><text:bookmark text:name="&lt;"/></text:p>`: `<text:p>page <text:page-number>iv</text:page-number><text:bookmark text:name="&lt;"/>` + line + `PAGE iv</text:p>`,
	} {
		p, err := read("content.xml", "<o>"+body+"</o>")
		require.NoError(t, err)
		require.NoError(t, segment.Translate(t.Context(), p.Segments, func(_ context.Context, s string) (string, error) { return strings.ToUpper(s), nil }))
		out, err := p.Render(segment.Options{To: "de", Bilingual: true})
		require.NoError(t, err)
		require.Equal(t, "<o>"+want+"</o>", out)
	}
}
