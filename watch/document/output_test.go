package document

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestOutputPath(t *testing.T) {
	root := filepath.Join(t.TempDir(), "drop")
	for rel, want := range map[string]string{
		"a.txt":          "a.es.txt",
		"a.TXT":          "a.es.TXT",
		"a.b.txt":        "a.b.es.txt",
		"a.es.txt":       "a.es.es.txt",
		"sub/deep/a.txt": "sub/deep/a.es.txt",
		"README":         "README.es",
		".bashrc":        ".bashrc.es",
		".a.txt":         ".a.es.txt",
		"a b ü.txt":      "a b ü.es.txt",
		"..a.txt":        "..a.es.txt",
	} {
		got, err := OutputPath(root, "", rel, "es")
		require.NoError(t, err, rel)
		require.Equal(t, filepath.Join(root, "translated", filepath.FromSlash(want)), got)
	}
	got, err := OutputPath(root, "out", "a.txt", "zh_Hant")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(root, "out", "a.zh_Hant.txt"), got)
	abs := filepath.Join(t.TempDir(), "else where")
	got, err = OutputPath(root, abs, "s/a.txt", "es")
	require.NoError(t, err)
	require.Equal(t, filepath.Join(abs, "s", "a.es.txt"), got)
}

func TestOutputPathRefuses(t *testing.T) {
	for _, rel := range []string{"", ".", "..", "../a.txt", "a/../../b.txt", "/etc/passwd", "a//b", "a/", "a\x00b", "./a"} {
		_, err := OutputPath("/r", "", rel, "es")
		require.Error(t, err, "%q", rel)
	}
	for _, lang := range []string{"", "e/s", "..", "es.", "e s", strings.Repeat("e", 40)} {
		_, err := OutputPath("/r", "", "a.txt", lang)
		require.Error(t, err, "%q", lang)
	}
}

func TestOutputNamesOfLongInputsStayApart(t *testing.T) {
	seen := map[string]string{}
	for _, name := range []string{
		strings.Repeat("a", 251) + ".txt",
		strings.Repeat("a", 250) + "b.txt",
		strings.Repeat("a", 255),
		strings.Repeat("語", 83) + ".txt",
		strings.Repeat("語", 85),
		"a." + strings.Repeat("x", 253),
	} {
		out := outputBase(name, "es", false, false)
		require.LessOrEqual(t, len(out), maxName)
		require.True(t, utf8.ValidString(out), out)
		require.Contains(t, out, ".es")
		require.Empty(t, seen[out])
		seen[out] = name
		// The name of the result as an input must not give the same output.
		again := outputBase(strings.Replace(out, ".es", "", 1), "es", false, false)
		require.NotEqual(t, out, again)
	}
}

func TestOutputNamesAllowedByWindows(t *testing.T) {
	require.Equal(t, "a.es.txt", outputBase("a.txt", "es", false, true))
	require.Equal(t, "console.es.txt", outputBase("console.txt", "es", false, true))
	require.Equal(t, "COM10.es.txt", outputBase("COM10.txt", "es", false, true))
	for _, name := range []string{"con.txt", "NUL", "aux.b.txt", "com1.txt", "LPT¹.txt", "a:b.txt", `a\b.txt`, "what?.txt", "a\tb.txt"} {
		out := outputBase(name, "es", false, true)
		require.True(t, windowsAllows(out), out)
		require.Contains(t, out, "~", "marked as changed")
		require.NotEqual(t, out, outputBase(strings.ToUpper(name)+"x", "es", false, true))
	}
	for _, name := range []string{"", "a.", "a ", "CONIN$", "prn"} {
		require.False(t, windowsAllows(name), name)
	}
}

func FuzzOutputPath(f *testing.F) {
	for _, seed := range [][2]string{{"a.txt", "a.TXT"}, {"README", "README.es"}, {".a", "a."}, {"s/a", "s/b/c"}, {"..", "a\xFF"}, {"con.txt", "_con.txt"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		for _, windows := range []bool{false, true} {
			if !validRel(a, windows) || !validRel(b, windows) || strings.Contains(a+b, "/") {
				continue
			}
			if a == b {
				b += "b"
			}
			outA, outB := outputBase(a, "es", false, windows), outputBase(b, "es", false, windows)
			require.LessOrEqual(t, len(outA), maxName)
			require.NotEqual(t, outA, outB, "%q and %q give %q and %q", a, b, outA, outB)
			require.NotContains(t, outA, "/")
			distinct := outputBase(a, "es", true, windows)
			require.NotEqual(t, outB, distinct)
			require.LessOrEqual(t, len(distinct), maxName)
			if windows {
				require.True(t, windowsAllows(outA), "%q", outA)
			}
		}
		out, err := OutputPath("root", "out", a, "es")
		if err != nil {
			return
		}
		rel, err := filepath.Rel(filepath.Join("root", "out"), out)
		require.NoError(t, err)
		require.True(t, filepath.IsLocal(rel), "%q", out)
	})
}

func outputBase(name, lang string, distinct, windows bool) string {
	return defaultPattern.base(name, lang, distinct, windows)
}
