package memory

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTMX(t *testing.T) {
	units, err := Read(filepath.Join("testdata", "omegat.tmx"))
	require.NoError(t, err)
	require.Len(t, units, 2)
	m := New(units)
	for _, c := range [][4]string{
		{"en", "de", "Save the file & close it.", "Datei sichern & schließen."},
		{"en", "es", " Click  Save now.\n", "Pulse Guardar ahora."},
		{"es", "en", "Pulse Guardar ahora.", "Click Save now."},
	} {
		got, found := m.Exact(c[0], c[1], c[2])
		require.True(t, found, c[2])
		require.Equal(t, c[3], got)
	}
	_, found := m.Exact("en", "fr", "Click Save now.")
	require.False(t, found)
	_, found = (*Memory)(nil).Exact("en", "de", "x")
	require.False(t, found)

	var b bytes.Buffer
	require.NoError(t, WriteTMX(&b, slices.Values(units)))
	again, err := ParseTMX("again.tmx", &b)
	require.NoError(t, err)
	require.Len(t, again, 2)
	for i := range again {
		require.Equal(t, units[i].Texts, again[i].Texts)
	}
}

func TestErrorsNameTheLine(t *testing.T) {
	for content, want := range map[string]string{
		"":                             "no unit",
		"<html/>":                      "line 1: its root is <html>",
		"<tmx>\n<body><tu>":            "line 2: it is not well-formed",
		"<tmx><body><tu>\n<tuv><seg>x": "line 2: a tuv has no language",
		"<tmx><body>\n\n<seg>x</seg>":  "line 3: a seg stands outside",
		"<tmx><body></body></tmx>":     "no unit",
		"<tmx><tu><tuv xml:lang='en'><seg>" + strings.Repeat("x", mostText+1) + "</seg></tuv></tu></tmx>": "a text has 65537 bytes",
		"<tmx><tu><tuv xml:lang='en'><seg>\xff</seg>":                                                     "not well-formed XML in UTF-8",
	} {
		units, err := ParseTMX("a.tmx", strings.NewReader(content))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "a.tmx")
		require.Empty(t, units)
	}
}

func unit(source, target string) Unit {
	return Unit{Texts: map[string]string{"en": source, "de": target}}
}

func TestSimilar(t *testing.T) {
	m := New([]Unit{unit("The house is big.", "Das Haus ist groß."), unit("The dog is small.", "Der Hund ist klein."), unit("The house is big.", "Das Gebäude ist groß."), unit("Something else", "Etwas anderes")})
	got := m.Similar("en", "de", "The house is very big.", 60, 5)
	require.Len(t, got, 2)
	require.Equal(t, 80, got[0].Percent)
	require.Equal(t, "Das Gebäude ist groß.", got[0].Target, "the later one first")
	require.Equal(t, 100, m.Similar("en", "de", "The house is big.", 60, 1)[0].Percent)
	require.Equal(t, 99, m.Similar("en", "de", "the house is big", 60, 1)[0].Percent)
	require.Empty(t, m.Similar("en", "fr", "The house is big.", 1, 5))
	require.Empty(t, (*Memory)(nil).Similar("en", "de", "x", 1, 5))
	target, _ := m.Exact("en", "de", "The house is big.")
	require.Equal(t, "Das Gebäude ist groß.", target)
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, units ...Unit) {
		var b bytes.Buffer
		require.NoError(t, WriteTMX(&b, slices.Values(units)))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o600))
	}
	write(Own, unit("House", "corrected"))
	write("z.tmx", unit("House", "imported"))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "bad.tmx"), []byte("<tmx>\n<"), 0o600))
	m, err := NewFolder(dir, "").Current()
	require.ErrorContains(t, err, "bad.tmx, line 2")
	target, _ := m.Exact("en", "de", "House")
	require.Equal(t, "corrected", target, "corrections count first")
}

func FuzzParseTMX(f *testing.F) {
	data, err := os.ReadFile(filepath.Join("testdata", "omegat.tmx"))
	require.NoError(f, err)
	f.Add(string(data))
	f.Add("<tmx><tu><tuv xml:lang='en'><seg><ph></seg>")
	f.Fuzz(func(t *testing.T, s string) {
		units, err := ParseTMX("f.tmx", strings.NewReader(s))
		if err != nil {
			require.Empty(t, units)
			return
		}
		New(units).Similar("en", "de", s, 50, 5)
	})
}

// Every word is in thousands of texts, so that none tells much by itself.
func TestTextsOfCommonWordsAreFound(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the a of and to in is you that it he was for on are as with his they at")
	var sources []string
	x, err := indexOf("", func(yield func(Unit, error) bool) {
		for range 20_000 {
			chosen := make([]string, 6+r.IntN(4))
			for i := range chosen {
				chosen[i] = words[r.IntN(len(words))]
			}
			sources = append(sources, strings.Join(chosen, " "))
			if !yield(unit(sources[len(sources)-1], "x"), nil) {
				return
			}
		}
	})
	require.NoError(t, err)
	m := &Memory{indexes: []*index{x}}
	missed := 0
	for i := 0; i < len(sources); i += 200 {
		if len(m.Similar("en", "de", sources[i]+" more", 60, 5)) == 0 {
			missed++
		}
	}
	require.LessOrEqual(t, missed, 2, "of 100: more texts than are compared have all of their words")
}

// BenchmarkMemory has a million units of 5 to 24 words, whose words are as
// frequent as those of languages are (Zipf's law).
func BenchmarkMemory(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(r, 1.1, 1, 50_000)
	sentence := func() string {
		words := make([]string, 5+r.IntN(20))
		for i := range words {
			words[i] = "w" + strconv.FormatUint(zipf.Uint64(), 36)
		}
		return strings.Join(words, " ")
	}
	var asked []string
	x, err := indexOf("", func(yield func(Unit, error) bool) {
		for i := range 1_000_000 {
			source := sentence()
			if i%10_000 == 0 {
				asked = append(asked, source)
			}
			if !yield(unit(source, sentence()), nil) {
				return
			}
		}
	})
	require.NoError(b, err)
	m := &Memory{indexes: []*index{x}}
	b.Run("exact", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if _, found := m.Exact("en", "de", asked[i%len(asked)]); !found {
				b.Fatal("nothing is found")
			}
		}
	})
	b.Run("similar", func(b *testing.B) {
		for i := 0; b.Loop(); i++ {
			if len(m.Similar("en", "de", asked[i%len(asked)]+" more", 60, 5)) == 0 {
				b.Fatal("nothing is found")
			}
		}
	})
}
