package drop

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// remove ends work on a folder as the daemon does.
func (b *bench) remove(id int64) {
	b.t.Helper()
	require.NoError(b.t, b.m.Remove(id))
	require.NoError(b.t, b.store.DeleteFolder(b.t.Context(), id, true))
}

// link makes a link to a folder and returns its path.
func (b *bench) link(target, rel string) string {
	replaceByLink(b.t, b.path(target), b.path(rel))
	return b.path(rel)
}

// translates drops new files into a folder and waits for them, while it looks at
// all that it has.
func (b *bench) translates(id int64, dir, lang string) {
	b.t.Helper()
	for _, name := range []string{"new.txt", "news.txt"} {
		require.NoError(b.t, b.m.Rescan(b.t.Context(), id))
		b.write(dir+"/"+name, "five six")
		b.wait(name, func() bool {
			b.translator.mu.Lock()
			defer b.translator.mu.Unlock()
			for asked := range b.translator.asked {
				if asked == name+" "+lang || strings.HasSuffix(asked, "/"+name+" "+lang) {
					return true
				}
			}
			return false
		})
		b.wait("all the rest", func() bool { s := b.status(id); return s.Waiting == 0 && s.State == api.FolderWatching })
	}
}

// outputsAsked are the files that were translated though they are outputs.
func (b *bench) outputsAsked() (asked []string) {
	b.translator.mu.Lock()
	defer b.translator.mu.Unlock()
	for what := range b.translator.asked {
		if strings.Contains(what, ".es.txt") || strings.Contains(what, ".fr.txt") {
			asked = append(asked, what)
		}
	}
	return asked
}

// Outputs that lie among the inputs are none, whatever becomes of the folder's
// path, languages and names, and of the files that they were made of.
func TestEarlierOutputsAreNoInputs(t *testing.T) {
	german := func(path string) api.FolderSettings {
		s := beside(path, "de")
		s.Name = "{name}-{lang}{ext}"
		return s
	}
	in := func(b *bench) string { return b.path("in") }
	link := func(b *bench) string { return b.link("in", "link") }
	for name, c := range map[string]struct {
		gone string                          // is removed while nothing works
		path func(*bench) string             // that the folder is added by again
		as   func(string) api.FolderSettings // it is added
	}{
		"other names and language": {"", in, german},
		"without an input":         {"in/a.txt", in, german},
		"without one output":       {"in/a*[xf][tr].txt", in, func(path string) api.FolderSettings { return beside(path, "fr") }},
		"by a link":                {"", link, german},
		"by a link, inputs gone":   {"in/a.txt", link, german},
		"from above":               {"in/a.txt", func(b *bench) string { return b.path(".") }, german},
		"from above by a link":     {"in/a.txt", func(b *bench) string { return b.link(".", "in/up") }, german},
		"not beside":               {"in/a.txt", link, func(path string) api.FolderSettings { return settings(path, "de") }},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, quick).start()
			b.write("in/a.txt", "one two")
			b.write("in/s/b.txt", "three four")
			id := b.add(beside(b.path("in"), "es", "fr"))
			b.settled(id, 4)
			b.remove(id)
			if c.gone != "" {
				found, err := filepath.Glob(b.path(c.gone))
				require.NoError(t, err)
				require.NotEmpty(t, found)
				for _, path := range append(found, b.path("in/a.txt")) {
					require.NoError(t, os.RemoveAll(path))
				}
			}
			s := c.as(c.path(b))
			id = b.add(s)
			dir := "in"
			if strings.HasPrefix(name, "from above") {
				dir = "." // the other is marked as one of outputs as a whole
			}
			b.translates(id, dir, s.To[0])
			require.Empty(t, b.outputsAsked())
			b.restart(id, s)
			b.translates(id, dir+"/t", s.To[0])
			require.Empty(t, b.outputsAsked())
		})
	}
}

// An input is gone, and its output in the one language that is wanted by now.
func TestOutputsInOtherLanguagesKeepTheirRows(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	id := b.add(beside(b.path("in"), "es", "fr"))
	b.settled(id, 2)
	require.NoError(t, b.m.Update(id, beside(b.path("in"), "fr")))
	require.NoError(t, os.WriteFile(b.path("in/a.es.txt"), []byte("corrected by hand"), 0o644))
	require.NoError(t, os.Remove(b.path("in/a.fr.txt")))
	require.NoError(t, os.Remove(b.path("in/a.txt")))
	b.translates(id, "in", "fr")
	b.restart(id, beside(b.path("in"), "fr"))
	b.translates(id, "in/s", "fr")
	require.Empty(t, b.outputsAsked())
	require.Empty(t, b.told())
}

