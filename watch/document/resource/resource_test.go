package resource

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func upper(_ context.Context, text string) (string, error) {
	var b strings.Builder
	at := 0
	for _, found := range segment.InMessages.FindAllStringIndex(text, -1) {
		b.WriteString(strings.ToUpper(text[at:found[0]]) + text[found[0]:found[1]])
		at = found[1]
	}
	return b.String() + strings.ToUpper(text[at:]), nil
}

func TestWhatIsWritten(t *testing.T) {
	type reading = func(string) (*segment.Part, error)
	for name, c := range map[string]struct {
		read       reading
		body, want string
	}{
		"JSON":                  {jsonAlone, `{"a": {"b": "one two", "c": ["x", 1, true]}, "d" : "é"}`, `{"a": {"b": "ONE TWO", "c": ["X", 1, true]}, "d" : "É"}`},
		"JSON, technical":       {jsonAlone, `{"id": "abc", "url": "http://x", "icon": "home", "file": "File", "type": "a text", "w": "some_name", "v": "#fff"}`, `{"id": "abc", "url": "http://x", "icon": "home", "file": "FILE", "type": "A TEXT", "w": "some_name", "v": "#fff"}`},
		"JSON, escapes":         {jsonAlone, `{"a": "say \"x\"\n\u00e9"}`, `{"a": "SAY \"X\"\n\u00C9"}`},
		"JSON, placeholders":    {jsonAlone, `{"a": "hi {{name}}, <b>you</b> have {count} & %d"}`, `{"a": "HI {{name}}, <b>YOU</b> HAVE {count} & %d"}`},
		"JSON, formats":         {jsonAlone, `{"a": "%Y-%m-%d", "b": "%d. %B: go", "c": "%s %s", "d": "%{count} days of 5 %"}`, `{"a": "%Y-%m-%d", "b": "%d. %B: GO", "c": "%s %s", "d": "%{count} DAYS OF 5 %"}`},
		"ARB":                   {ReadARB, `{"@@locale": "en", "a": "hello {name}", "@a": {"description": "x y"}}`, `{"@@locale": "de", "a": "HELLO {name}", "@a": {"description": "x y"}}`},
		"ARB, plural":           {ReadARB, `{"a": "now {n, plural, =0{no files} one{one file of {name}} other{{n} files}} here"}`, `{"a": "NOW {n, plural, =0{NO FILES} one{ONE FILE OF {name}} other{{n} FILES}} HERE"}`},
		"properties":            {ReadProperties, "# a comment\nmenu.open = Open file\nb: it is\n  c=x\\\n   y z\nid=abc_d\n", "# a comment\nmenu.open = OPEN FILE\nb: IT IS\n  c=XY Z\nid=abc_d\n"},
		"properties, old":       {ReadProperties, "a=caf\\u00e9 au lait\n", "a=CAF\\u00C9 AU LAIT\n"},
		"properties, format":    {ReadProperties, "a=don''t {0}\nb=don't\n", "a=DON''T {0}\nb=DON'T\n"},
		"properties, choices":   {ReadProperties, "a={0, plural, one{a file''s} other{# files}}\nb={0,choice,0#none|1#one|1<{0,number} files}\n", "a={0, plural, one{A FILE''S} other{# FILES}}\nb={0,choice,0#NONE|1#ONE|1<{0,number} FILES}\n"},
		"YAML, choices":         {ReadYAML, "a: '{n, plural, one{it''s} other{# are}}'\nb: no car | {n} cars\n", "a: '{n, plural, one{IT''S} other{# ARE}}'\nb: NO CAR | {n} CARS\n"},
		"JSON, escaped choices": {jsonAlone, `{"a": "{n, plural, one{\"x\"} other{é\n}}"}`, `{"a": "{n, plural, one{\"X\"} other{É\n}}"}`},
		"strings":               {ReadStrings, "/* \"no\" = \"x\"; */\n\"a b\" = \"say \\\"x\\\" %@\";\nkey = \"v\";\n", "/* \"no\" = \"x\"; */\n\"a b\" = \"SAY \\\"X\\\" %@\";\nkey = \"V\";\n"},
		"resx":                  {ReadResX, `<root><data name="a" xml:space="preserve"><value>one &amp; two</value><comment>x</comment></data><data name="b" type="t"><value>x</value></data></root>`, `<root><data name="a" xml:space="preserve"><value>ONE &amp; TWO</value><comment>x</comment></data><data name="b" type="t"><value>x</value></data></root>`},
		"CSV":                   {csvAlone, "Name,Price\r\n\"a \"\"b\"\"\",12\r\nx y,z_1\r\n", "NAME,PRICE\r\n\"A \"\"B\"\"\",12\r\nX Y,z_1\r\n"},
		"CSV, semicolons":       {csvAlone, "one, two;b\nc;d\n", "ONE, TWO;B\nC;D\n"},
		"CSV, remarks":          {csvAlone, "# about this, and, that\n#x\na b,c d\n# e,f g\n", "# about this, and, that\n#x\nA B,C D\n# E,F G\n"},
		"CSV, a head with #":    {csvAlone, "# a,b c\nx:12,DE:1a\n", "# A,B C\nx:12,DE:1a\n"},
		"TSV, remarks":          {tsvAlone, "# about this\na b\tc\n", "# about this\nA B\tC\n"},
		"TSV":                   {tsvAlone, "a, b\tc\n", "A, B\tC\n"},
		"YAML":                  {ReadYAML, "# c\nen:\n  menu:\n    open: Open it # now\n    q: \"say \\\"x\\\"\"\n    s: 'it''s'\n  list:\n    - one two\n    - k: v w\n", "# c\nde:\n  menu:\n    open: OPEN IT # now\n    q: \"SAY \\\"X\\\"\"\n    s: 'IT''S'\n  list:\n    - ONE TWO\n    - k: V W\n"},
		"YAML, literal":         {ReadYAML, "a: |\n  one two\n  three four\n\n  - five six\n    seven\nb: x y\n", "a: |\n  ONE TWO\n  THREE FOUR\n\n  - FIVE SIX\n    SEVEN\nb: X Y\n"},
		"YAML, folded":          {ReadYAML, "a: >-\n  one two\n  three four\n\n  five six\nb: x y\n", "a: >-\n  ONE TWO\n  THREE FOUR\n\n  FIVE SIX\nb: X Y\n"},
		"YAML, programs":        {ReadYAML, "run: |\n  go test all\nx: |\n  make it so;\ny: |+\n  #!/bin/sh\n  echo a b\n", "run: |\n  go test all\nx: |\n  make it so;\ny: |+\n  #!/bin/sh\n  echo a b\n"},
		"YAML, kept":            {ReadYAML, "a: |\n  text_here\nb: *x\nc: true\nd: 12\ne: !own long text\n  goes on\nf: {{ a b }}\nversion: abc\n", "a: |\n  text_here\nb: *x\nc: true\nd: 12\ne: !own long text\n  goes on\nf: {{ a b }}\nversion: abc\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := c.read(c.body)
			require.NoError(t, err)
			require.NoError(t, segment.Translate(t.Context(), p.Segments, upper))
			out, err := p.Render(segment.Options{To: "de"})
			require.NoError(t, err)
			require.Equal(t, c.want, out)
		})
	}
}

