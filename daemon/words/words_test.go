package words

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/inference/glossary"
	"dragoman/inference/memory"
)

func in(t *testing.T, dir string) *Words {
	return Open(Options{Data: dir, Cache: t.TempDir(), Tell: func(err error) { t.Error(err) }})
}

func terms(w *Words) (all []string) {
	for _, e := range w.Terms().Entries() {
		all = append(all, e.From+">"+e.To+" "+e.Source+"="+e.Target)
	}
	return all
}

func TestTerms(t *testing.T) {
	w := in(t, filepath.Join(t.TempDir(), "data"))
	require.ErrorIs(t, w.RemoveTerm(t.Context(), api.Term{Source: "folder"}), ErrNotFound)
	require.NoError(t, w.AddTerm(t.Context(), api.Term{From: "en", To: "de", Source: "folder", Target: "Ordner"}))
	require.NoError(t, w.AddTerm(t.Context(), api.Term{From: "en", To: "de", Source: "folder", Target: "Mappe"}))
	require.NoError(t, w.AddTerm(t.Context(), api.Term{Source: "Blue, \"Moon\""}))
	require.Equal(t, []string{"en>de folder=Mappe", ">" + " Blue, \"Moon\"="}, terms(w))
	require.ErrorIs(t, w.AddTerm(t.Context(), api.Term{Source: strings.Repeat("x", 1000)}), ErrWords)
	require.ErrorIs(t, w.AddTerm(t.Context(), api.Term{From: "no language", To: "de", Source: "a", Target: "b"}), ErrWords)
	require.ErrorIs(t, w.AddTerm(t.Context(), api.Term{Source: "a", Target: "b"}), ErrWords)
	require.ErrorIs(t, w.AddTerm(t.Context(), api.Term{Source: " "}), ErrWords)
	require.Len(t, terms(w), 2, "what is refused changes nothing")
	require.NoError(t, w.AddTerm(t.Context(), api.Term{From: "en", To: "fr", Source: "folder", Target: "dossier"}))
	require.ErrorIs(t, w.RemoveTerm(t.Context(), api.Term{Source: "folder", To: "it"}), ErrNotFound)
	require.NoError(t, w.RemoveTerm(t.Context(), api.Term{Source: "folder", From: "en", To: "fr"}))
	require.Equal(t, []string{"en>de folder=Mappe", ">" + " Blue, \"Moon\"="}, terms(w))
	require.NoError(t, w.RemoveTerm(t.Context(), api.Term{Source: "folder"}))
	require.Len(t, terms(w), 1)
}

func TestGlossaryFiles(t *testing.T) {
	w := in(t, t.TempDir())
	n, err := w.AddGlossary(t.Context(), api.WordsFile{Name: "names.txt", Content: "Blue Moon\nRed Sun\n"})
	require.NoError(t, err)
	require.Equal(t, 2, n.Entries)
	var broken *glossary.FileError
	_, err = w.AddGlossary(t.Context(), api.WordsFile{Name: "bad.csv", Content: "en\n"})
	require.ErrorAs(t, err, &broken)
	for _, name := range []string{"", "../a.csv", "a/b.csv", `a\b.csv`, "c:a.csv", ".a.csv", "own.csv", "OWN.CSV", "a.doc", "a\n.csv", strings.Repeat("a", 300) + ".csv"} {
		_, err := w.AddGlossary(t.Context(), api.WordsFile{Name: name, Content: "en,de\nfolder,Ordner\n"})
		require.ErrorIs(t, err, ErrName, name)
	}
	require.Len(t, terms(w), 2)
	for _, name := range []string{"../names.txt", ".lock", ".", "..", "", "a\x00.txt"} {
		require.ErrorIs(t, w.RemoveGlossary(t.Context(), name), ErrName, name)
	}
	require.ErrorIs(t, w.RemoveGlossary(t.Context(), "other.txt"), ErrNotFound)
	require.NoError(t, w.RemoveGlossary(t.Context(), "names.txt"))
	require.Empty(t, terms(w))
}