// What an earlier ledger or another path had written may be replaced.
func TestEarlierOutputsAreReplaced(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	id := b.add(beside(b.path("in"), "es"))
	b.settled(id, 1)
	b.remove(id)
	b.write("in/a.txt", "three four")
	b.settled(b.add(beside(b.link("in", "link"), "es")), 1)
	require.Equal(t, map[string]string{"a.txt": "three four", "a.es.txt": "es: four three"}, files(t, b.path("in")))
}

// ownBin gives a test a bin of its own where originals go to one.
func ownBin(t *testing.T, original api.Original) {
	t.Helper()
	if original == api.OriginalBin && runtime.GOOS == "windows" {
		t.Skip("the bin is that of the user")
	}
	t.Setenv("XDG_DATA_HOME", filepath.Join(t.TempDir(), "data"))
}

// A user's own text that is named like a translation.
func TestTextsThatAreNamedLikeTranslations(t *testing.T) {
	for name, original := range map[string]api.Original{"stay": api.OriginalStay, "bin": api.OriginalBin, "done": api.OriginalDone} {
		t.Run(name, func(t *testing.T) {
			ownBin(t, original)
			b := newBench(t, quick).start()
			s := beside(b.path("in"), "es")
			s.Original = original
			require.NoError(t, os.Mkdir(b.path("in"), 0o755))
			id := b.add(s)
			b.wait("the watch", func() bool { return b.status(id).State == api.FolderWatching })
			b.restart(id, s) // the folder is marked as one of outputs by now
			b.write("in/price.es.txt", "a text of its own")
			b.wait("the output", func() bool { return exists(b.path("in/price.es.es.txt")) })
			require.Empty(t, b.told())
			b.settled(id, 1)
		})
	}
}

// It is left alone beside the file that it may be the translation of, and that is
// said once.
func TestFilesThatMayBeTranslations(t *testing.T) {
	for name, original := range map[string]api.Original{"stay": api.OriginalStay, "bin": api.OriginalBin, "done": api.OriginalDone} {
		t.Run(name, func(t *testing.T) {
			ownBin(t, original)
			b := newBench(t, quick)
			s := beside(b.path("in"), "es")
			s.Original = original
			for _, name := range []string{"wage", "rent"} {
				b.write("in/"+name+".es.txt", "by hand")
				b.write("in/"+name+".txt", "one two")
			}
			b.start()
			id := b.add(s)
			b.wait("both", func() bool { st := b.status(id); return st.Waiting == 0 && st.Done == 2 })
			for _, name := range []string{"wage", "rent"} {
				require.Equal(t, "by hand", b.read("in/"+name+".es.txt"))
			}
			b.toldOf(1)
			require.Contains(t, b.firstTold(), "by its name it is a translation itself")
			require.Empty(t, b.outputsAsked())
			b.restart(id, s)
			b.translates(id, "in", "es")
			require.Empty(t, b.outputsAsked(), "where the original was moved away too")
		})
	}
}

// The ledger was lost, and originals are no longer beside their translations:
// names are all that is left.
func TestOutputsOfALostLedger(t *testing.T) {
	ownBin(t, api.OriginalBin)
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	b.write("in/b.txt", "three four")
	s := beside(b.path("in"), "es", "fr")
	s.Original = api.OriginalBin
	b.settled(b.add(s), 4)
	want := files(t, b.path("in"))
	b.wait("the bin", func() bool { return !exists(b.path("in/a.txt")) && !exists(b.path("in/b.txt")) })
	b.end()
	require.NoError(t, os.RemoveAll(b.path("state")))
	b.openStore()
	b.start()
	s.To = []string{"es"} // in the other language there are outputs too
	id := b.add(s)
	b.translates(id, "in", "es")
	require.Empty(t, b.outputsAsked())
	b.restart(id, s)
	b.translates(id, "in/s", "es")
	require.Empty(t, b.outputsAsked())
	for rel, content := range want {
		require.Equal(t, content, b.read("in/"+rel))
	}
	b.toldOf(2) // once a start
}

// A pattern without {ext} does not say what the original is called: the ledger
// tells which files are outputs.
func TestPatternWithoutExtension(t *testing.T) {
	b := newBench(t, quick).start()
	s := beside(b.path("in"), "es")
	s.Name = "{name}.{lang}.txt"
	b.write("in/a.txt", "one two")
	b.write("in/price.es.txt", "a text of its own")
	id := b.add(s)
	b.settled(id, 2)
	b.restart(id, s)
	b.translates(id, "in", "es")
	require.Equal(t, []string{"a.es.txt", "a.txt", "new.es.txt", "new.txt", "news.es.txt", "news.txt", "price.es.es.txt", "price.es.txt"},
		keys(files(t, b.path("in"))))
	require.Empty(t, b.told())
}
