package folder

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// F12, F10 and F7: only what a person put there is work.
func TestIgnored(t *testing.T) {
	rules := Rules{Skip: []string{"translated", "logs/dragoman.log"}}
	for rel, reason := range map[string]string{
		"a.txt":                 "",
		"x~$y.md":               "",
		"sub/deep/a.txt":        "",
		"part.txt":              "",
		"a.part.txt":            "",
		"tmp":                   "",
		"#1 of 3.txt":           "",
		"#":                     "",
		"49130":                 "",
		"translated.txt":        "",
		"translated2/a.txt":     "",
		"sub/translated/a.txt":  "",
		"logs/other.log":        "",
		"~$a.docx":              "a temporary name",
		"sub/~$a.docx":          "a temporary name",
		".~lock.a.odt#":         "a temporary name",
		".~a":                   "a temporary name",
		"a.txt.crdownload":      "a temporary name",
		"a.txt.CRDOWNLOAD":      "a temporary name",
		"a.txt.part":            "a temporary name",
		"a.txt.partial":         "a temporary name",
		"a.txt.filepart":        "a temporary name",
		"a.temp":                "a temporary name",
		"report.tmp":            "a temporary name",
		"a.download":            "a temporary name",
		"a.download/a.txt":      "a temporary name",
		"~WRL0001.tmp":          "a temporary name",
		"a.txt~":                "a temporary name",
		"#a.txt#":               "a temporary name",
		".a.txt.swp":            "a temporary name",
		"4913":                  "a temporary name",
		"Thumbs.db":             "a file of the system",
		"thumbs.DB":             "a file of the system",
		"desktop.ini":           "a file of the system",
		".DS_Store":             "a file of the system",
		"._a.txt":               "a file of the system",
		".hidden":               "hidden",
		".git/a.txt":            "hidden",
		"sub/.hidden.txt":       "hidden",
		"translated":            "excluded",
		"translated/a.es.txt":   "excluded",
		"logs/dragoman.log":     "excluded",
		".dragoman-12-ab.tmp":   "written by dragoman",
		"sub/.dragoman.es.lock": "written by dragoman",
	} {
		require.Equal(t, reason, rules.Ignored(rel), rel)
	}
}

// F30: a user's own report.tmp can be asked for.
func TestIgnoredCanBeAskedFor(t *testing.T) {
	all := Rules{Hidden: true, Temp: true, Skip: []string{"Translated"}, FoldCase: true}
	require.Empty(t, all.Ignored("report.tmp"))
	require.Empty(t, all.Ignored(".notes/a.txt"))
	require.NotEmpty(t, all.Ignored("desktop.ini"))
	require.NotEmpty(t, all.Ignored(".dragoman-12-ab.tmp"))
	require.NotEmpty(t, all.Ignored("translated/a.txt"))
}
