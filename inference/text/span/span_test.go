package span

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func found(s string) (all []string) {
	for _, f := range Find(s) {
		if f.Kind != Number {
			all = append(all, s[f.Start:f.End])
		}
	}
	return all
}

func TestFind(t *testing.T) {
	for text, want := range map[string]string{
		// placeholders; the sources of the cases are in hard.tsv of package check
		"Hello {0}, you have {count} new {1:N2}.":                   "{0}|{count}|{1:N2}",
		"%s of %d files, 100% done, 50 %.":                          "%s|%d",
		"page %1$d/%2$d of %(name)s":                                "%1$d/%2$d|%(name)s",
		"Dear {{user.name}}, {{ user.first }}!":                     "{{user.name}}|{{ user.first }}",
		"__count__ files in $HOME and ${dir}, $(ROOT)":              "__count__|$HOME|${dir}|$(ROOT)",
		"It costs $100 or US$5.":                                    "",
		"where id = :id and name = :user_name":                      ":id|:user_name",
		"Note: this is text.":                                       "",
		"{count, plural, one {# file} other {# files}} left":        "{count, plural, one {# file} other {# files}}",
		"a set {of words} here":                                     "",
		"%PATH% and %{version} and %-5s and %.2f%%":                 "%PATH%|%{version}|%-5s|%.2f%%",
		"I am 100%sure":                                             "",
		"%dpx wide, %@ left":                                        "%dpx|%@",
		"#{name} and @@token@@":                                     "#{name}|@@token@@",
		"Click <b>Save</b> or<br/>press <kbd class=\"x>y\">A</kbd>": "<b>|</b>|<br/>|<kbd class=\"x>y\">|</kbd>",
		"a < b and c > d, I <3 you":                                 "<3",
		"Fish &amp; chips &#39;now&#39; AT&T; R&D":                  "&amp;|&#39;|&#39;",
		"see https://example.org/a?b=c.d&e=f. Then":                 "https://example.org/a?b=c.d&e=f",
		"(https://en.wikipedia.org/wiki/A_(b))":                     "https://en.wikipedia.org/wiki/A_(b)",
		"请访问https://example.org/a。谢谢":                               "https://example.org/a",
		"Mail me@example.com or @friend about #thing #123!":         "me@example.com|@friend|#thing|#123",
		"C# and F# are languages":                                   "",
		`Open C:\Program Files\App\readme.txt now`:                  `C:\Program Files\App\readme.txt`,
		`Copy C:\temp to \\server\share, please.`:                   `C:\temp|\\server\share`,
		"in /usr/local/bin, ~/x.txt and ./run.sh or src/main.go.":   "/usr/local/bin|~/x.txt|./run.sh|src/main.go",
		"he and/or she, 5 km/h, 3/4":                                "5 km/h",
		"Run `go test ./...` and ``a`b``":                           "`go test ./...`|``a`b``",
		"call foo() or os.Open(name) with --dry-run":                "foo()|os.Open(name)|--dry-run",
		"set MAX_SIZE and my_var":                                   "MAX_SIZE|my_var",
		"GitHub, JavaScript and an iPhone from McDonald":            "GitHub|JavaScript|iPhone|McDonald",
		"M2M-100 and H2O and CO₂ in COVID-19 on x86_64":             "M2M-100|H2O|CO₂|COVID-19|x86_64",
		"the 1st, 2nd and 90er at 10am":                             "10am",
		"version 1.2.3, v2.0-beta1 at 10.0.0.1":                     "1.2.3|v2.0-beta1|10.0.0.1",
		"10 kg, 20 °C and 100 KBps, not Kbps; 5 miles":              "10 kg|20 °C|100 KBps|Kbps",
		"Great 👍🏽 job 👨‍👩‍👧‍👦!! :-) ✓ 1️⃣":                          "👍🏽|👨‍👩‍👧‍👦|:-)|✓|1️⃣",
		"water /ˈwɔːtə/ and [ˈhaʊs]":                                "/ˈwɔːtə/|[ˈhaʊs]",
		`first\nsecond \"quoted\"`:                                  `\n|\"|\"`,
		"Don't touch e.g. this, Mr. Smith. I'll go.":                "",
		"See readme.txt and e.g. notes.":                            "readme.txt",
		"Der 3. Oktober 2026 um 10:30 Uhr":                          "",
		"from 9 a.m. to 5:30 p.m., 12 PM, 7pm":                      "9 a.m.|5:30 p.m.|12 PM|7pm",
		"at 14 pm, um 10 am Abend, 8 PMs, 9:75 pm":                  "",
	} {
		require.Equal(t, want, strings.Join(found(text), "|"), "%q", text)
	}
}

func TestMornings(t *testing.T) {
	for text, want := range map[string]string{
		"It's 9 am, or 10:30 am.": "9 am|10:30 am",
		"9 am":                    "9 am",
		"I am 9 amazing, 14 am, 1.9 am, x9 am, : am": "",
		"123:456 am": "",
	} {
		var found []string
		for _, s := range Mornings(text) {
			found = append(found, text[s.Start:s.End])
		}
		require.Equal(t, want, strings.Join(found, "|"), "%q", text)
	}
}

func TestNumbersAreFound(t *testing.T) {
	var numbers []string
	text := "In 2026, 1,234.5 of 3/4 at 10:30 on 2026-11-28 cost €5, 50% and 1st."
	for _, f := range Find(text) {
		require.Equal(t, Number, f.Kind)
		numbers = append(numbers, text[f.Start:f.End])
	}
	require.Equal(t, []string{"2026", "1,234.5", "3/4", "10:30", "2026-11-28", "5", "50", "1"}, numbers)
}

func FuzzFind(f *testing.F) {
	for _, s := range []string{"{0} %s <b>", "https://a.b/c 👍", "\xff\xfe{", "`a``b`", "C:\\a b\\c", "__a__@@b@@", "%", "1️⃣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		Mornings(s)
		last := 0
		for _, span := range Find(s) {
			require.GreaterOrEqual(t, span.Start, last)
			require.Greater(t, span.End, span.Start)
			require.LessOrEqual(t, span.End, len(s))
			last = span.End
		}
	})
}

func BenchmarkFind(b *testing.B) {
	s := "The user {name} of https://example.org/a pressed <b>Save</b> in 10 kg of ordinary words that are only looked at, M2M-100 too."
	b.SetBytes(int64(len(s)))
	for b.Loop() {
		Find(s)
	}
}
