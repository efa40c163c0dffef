package words

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/glossary"
	"dragoman/inference/memory"
)

func terms(t *testing.T, f Files) (all []string) {
	g, err := glossary.NewFolder(f.Glossaries).Current()
	require.NoError(t, err)
	for _, e := range g.Entries() {
		all = append(all, e.From+">"+e.To+" "+e.Source+"="+e.Target)
	}
	return all
}

func TestTerms(t *testing.T) {
	f := In(filepath.Join(t.TempDir(), "data"))
	require.ErrorIs(t, f.RemoveTerm("folder"), ErrNotFound)
	require.NoError(t, f.AddTerm(glossary.Entry{From: "en", To: "de", Source: "folder", Target: "Ordner"}))
	require.NoError(t, f.AddTerm(glossary.Entry{From: "en", To: "de", Source: "folder", Target: "Mappe"}))
	require.NoError(t, f.AddTerm(glossary.Entry{Source: "Blue, \"Moon\""}))
	require.Equal(t, []string{"en>de folder=Mappe", ">" + " Blue, \"Moon\"="}, terms(t, f))
	require.ErrorIs(t, f.AddTerm(glossary.Entry{Source: strings.Repeat("x", 1000)}), ErrWords)
	require.ErrorIs(t, f.AddTerm(glossary.Entry{From: "no language", To: "de", Source: "a", Target: "b"}), ErrWords)
	require.ErrorIs(t, f.AddTerm(glossary.Entry{Source: "a", Target: "b"}), ErrWords)
	require.ErrorIs(t, f.AddTerm(glossary.Entry{Source: " "}), ErrWords)
	require.Len(t, terms(t, f), 2, "what is refused changes nothing")
	require.NoError(t, f.RemoveTerm("folder"))
	require.Len(t, terms(t, f), 1)
}

func TestGlossaryFiles(t *testing.T) {
	f := In(t.TempDir())
	n, err := f.AddGlossary("names.txt", []byte("Blue Moon\nRed Sun\n"))
	require.NoError(t, err)
	require.Equal(t, 2, n)
	var broken *glossary.FileError
	_, err = f.AddGlossary("bad.csv", []byte("en\n"))
	require.ErrorAs(t, err, &broken)
	for _, name := range []string{"", "../a.csv", "a/b.csv", `a\b.csv`, "c:a.csv", ".a.csv", "own.csv", "OWN.CSV", "a.doc", "a\n.csv", strings.Repeat("a", 300) + ".csv"} {
		_, err := f.AddGlossary(name, []byte("en,de\nfolder,Ordner\n"))
		require.ErrorIs(t, err, ErrName, name)
	}
	require.Len(t, terms(t, f), 2)
	require.ErrorIs(t, f.RemoveGlossary("../names.txt"), ErrName)
	require.ErrorIs(t, f.RemoveGlossary("other.txt"), ErrNotFound)
	require.NoError(t, f.RemoveGlossary("names.txt"))
	require.Empty(t, terms(t, f))
}

func TestCorrections(t *testing.T) {
	f := In(t.TempDir())
	require.NoError(t, f.Correct("en", "de", "The house  is big.", "Groß ist das Haus."))
	require.NoError(t, f.Correct("en", "de", " The house is big.", "Ein großes Haus."))
	require.ErrorIs(t, f.Correct("en", "de", strings.Repeat("x", 100_000), "lang"), ErrWords)
	current := func() *memory.Memory {
		m, err := memory.NewFolder(f.Memories).Current()
		require.NoError(t, err)
		return m
	}
	got, ok := current().Exact("en", "de", "The house is big.")
	require.True(t, ok)
	require.Equal(t, "Ein großes Haus.", got)
	require.Len(t, current().Units(), 1)
	n, err := f.AddMemory("other.tmx", []byte(`<tmx><tu><tuv xml:lang="en"><seg>a</seg></tuv><tuv xml:lang="de"><seg>b</seg></tuv></tu></tmx>`))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	_, err = f.AddMemory("own.tmx", nil)
	require.ErrorIs(t, err, ErrName)
	require.NoError(t, f.Forget("Ein großes  Haus."), "by either side")
	require.ErrorIs(t, f.Forget("Ein großes Haus."), ErrNotFound)
	_, err = os.Stat(filepath.Join(f.Memories, memory.Own))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, f.RemoveMemory("other.tmx"))
	require.Empty(t, current().Units())
}

// TestNothingIsLostBetweenTwo lets several change one file at a time, as the
// service and a command may.
func TestNothingIsLostBetweenTwo(t *testing.T) {
	f := In(t.TempDir())
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() { _ = f.AddTerm(glossary.Entry{Source: "term" + strings.Repeat("x", i)}) })
	}
	all.Wait()
	require.Len(t, terms(t, f), 20)
}