func TestCorrections(t *testing.T) {
	w := in(t, t.TempDir())
	require.NoError(t, w.Correct(t.Context(), api.Correction{From: "en", To: "de", Text: "The house  is big.", Translation: "Groß ist das Haus."}))
	require.NoError(t, w.Correct(t.Context(), api.Correction{From: "en", To: "de", Text: " The house is big.", Translation: "Ein großes Haus."}))
	require.ErrorIs(t, w.Correct(t.Context(), api.Correction{From: "en", To: "de", Text: strings.Repeat("x", 100_000), Translation: "lang"}), ErrWords)
	got, ok := w.Translations().Exact("en", "de", "The house is big.")
	require.True(t, ok)
	require.Equal(t, "Ein großes Haus.", got)
	require.Len(t, slices.Collect(w.Translations().Units()), 1)
	require.ErrorIs(t, w.Correct(t.Context(), api.Correction{From: "en", To: "de", Text: "a\x01", Translation: "b"}), ErrWords)
	n, err := w.AddMemory(t.Context(), api.WordsFile{Name: "other.tmx", Content: `<tmx><tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu></tmx>`})
	require.NoError(t, err)
	require.Equal(t, 1, n.Entries)
	_, err = w.AddMemory(t.Context(), api.WordsFile{Name: "own.tmx"})
	require.ErrorIs(t, err, ErrName)
	require.NoError(t, w.ForgetCorrection(t.Context(), "Ein großes  Haus."), "by either side")
	require.ErrorIs(t, w.ForgetCorrection(t.Context(), "Ein großes Haus."), ErrNotFound)
	_, err = os.Stat(filepath.Join(w.memories, memory.Own))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, w.RemoveMemory(t.Context(), "other.tmx"))
	require.Empty(t, slices.Collect(w.Translations().Units()))
}

// TestNothingIsLostBetweenTwo lets several change one file at a time, as the
// service and a command may.
func TestNothingIsLostBetweenTwo(t *testing.T) {
	w := in(t, t.TempDir())
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { _ = w.AddTerm(t.Context(), api.Term{Source: "term" + strings.Repeat("x", i)}) })
	}
	all.Wait()
	require.Len(t, terms(w), 20)
}

func TestTermsOfAFolder(t *testing.T) {
	var told []string
	w := Open(Options{Data: t.TempDir(), Patience: time.Minute, Tell: func(err error) { told = append(told, err.Error()) }})
	require.NoError(t, w.AddTerm(t.Context(), api.Term{From: "en", To: "de", Source: "folder", Target: "Ordner"}))
	require.NoError(t, w.AddTerm(t.Context(), api.Term{Source: "Blue Moon"}))
	file := filepath.Join(t.TempDir(), "client.csv")
	require.NoError(t, os.WriteFile(file, []byte("en,de\nfolder,Mappe\n"), 0o600))
	target := func(g *glossary.Glossary) string { return g.Find("folder", "en", "de")[0].Target }
	require.Equal(t, "Mappe", target(w.TermsWith(file)))
	require.Len(t, w.TermsWith(file).Find("Blue Moon", "en", "de"), 1, "the own terms count too")
	require.Equal(t, "Ordner", target(w.TermsWith("")))
	require.Same(t, w.TermsWith(file), w.TermsWith(file), "joined once")
	require.NoError(t, os.WriteFile(file, []byte("en,de\nfolder,Aktendeckel\n"), 0o600))
	require.Equal(t, "Aktendeckel", target(w.TermsWith(file)))
	require.Empty(t, told)
	require.NoError(t, os.Remove(file))
	require.Equal(t, "Ordner", target(w.TermsWith(file)))
	require.Equal(t, "Ordner", target(w.TermsWith(file)))
	require.Len(t, told, 1)
	require.Contains(t, told[0], "client.csv")
	require.ErrorIs(t, CheckGlossaries(file), os.ErrNotExist)
	require.NoError(t, os.WriteFile(file, []byte("en\n"), 0o600))
	require.ErrorContains(t, CheckGlossaries(file), "line 1")
}