func TestWhatNeedsQuoting(t *testing.T) {
	for name, c := range map[string]struct {
		read             func(string) (*segment.Part, error)
		body, says, want string
	}{
		"comma":     {csvAlone, "a b,c d\n", `x, "y"`, "\"x, \"\"y\"\"\",\"x, \"\"y\"\"\"\n"},
		"tab":       {tsvAlone, "a b\tc d\n", "x\ty", "x y\tx y\n"},
		"YAML":      {ReadYAML, "a: b c\n", "x: y", "a: \"x: y\"\n"},
		"YAML word": {ReadYAML, "a: b c\n", "No", "a: \"No\"\n"},
		"JSON":      {jsonAlone, `{"a":"b c"}`, "\"\\\u0001", `{"a":"\"\\\u0001"}`},
		"property":  {ReadProperties, "a=b c\n", "日\\", "a=\\u65E5\\\\\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := c.read(c.body)
			require.NoError(t, err)
			for _, s := range p.Segments {
				s.Reset()
				s.Slots[0].Out = c.says
			}
			out, err := p.Render(segment.Options{})
			require.NoError(t, err)
			require.Equal(t, c.want, out)
		})
	}
}

func TestBrokenFilesAreRefused(t *testing.T) {
	for body, says := range map[string]string{"{\n\"a\": }": "line 2", "": "JSON", strings.Repeat("[", 20_000): "depth", "{\"a\": 1} // x": "JSON"} {
		_, err := ReadJSON(body, nil)
		require.ErrorContains(t, err, says)
	}
	_, err := ReadCSV("a,b\n\"c,d\n", nil)
	require.ErrorContains(t, err, "line 2: a cell begins with a quotation mark")
	_, err = ReadResX("<root><data>")
	require.ErrorContains(t, err, "ends within <data>")
}

func jsonAlone(body string) (*segment.Part, error) { return ReadJSON(body, nil) }
func csvAlone(body string) (*segment.Part, error)  { return ReadCSV(body, nil) }
func tsvAlone(body string) (*segment.Part, error)  { return ReadTSV(body, nil) }

// A paragraph of a block is one text, and its translation has as many lines, none of which
// begins deeper than the block.
func TestBlocksOfYAML(t *testing.T) {
	body := "about: |\n  This sentence is so long that somebody wrapped it\n  behind the column where lines end in this file.\n\n  Short.\n  Shorter.\nnext: >\n  one more\n  two\n"
	p, err := ReadYAML(body)
	require.NoError(t, err)
	var texts []string
	for _, s := range p.Segments {
		texts = append(texts, s.Source())
	}
	require.Equal(t, []string{"This sentence is so long that somebody wrapped it behind the column where lines end in this file.", "Short.", "Shorter.", "one more two"}, texts)
	out := segmenttest.Translated(t, ReadYAML, body, segment.Options{}, func(s string) string { return " " + strings.ToUpper(s) + "\n" })
	require.Equal(t, strings.Count(body, "\n"), strings.Count(out, "\n"))
	for line := range strings.Lines(out) {
		require.False(t, strings.HasPrefix(line, "   "), out)
	}
}
