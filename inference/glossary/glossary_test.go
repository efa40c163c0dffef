package glossary

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, name, content string) []Entry {
	t.Helper()
	entries, err := Parse(name, strings.NewReader(content))
	require.NoError(t, err)
	return entries
}

func TestFiles(t *testing.T) {
	want := []Entry{{"de", "en", "Ordner", "folder", "a.csv", 2}, {"en", "de", "folder", "Ordner", "a.csv", 2}}
	require.Equal(t, want, parse(t, "a.csv", "en,de\nfolder,Ordner\n,leer\n"))
	require.Equal(t, []Entry{{"en", "de", "folder", "Ordner", "b.csv", 2}, {"", "", "Dragoman", "", "b.csv", 3}},
		parse(t, "b.csv", "\ufefffrom,to,source,target\nen-US,de,folder,Ordner\n,,Dragoman,\n"))
	require.Equal(t, []Entry{{Source: "GitHub", File: "keep.txt", Line: 2}}, parse(t, "keep.txt", "# names\nGitHub\n\n"))
	entries, err := Read(filepath.Join("testdata", "software.tbx"))
	require.NoError(t, err)
	require.Len(t, entries, 6)
	require.Contains(t, entries, Entry{"en", "es", "folder", "carpeta", filepath.Join("testdata", "software.tbx"), 4})
	old := `<martif><text><body><termEntry><langSet xml:lang="en-GB"><tig><term>tap</term></tig></langSet><langSet xml:lang="fr"><ntig><termGrp><term>robinet</term></termGrp></ntig></langSet></termEntry></body></text></martif>`
	require.Contains(t, parse(t, "old.tbx", old), Entry{"en", "fr", "tap", "robinet", "old.tbx", 1})
}

func TestErrorsNameTheLine(t *testing.T) {
	for name, test := range map[string]struct{ content, want string }{
		"a.csv":     {"", "line 1: it is empty"},
		"b.csv":     {"term,translation\na,b\n", `line 1: "term" is no language`},
		"c.csv":     {"en,de\n\"a,b\n", "line 2: "},
		"d.csv":     {"en,de\na,b,c\n", "line 2: it has 3 cells"},
		"e.csv":     {"en\na\n", "line 1: it has one column"},
		"f.csv":     {"en,de\na,\xff\n", "line 2: it is not UTF-8"},
		"g.csv":     {"en,de\n" + strings.Repeat("x", 201) + ",b\n", "line 2: a term has 201 bytes"},
		"h.tbx":     {"<tbx>\n<conceptEntry></tbx>", "line 2: it is not well-formed XML"},
		"i.tbx":     {"<tbx/>", "no concept"},
		"j.tbx":     {"<tbx><conceptEntry><langSec><term>x</term></langSec></conceptEntry></tbx>", "has no language"},
		"k.csv":     {"en,de\nhouse,Haus\n—,...\n", "line 3: "},
		"l.csv":     {"from,to,source,target\nen,de,&,und\n", `line 2: "&" has neither letters nor digits`},
		"m.txt":     {"Dragoman\n:-)\n", `line 2: ":-)" has neither letters nor digits`},
		"n.tbx":     {"<tbx>\n<conceptEntry><langSec xml:lang='en'><term>*</term></langSec><langSec xml:lang='de'><term>+</term></langSec></conceptEntry></tbx>", "line 2: "},
		"words.doc": {"x", `files ending in ".doc" are not known`},
	} {
		entries, err := Parse(name, strings.NewReader(test.content))
		require.ErrorContains(t, err, test.want, name)
		require.ErrorContains(t, err, name)
		require.Empty(t, entries)
	}
}

func TestFind(t *testing.T) {
	g := New([]Entry{
		{From: "en", To: "de", Source: "folder", Target: "Ordner"}, {From: "en", To: "de", Source: "drop folder", Target: "Eingangsordner"},
		{Source: "Dragoman"}, {From: "en", To: "de", Source: "NATO", Target: "NATO"}, {From: "en", To: "es", Source: "folder", Target: "carpeta"},
		{From: "en", To: "de", Source: "house", Target: "Haus"}, {From: "en", To: "de", Source: "house", Target: "Gebäude"},
	})
	find := func(text string) (all []string) {
		for _, m := range g.Find(text, "en", "de") {
			all = append(all, text[m.Start:m.End]+"="+m.Target)
		}
		return all
	}
	require.Equal(t, []string{"Drop folder=Eingangsordner", "folder=Ordner"}, find("Drop folder, not folder."))
	require.Empty(t, find("folders and subfolder and nato"))
	require.Equal(t, []string{"DRAGOMAN=DRAGOMAN", "house=Gebäude"}, find("DRAGOMAN's house"))
	require.Empty(t, g.Find("folder", "de", "en"))
	require.Empty(t, (*Glossary)(nil).Find("folder", "en", "de"))
	require.NotEqual(t, g.Key(), New(nil).Key())
	require.Empty(t, New(nil).Key())
	require.Len(t, g.Entries(), 6)
}

