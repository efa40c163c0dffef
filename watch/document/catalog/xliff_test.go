package catalog

import (
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
)

func TestPairs(t *testing.T) {
	one := func(s string) string { return `<xliff version="1.2"><file><body>` + s + `</body></file></xliff>` }
	two := func(s string) string {
		return `<xliff version="2.0"><file><unit id="u">` + s + `</unit></file></xliff>`
	}
	ts := func(s string) string { return `<!DOCTYPE TS><TS version="2.1"><context>` + s + `</context></TS>` }
	for name, c := range map[string]struct {
		read       func(string) (*segment.Part, error)
		wrap       func(string) string
		body, want string
	}{
		"no target":       {ReadXLIFF, one, `<trans-unit id="1"><source>a</source></trans-unit>`, `<trans-unit id="1"><source>a</source><target>A</target></trans-unit>`},
		"empty target":    {ReadXLIFF, one, `<trans-unit id="1"><source>a</source><target state="new"/></trans-unit>`, `<trans-unit id="1"><source>a</source><target state="new">A</target></trans-unit>`},
		"blank target":    {ReadXLIFF, one, `<trans-unit id="1"><source>a</source><target> </target></trans-unit>`, `<trans-unit id="1"><source>a</source><target>A</target></trans-unit>`},
		"translated":      {ReadXLIFF, one, `<trans-unit id="1"><source>a</source><target>b</target></trans-unit>`, `<trans-unit id="1"><source>a</source><target>b</target></trans-unit>`},
		"copied, not yet": {ReadXLIFF, one, `<trans-unit id="1"><source>a</source><target state="needs-translation">a</target></trans-unit>`, `<trans-unit id="1"><source>a</source><target state="needs-translation">A</target></trans-unit>`},
		"kept":            {ReadXLIFF, one, `<trans-unit id="1" translate="no"><source>a</source></trans-unit>`, `<trans-unit id="1" translate="no"><source>a</source></trans-unit>`},
		"alternatives":    {ReadXLIFF, one, `<trans-unit id="1"><source>a</source><alt-trans><source>x</source><target>y</target></alt-trans></trans-unit>`, `<trans-unit id="1"><source>a</source><target>A</target><alt-trans><source>x</source><target>y</target></alt-trans></trans-unit>`},
		"inline":          {ReadXLIFF, one, `<trans-unit id="1"><source>a <g id="1">b</g> <x id="2"/><ph id="3">code</ph>c</source></trans-unit>`, `<trans-unit id="1"><source>a <g id="1">b</g> <x id="2"/><ph id="3">code</ph>c</source><target>A <g id="1">B</g> <x id="2"/><ph id="3">code</ph>C</target></trans-unit>`},
		"version 2":       {ReadXLIFF, two, `<segment><source>a &amp; {0}</source></segment>`, `<segment><source>a &amp; {0}</source><target>A &amp; {0}</target></segment>`},
		"Qt":              {ReadQt, ts, `<message><source>Open %1</source><translation type="unfinished"></translation></message>`, `<message><source>Open %1</source><translation type="unfinished">OPEN %1</translation></message>`},
		"Qt, done":        {ReadQt, ts, `<message><source>a</source><translation>b</translation></message>`, `<message><source>a</source><translation>b</translation></message>`},
		"Qt, plural":      {ReadQt, ts, `<message numerus="yes"><source>%n file(s)</source><translation type="unfinished"><numerusform></numerusform><numerusform></numerusform></translation></message>`, `<message numerus="yes"><source>%n file(s)</source><translation type="unfinished"><numerusform>%n FILE(S)</numerusform><numerusform>%n FILE(S)</numerusform></translation></message>`},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.wrap(c.want), translated(t, c.read, c.wrap(c.body), ""))
		})
	}
	require.Contains(t, translated(t, ReadXLIFF, one(""), "de"), `<file target-language="de">`)
	require.Contains(t, translated(t, ReadXLIFF, two(""), "de"), `<xliff trgLang="de" version="2.0">`)
	require.Contains(t, translated(t, ReadQt, `<TS version="2.1" language="fr_FR"></TS>`, "de"), `language="de"`)
	require.Contains(t, translated(t, ReadQt, `<TS version="2.1" language="de_AT"></TS>`, "de"), `language="de_AT"`)
	plural := func(forms string) string {
		return `<TS version="2.1"><message numerus="yes"><source>%n a</source><translation>` + forms + `</translation></message></TS>`
	}
	untranslated := plural("<numerusform></numerusform> <numerusform></numerusform>")
	for to, want := range map[string]string{
		"ja": "<numerusform>%n A</numerusform>", "xx": "<numerusform>%n A</numerusform> <numerusform>%n A</numerusform>",
		"ru": "<numerusform>%n A</numerusform> <numerusform>%n A</numerusform> <numerusform>%n A</numerusform>",
	} {
		require.Contains(t, translated(t, ReadQt, untranslated, to), want+"</translation>", "as many forms as the language has")
	}
	require.Contains(t, translated(t, ReadQt, plural("<numerusform>b</numerusform><numerusform></numerusform>"), "ja"), "<numerusform>b</numerusform><numerusform></numerusform>", "a translation that is there stays")
	_, err := ReadQt("const a: number = 1")
	require.ErrorContains(t, err, "TypeScript")
	_, err = ReadXLIFF("<a/>")
	require.ErrorContains(t, err, "not <xliff>")
}
