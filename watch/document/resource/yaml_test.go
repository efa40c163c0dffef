package resource

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document/segment"
	"dragoman/watch/document/segment/segmenttest"
)

func TestValuesOfYAML(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"plain, wrapped":          {"a: one two\n  three four\n\n  five # c\nb: six\n", "a: ONE TWO\n  THREE FOUR\n\n  FIVE # c\nb: SIX\n"},
		"item, wrapped":           {"- one two\n  three\n- four\n", "- ONE TWO\n  THREE\n- FOUR\n"},
		"single, wrapped":         {"a: 'it''s one\n  two'\nb: three\n", "a: 'IT''S ONE\n  TWO'\nb: THREE\n"},
		"double, wrapped":         {"a: \"one \\\"two\\\"\r\n  three\\\\\r\n\r\n  four\" # c\r\n", "a: \"ONE \\\"TWO\\\"\r\n  THREE\\\\\r\n\r\n  FOUR\" # c\r\n"},
		"double, joined lines":    {"a: \"one t\\\n  wo three\"\n", "a: \"ONE TWO THREE\"\n"},
		"double, escapes":         {"a: \"caf\\xe9 \\u00fc\\n\\ttea\"\n", "a: \"CAF\\u00C9 \\u00DC\\n\\tTEA\"\n"},
		"on the next line":        {"a:\n  one two\n  three\nb:\n\n  'four'\n", "a:\n  ONE TWO\n  THREE\nb:\n\n  'FOUR'\n"},
		"keys of words":           {"Good day: one two\n\"Fine: this\" : three\nété: four\n", "Good day: ONE TWO\n\"Fine: this\" : THREE\nété: FOUR\n"},
		"where blocks end":        {">-\n one two\n!own three four\n--- >\none two\nthree\n...\n", ">-\n ONE TWO\n!own three four\n--- >\none two\nthree\n...\n"},
		"an item without text":    {"a: |\n  one two:\n  - \n  - three\n", "a: |\n  ONE TWO:\n  - \n  - THREE\n"},
		"text below its item":     {"a: >\n +\n  one two\n", "a: >\n +\n  ONE TWO\n"},
		"anchors":                 {"a: &x one two\nb: &y\n  c: three\nd: !!str four\ne: *x\n<<: *y\n", "a: &x ONE TWO\nb: &y\n  c: THREE\nd: !!str FOUR\ne: *x\n<<: *y\n"},
		"flow":                    {"a: {b: one two, \"c\": 'three', d: [Four, five], id: x} # y\n", "a: {b: ONE TWO, \"c\": 'THREE', d: [FOUR, FIVE], id: x} # y\n"},
		"flow over lines":         {"a: [\n  one\n    two, # c, d\n  \"three\n  four\",\n]\nb: five\n", "a: [\n  ONE\n    TWO, # c, d\n  \"THREE\n  FOUR\",\n]\nb: FIVE\n"},
		"flow, pairs":             {"a: [one: two three, *x, {\"y\":\"four\"}]\n", "a: [one: TWO THREE, *x, {\"y\":\"FOUR\"}]\n"},
		"flow, words of programs": {"on: [push, pull_request]\nday_names: [lundi, mardi]\ntags: [one two, c]\n", "on: [push, pull_request]\nday_names: [LUNDI, MARDI]\ntags: [ONE TWO, C]\n"},
		"words of programs":       {"branches:\n- main\n- release\nmonth_names:\n- \n- mars\nx:\n  - one\n  - Two\n", "branches:\n- main\n- release\nmonth_names:\n- \n- MARS\nx:\n  - ONE\n  - TWO\n"},
		"a whole document":        {"--- one two\n  three\n...\n--- {a: four}\n", "--- ONE TWO\n  THREE\n...\n--- {a: FOUR}\n"},
		"no commands":             {"run: Go on\nhelp: say --help or -h\nterms: A & b = c\n", "run: GO ON\nhelp: SAY --HELP OR -H\nterms: A & B = C\n"},
		"without spaces":          {"a: |\n  这是一个很长的句子，有人把它折成了两行，因为这一\n  行太长了，长得没有人能在一个窗口里读完它。\n\n  短句。\nstatus: 已完成\nfile: 文档.md\n", "a: |\n  一二三四五六七八九十一\n  二三四五六七八九十\n\n  一二三\nstatus: 一二三\nfile: 文档.md\n"},
		"locale":                  {"---\nen-US:\n  a: one\n", "---\nde:\n  a: ONE\n"},
		"no locale":               {"en:\n  a: one\nfr:\n  a: un\n", "en:\n  a: ONE\nfr:\n  a: UN\n"},
		"no locale either":        {"ui:\n  a: one\n", "ui:\n  a: ONE\n"},
	} {
		t.Run(name, func(t *testing.T) {
			says := strings.ToUpper
			if name == "without spaces" {
				says = func(s string) string {
					if strings.Contains(s, "折成了两行，因为这一行太长了，长得没有人能在一个窗口里读完它。") {
						return "一二三四五六七八九十一二三四五六七八九十"
					}
					return strings.NewReplacer("短句。", "一二三", "已完成", "一二三").Replace(s)
				}
			}
			require.Equal(t, c.want, segmenttest.Translated(t, ReadYAML, c.body, segment.Options{To: "de"}, says))
			require.Equal(t, c.body, segmenttest.Translated(t, ReadYAML, c.body, segment.Options{}, func(s string) string { return s }))
		})
	}
}