// Terms may begin and end with marks, and become a sign; a sign is found in no text.
func TestTermsWithMarks(t *testing.T) {
	g := New(append(parse(t, "a.csv", "from,to,source,target\n,,.NET,\n,,C++,\n,,@team,\nen,de,and,&\nen,de,NET,Netz\n"), parse(t, "b.csv", "en,de\nor,|\n")...))
	find := func(text, from, to string) (all []string) {
		for _, m := range g.Find(text, from, to) {
			all = append(all, text[m.Start:m.End]+"="+m.Target)
		}
		return all
	}
	require.Equal(t, []string{".NET=.NET", "and=&", "C++=C++", "or=|", "@team=@team"}, find("Use .NET and C++, or ask @team.", "en", "de"))
	require.Equal(t, []string{"NET=Netz"}, find("ASP.NET", "en", "de"))
	require.Equal(t, []string{"@team=@team"}, find("(@team)", "de", "en"))
	require.Empty(t, find("| me@team", "de", "en"))
	require.Len(t, parse(t, Own, "from,to,source,target\n,,:-),\n,,Dragoman,\n"), 2, "what was added before")
}

func TestInOwnCase(t *testing.T) {
	for _, test := range []struct{ text, term, want string }{
		{"Das Haus ist groß, das haus.", "HAUS", "Das HAUS ist groß, das HAUS."},
		{"Die Haustür im Haus", "HAUS", "Die Haustür im HAUS"},
		{"Ihr Iphone", "iPhone", "Ihr iPhone"},
		{"Blaue  große Welt", "blaue GROSSE Welt", "Blaue  große Welt"}, // other letters
		{"der blaue mond", "Blauer MOND", "der blaue mond"},             // another ending
		{"Ein Blue Moon!", "BLUE Moon", "Ein BLUE Moon!"},
		{"Ordner", "ordner", "Ordner"}, // it may begin a sentence
		{"...", "HAUS", "..."},
		{"", "HAUS", ""},
		{"\xff haus \xff", "HAUS", "\xff HAUS \xff"},
	} {
		require.Equal(t, test.want, InOwnCase(test.text, test.term))
	}
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{Own: "en,de\nhouse,Haus\n", "z.csv": "en,de\nhouse,Gebäude\n", "bad.csv": "en,de\n\"x\n"} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600))
	}
	g, err := NewFolder(dir).Current()
	require.ErrorContains(t, err, "bad.csv, line 2")
	require.Equal(t, "Haus", g.Find("house", "en", "de")[0].Target, "what was added by itself counts first")
}

func FuzzParse(f *testing.F) {
	f.Add("a.csv", "en,de\na,b\n")
	f.Add("a.tbx", "<tbx><conceptEntry><langSec xml:lang='en'><term>x</term></langSec></conceptEntry></tbx>")
	f.Add("a.txt", "x\n#y")
	f.Fuzz(func(t *testing.T, name, content string) {
		entries, err := Parse(name, strings.NewReader(content))
		if err != nil {
			require.Empty(t, entries)
			return
		}
		for _, m := range New(entries).Find(content, "en", "de") {
			require.Less(t, m.Start, m.End)
			require.Equal(t, utf8.RuneCountInString(content), utf8.RuneCountInString(InOwnCase(content, m.Target)))
		}
	})
}

func TestLaterEntriesGoFirst(t *testing.T) {
	g := New([]Entry{{Source: "Blue Moon"}, {From: "en", To: "de", Source: "blue moon", Target: "Blauer Mond"}})
	require.Equal(t, "Blauer Mond", g.Find("a Blue Moon", "en", "de")[0].Target)
	require.Equal(t, "Blue Moon", g.Find("a Blue Moon", "en", "fr")[0].Target)
}
