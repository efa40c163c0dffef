package drop

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

func beside(path string, to ...string) api.FolderSettings {
	s := settings(path, to...)
	s.Place = api.PlaceBeside
	return s
}

// F7: outputs among the inputs are never inputs, also after a restart, after
// the settings changed, and after the ledger was lost.
func TestOutputsBesideAreNoInputs(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	b.write("in/s/b.txt", "three four")
	s := beside(b.path("in"), "es", "fr")
	want := map[string]string{
		"a.txt": "one two", "a.es.txt": "es: two one", "a.fr.txt": "fr: two one",
		"s/b.txt": "three four", "s/b.es.txt": "es: four three", "s/b.fr.txt": "fr: four three",
	}
	id := b.add(s)
	b.settled(id, 4)
	require.NoError(t, b.m.Rescan(t.Context(), id))
	b.write("in/c.txt", "five")
	want["c.txt"], want["c.es.txt"], want["c.fr.txt"] = "five", "es: five", "fr: five"
	b.settled(id, 6)
	require.Equal(t, want, files(t, b.path("in")))

	b.restart(id, s)
	b.write("in/d.txt", "six")
	want["d.txt"], want["d.es.txt"], want["d.fr.txt"] = "six", "es: six", "fr: six"
	b.settled(id, 8)
	require.Equal(t, want, files(t, b.path("in")))

	// The ledger knows them under other settings too.
	s.Name, s.To = "{lang}_{name}{ext}", []string{"es"}
	b.restart(id, s)
	b.write("in/e.txt", "seven")
	want["e.txt"], want["es_e.txt"] = "seven", "es: seven"
	b.wait("e.txt", func() bool { return exists(b.path("in/es_e.txt")) })
	b.settled(id, 9)
	require.Equal(t, want, files(t, b.path("in")))
	delete(want, "e.txt")
	delete(want, "es_e.txt")
	require.NoError(t, os.Remove(b.path("in/e.txt")))
	require.NoError(t, os.Remove(b.path("in/es_e.txt")))

	// Lost: names tell, and what would be written is there already.
	b.end()
	require.NoError(t, os.RemoveAll(b.path("state")))
	b.openStore()
	b.start()
	s = beside(b.path("in"), "es", "fr")
	id = b.add(s)
	b.settled(id, 8)
	require.Equal(t, want, files(t, b.path("in")))
}

// Files of the user that have an output's name are neither overwritten nor
// translated, whether they are there before or come while their neighbour waits.
func TestFilesOfTheUserAreNotOverwritten(t *testing.T) {
	for name, place := range map[string]func(*bench) (api.FolderSettings, string){
		"beside": func(b *bench) (api.FolderSettings, string) { return beside(b.path("in"), "es"), "in/" },
		"sub-folder": func(b *bench) (api.FolderSettings, string) {
			return settings(b.path("in"), "es"), "in/translated/"
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, quick)
			gate := newHeld()
			b.translator.before = gate.wait
			b.start()
			s, out := place(b)
			b.write("in/a.txt", "one two")
			b.write(out+"a.es.txt", "made by hand")
			b.write("in/b.txt", "three four")
			id := b.add(s)
			gate.entered(t)
			gate.entered(t)
			b.write(out+"b.es.txt", "made by hand too") // its row is there already
			gate.open()
			b.settled(id, 2)
			found := files(t, b.path("in"))
			require.Equal(t, []string{"es: four three", "es: two one", "made by hand", "made by hand too", "one two", "three four"}, values(found))
			require.Equal(t, "made by hand", b.read(out+"a.es.txt"))

			// The output with the other name is the one that is kept up to date.
			b.write("in/a.txt", "changed words")
			b.restart(id, s)
			b.wait("the new words", func() bool { return b.translator.count("a.txt", "es") == 2 })
			b.settled(id, 2)
			require.Equal(t, []string{"changed words", "es: four three", "es: words changed", "made by hand", "made by hand too", "three four"},
				values(files(t, b.path("in"))))
			if name == "beside" {
				b.write("in/c.es.txt", "without a neighbour it is an input")
				b.wait("c.es.txt", func() bool { return exists(b.path("in/c.es.es.txt")) })
			}
		})
	}
}

// A process that ended between writing an output and recording it wrote what it
// had said it would: the output is replaced, also where it would be another now.
func TestOutputOfAKilledProcessIsReplaced(t *testing.T) {
	b := newBench(t, quick)
	b.write("in/a.txt", "one two")
	s := beside(b.path("in"), "es")
	b.start()
	faulty := &faultyLedger{Ledger: b.store}
	b.stop()
	b.opts.Ledger = faulty
	b.start()
	faulty.set(errFault, "Finish")
	id := b.add(s)
	b.wait("the output", func() bool { return exists(b.path("in/a.es.txt")) })
	b.wait("the failure", func() bool { return b.status(id).State == api.FolderFailed })
	b.stop()
	b.translator.end = " by another model"
	b.opts.Ledger = nil
	b.start()
	require.NoError(t, b.m.Add(id, s))
	b.settled(id, 1)
	require.Equal(t, map[string]string{"a.txt": "one two", "a.es.txt": "es: two one by another model"}, files(t, b.path("in")))
}

// People correct translations where they lie. What they changed is theirs: a new
// translation gets another name, and if that one was changed too, it waits until
// one of them is moved away.
func TestTranslationsCorrectedByHandAreKept(t *testing.T) {
	for name, change := range map[string]func(b *bench, id int64, n int){
		"another input": func(b *bench, _ int64, n int) { b.write("in/a.txt", fmt.Sprint("one two ", n)) },
		"another model": func(b *bench, _ int64, n int) {
			b.mu.Lock()
			b.recipe = fmt.Sprint("model ", n)
			b.mu.Unlock()
			b.translator.mu.Lock()
			b.translator.end = fmt.Sprint(" ", n)
			b.translator.mu.Unlock()
			b.m.RescanAll()
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, quick).start()
			b.write("in/a.txt", "one two")
			s := settings(b.path("in"), "es")
			id := b.add(s)
			b.settled(id, 1)
			first := b.path("in/translated/a.es.txt")
			again := func(n int) {
				t.Helper()
				change(b, id, n)
				b.wait("the next translation", func() bool { return b.translator.count("a.txt", "es") == n })
			}
			again(2)
			b.settled(id, 1)
			require.Len(t, files(t, b.path("in/translated")), 1, "what nobody touched is replaced")

			require.NoError(t, os.WriteFile(first, []byte("corrected"), 0o644))
			again(3)
			b.settled(id, 1)
			found := files(t, b.path("in/translated"))
			require.Len(t, found, 2)
			require.Equal(t, "corrected", found["a.es.txt"])
			var second string
			for _, name := range keys(found) {
				if name != "a.es.txt" {
					second = b.path("in/translated/" + name)
				}
			}
			again(4)
			b.settled(id, 1)
			require.Len(t, files(t, b.path("in/translated")), 2, "the second name is kept up to date")
			require.NotEqual(t, found[filepath.Base(second)], b.read("in/translated/"+filepath.Base(second)))

			require.NoError(t, os.WriteFile(second, []byte("corrected as well"), 0o644))
			again(5)
			b.wait("the failure", func() bool { return b.status(id).Failed == 1 })
			after := files(t, b.path("in/translated"))
			require.Len(t, after, 2)
			require.Equal(t, "corrected", after["a.es.txt"])
			require.Equal(t, "corrected as well", after[filepath.Base(second)])
			row, err := b.store.File(t.Context(), id, "a.txt", "es")
			require.NoError(t, err)
			require.Contains(t, row.Error, "changed by hand")
		})
	}
}