// In a file of settings single words are those of programs, but for titles and the like.
func TestSettingsOfYAML(t *testing.T) {
	for name, c := range map[string]struct{ body, want string }{
		"services":        {"services:\n  web:\n    build: angular\n    restart: always\n    environment:\n      DB: db\n    ports:\n      - 80:80\n    volumes: [a:/b, ./c:/d]\n", ""},
		"a small one":     {"services:\n  web:\n    build: angular\n    ports:\n    - 80:80\n", ""},
		"workflow":        {"name: Build all of it\non: push\npermissions:\n  contents: read\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n    - uses: actions/checkout@v4\n    - name: Checkout\n      shell: bash\n      if: not (a or b)\n      with: {token: \"${{ secrets.X }}\", deep: True}\n", "name: BUILD ALL OF IT\non: push\npermissions:\n  contents: read\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n    - uses: actions/checkout@v4\n    - name: Checkout\n      shell: bash\n      if: not (a or b)\n      with: {token: \"${{ secrets.X }}\", deep: True}\n"},
		"interface":       {"openapi: 3.0.0\ninfo:\n  title: Weather\n  version: 1.0.0\npaths:\n  /a:\n    get:\n      summary: What it will be\n      parameters:\n      - name: longitude\n        in: query\n        required: true\n        schema: {type: string, $ref: 'Pet.yaml'}\n", "openapi: 3.0.0\ninfo:\n  title: WEATHER\n  version: 1.0.0\npaths:\n  /a:\n    get:\n      summary: WHAT IT WILL BE\n      parameters:\n      - name: longitude\n        in: query\n        required: true\n        schema: {type: string, $ref: 'Pet.yaml'}\n"},
		"texts":           {"save: Save\ncancel: cancel\nmax: 12\nlogo: a/b.png\nq: Are you sure?\nr: Go on\n", "save: SAVE\ncancel: CANCEL\nmax: 12\nlogo: a/b.png\nq: ARE YOU SURE?\nr: GO ON\n"},
		"of one language": {"fr:\n  a: lundi\n  b: 12\n  c: 13\n  d: 14\n", "de:\n  a: LUNDI\n  b: 12\n  c: 13\n  d: 14\n"},
		"truth":           {"a: False\nb: Yes\nc: 'Yes'\nd: On it\n", "a: False\nb: Yes\nc: 'YES'\nd: ON IT\n"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.want == "" {
				c.want = c.body
			}
			require.Equal(t, c.want, segmenttest.Translated(t, ReadYAML, c.body, segment.Options{To: "de"}, strings.ToUpper))
		})
	}
}

