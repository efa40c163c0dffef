package document

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatternNames(t *testing.T) {
	for pattern, want := range map[string]string{
		"":                         "s/report.v2.es.txt",
		"{name}.{lang}{ext}":       "s/report.v2.es.txt",
		"{lang}-{name}{ext}":       "s/es-report.v2.txt",
		"{name} ({lang}){ext}":     "s/report.v2 (es).txt",
		"{name}_{lang}":            "s/report.v2_es",
		"{lang}{ext}.{name}":       "s/es.txt.report.v2",
		"translated {name} {lang}": "s/translated report.v2 es",
	} {
		p, err := ParsePattern(pattern)
		require.NoError(t, err, pattern)
		got, err := p.Name("s/report.v2.txt", "es", false)
		require.NoError(t, err)
		require.Equal(t, want, got)
		_, err = p.Name("../a.txt", "es", false)
		require.Error(t, err)
		_, err = p.Name("a.txt", "../es", false)
		require.Error(t, err)
	}
}

// Of a PDF a plain text comes out, whose name is not that of a text beside it.
func TestPatternOfTextsOnly(t *testing.T) {
	p, err := ParsePattern("")
	require.NoError(t, err)
	for name, want := range map[string]string{"a.pdf": "a.pdf.es.txt", "A.PDF": "A.PDF.es.txt", "a.txt": "a.es.txt"} {
		got, err := p.Name(name, "es", false)
		require.NoError(t, err)
		require.Equal(t, want, got)
		input, ok := p.Recognise("es")(got)
		require.True(t, ok)
		require.Contains(t, []string{name, ""}, input)
	}
	input, ok := p.Recognise("es")("a.pdf.es.txt")
	require.True(t, ok)
	require.Empty(t, input, "it may be of a.pdf and of a.pdf.txt")
	require.Equal(t, ".txt", Extension("x/a.pdf"))
	require.Equal(t, ".docx", Extension("a.docx"))
	require.ErrorContains(t, (&Document{}).CheckOutput("out.pdf"), ".txt")
	require.NoError(t, (&Document{}).CheckOutput("out.txt"))
}

func TestPatternsThatAreRefused(t *testing.T) {
	for pattern, want := range map[string]string{
		"{name}{ext}":                      "without {lang}",
		"{lang}{ext}":                      "without {name}",
		"x":                                "without {name}",
		"{name}{name}{lang}":               "only once",
		"{name}.{language}":                "no meaning for {language}",
		"{name}.{lang":                     "has no }",
		"{name}}.{lang}":                   "has no {",
		"out/{name}.{lang}{ext}":           "characters",
		`out\{name}.{lang}{ext}`:           "characters",
		"{name}:{lang}{ext}":               "characters",
		"{name}\x00{lang}":                 "characters",
		".dragoman-{name}{lang}":           "kept for other files",
		"{name}{lang}.":                    "end with",
		"{name}{lang}" + " ":               "end with",
		"{name}{lang}" + longName(65, "x"): "longer than",
	} {
		_, err := ParsePattern(pattern)
		require.ErrorContains(t, err, want, pattern)
		require.ErrorContains(t, err, DefaultPattern, "the way out")
	}
}

func longName(n int, s string) string { return strings.Repeat(s, n) }

// All rules of OutputName hold for every pattern.
func FuzzPattern(f *testing.F) {
	for _, seed := range [][3]string{{"", "a.txt", "b.txt"}, {"{lang}{name}{ext}", "a", "a.b"}, {"{name}{lang}", "con", "x~0123456789abcdef.txt"}, {"{ext}{lang}{name}", longName(255, "é"), "a"}} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, pattern, a, b string) {
		p, err := ParsePattern(pattern)
		if err != nil {
			return
		}
		for _, windows := range []bool{false, true} {
			for _, name := range []string{a, b} {
				if !validRel(name, windows) || strings.Contains(name, "/") || len(name) > maxName {
					continue
				}
				for _, distinct := range []bool{false, true} {
					out := p.base(name, "es", distinct, windows)
					require.LessOrEqual(t, len(out), maxName)
					require.NotContains(t, out, "/")
					require.NotEqual(t, name, out, "an output must not replace its input")
					require.False(t, strings.HasPrefix(out, ".dragoman"), out)
					if windows {
						require.True(t, windowsAllows(out), "%q", out)
					}
				}
				if a != b && validRel(a, windows) && validRel(b, windows) && !strings.Contains(a+b, "/") {
					require.NotEqual(t, p.base(a, "es", true, windows), p.base(b, "es", true, windows))
				}
			}
		}
		recognise := p.Recognise("es")
		for _, name := range []string{a, b} {
			if !validRel(name, windowsNames) || strings.Contains(name, "/") {
				continue
			}
			out := p.base(name, "es", false, windowsNames)
			if input, ok := recognise(out); ok && input != "" {
				require.Equal(t, out, p.base(input, "es", false, windowsNames))
			}
		}
	})
}

func TestOutputsAreRecognised(t *testing.T) {
	p, err := ParsePattern("")
	require.NoError(t, err)
	recognise := p.Recognise("es")
	for name, want := range map[string]string{"a.es.txt": "a.txt", "a.b.es.txt": "a.b.txt", "a.es.es.txt": "a.es.txt", "README.es": "README"} {
		input, ok := recognise(name)
		require.True(t, ok, name)
		require.Equal(t, want, input)
	}
	for _, name := range []string{"a.txt", "a.fr.txt", "es.txt", ".es.txt", "aes.txt", "a.es.txt.bak.x"} {
		_, ok := recognise(name)
		require.False(t, ok, name)
	}
	hashed := p.base("a.txt", "es", true, false)
	input, ok := recognise(hashed)
	require.True(t, ok)
	require.Empty(t, input, "it is ours, but of what cannot be known")
	fixed, err := ParsePattern("{name} {lang}.out")
	require.NoError(t, err)
	input, ok = fixed.Recognise("es")("a es.out")
	require.True(t, ok)
	require.Empty(t, input)
}

func TestPatternsThatTellOutputsApart(t *testing.T) {
	for pattern, want := range map[string]bool{
		"": true, "{name}.{lang}.txt": true, "{name} ({lang}){ext}": true, "{lang}_{name}{ext}": true, "{name}-in-{lang}{ext}": true,
		"{name}{ext}.{lang}": true, "{name}{lang}.txt": false, "{lang}{name}{ext}": false, "{name}x{lang}{ext}": false,
		"{name}{ext}{lang}": false, "{name}ü1{lang}{ext}": false, "-{name}{lang}{ext}": false,
	} {
		p, err := ParsePattern(pattern)
		require.NoError(t, err)
		require.Equal(t, want, p.TellsApart(), pattern)
	}
}