// What is no YAML, or nothing for people, stays.
func TestWhatOfYAMLStays(t *testing.T) {
	for name, body := range map[string]string{
		"no end":                 "a: \"one two\nb: 12\n",
		"no end of a flow":       "a: [one two\nb: {x\n",
		"not deeper":             "a: \"one two\nb: three four\n  five\"\n",
		"flow, unknown":          "- {a: b c,\n  ?d: e f}\n- 12\n",
		"flow, at the outermost": "{d: [E f,\ndh,?i:a b]}\n",
		"unusual anchors":        "a: &l:b one two\n",
		"anchors, deeper":        "&l:{\none two\n",
		"flow, less deep":        " - {d: [E f,\n h,?i:a b]}\n",
		"flow, quoted brackets":  " - [a b, \"]\",\n ?c: d e]\n",
		"flow, remarks":          " - [a b, # ]\n ?c: d e]\n",
		"an end, quoted":         "--- \"one two\n---\nthree\"\n",
		"commands":               "run: go test\nscript:\n- go vet\n- Go on\nx: go vet && go test\nif: a == 'b c'\nargs: --some more\ncommand: [a b -c, /bin/sh b]\nenv:\n- NAME=a b\n",
		"wrong brackets":         "a: [one two}\n",
		"behind an end":          "a: \"one\" two\nb: [one] two\nc: [one, two]: three\n",
		"behind an end, below":   "{}:(e f,\n'g f,\n: e'\n",
		"behind an end, deeper":  "a: 'b' c\n  d e\nf: [g] h\n  i: j k\n",
		"a tab below":            "a: one two\n\t\nb: 12\n",
		"a tab, a comment":       "a: one two\n  three\n \t# c\nb: 12\n",
		"a tab at the end":       "one two\n\n# d\n\t# c\n",
		"two keys":               "a: b c: d e\n  f: g h\n",
		"modes":                  "x:\n  number:\n    round_mode: default\n",
		"tags":                   "a: !Sub \"one two\"\nb: !Ref one two\n  three\nc: !!binary |\n  one two\n",
		"templates":              "a: {{ one two }}\nb: {% one two %}\nc: `one two`\nd: @one two\n",
		"explicit keys":          "? one two\n: three four\n?\n  five six\n",
		"escapes":                "a: \"one \\q two\"\nb: \"\\ud83d\\ude00 one\"\nc: \"\\e[1m one two\"\n",
		"deep":                   "a: " + strings.Repeat("[", 100) + "one two" + strings.Repeat("]", 100) + "\n",
		"no":                     "a: [true, no, ~, 12, 2001-01-01]\nb: {c: true}\n",
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, body, segmenttest.Translated(t, ReadYAML, body, segment.Options{To: "de"}, strings.ToUpper))
		})
	}
}

func TestLoneCarriageReturnsOfYAMLAreRefused(t *testing.T) {
	_, err := ReadYAML("a: b c\r\n\r  d: e\r\n")
	require.ErrorContains(t, err, "line 2: a carriage return stands alone")
}

// A translation that its place cannot hold is quoted, or goes on one line.
func TestWhatPlacesOfYAMLHold(t *testing.T) {
	for name, c := range map[string]struct{ body, says, want string }{
		"commas in a flow":    {"[One, Two]\n", "a, b", "[\"a, b\", \"a, b\"]\n"},
		"a script w/o spaces": {"a: one two\n  three four\n", "一二三四五六七八", "a: 一二三四五六七八\n"},
		"the same, folded":    {"a: >\n  one two\n  three four\n", "一二三四五六七八", "a: >\n  一二三四五六七八\n"},
		"one word":            {"a: 'one two\n  three'\n", "it's", "a: 'it''s'\n"},
		"a comment":           {"a: one two\n  three\n", "# b", "a: \"# b\"\n"},
		"a mark below":        {"a: one two\n  three\n", "one two -three", "a: one two -three\n"},
		"line ends":           {"a: one two\n  three\n", "one\ntwo", "a: \"one\\ntwo\"\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := ReadYAML(c.body)
			require.NoError(t, err)
			require.NotEmpty(t, p.Segments)
			for _, s := range p.Segments {
				s.Reset()
				s.Slots[0].Out = c.says
			}
			out, err := p.Render(segment.Options{To: "no"})
			require.NoError(t, err)
			require.Equal(t, c.want, out)
		})
	}
	require.Equal(t, "\"no\":\n  a: ONE\n", segmenttest.Translated(t, ReadYAML, "en:\n  a: one\n", segment.Options{To: "no"}, strings.ToUpper))
}
