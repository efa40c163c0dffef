package drop

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/watch/document"
)

// F8, F9, F19: files that were there before, in two languages, with a tree, one
// bad among them.
func TestFilesAreTranslatedIntoEachLanguage(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two\nthree four\n")
	b.write("in/sub/a.txt", "\xEF\xBB\xBFfive six")
	b.write("in/empty.txt", "")
	b.write("in/bad.txt", "abc\x00")
	b.write("in/picture.png", "no text")
	require.NoError(t, os.Chmod(b.path("in/sub/a.txt"), 0o600))
	id := b.add(settings(b.path("in"), "es", "fr"))
	b.settled(id, 6)
	require.Equal(t, map[string]string{
		"a.txt": "one two\nthree four\n", "sub/a.txt": "\xEF\xBB\xBFfive six", "empty.txt": "", "bad.txt": "abc\x00", "picture.png": "no text",
		"translated/a.es.txt": "es: two one\nfour three\n", "translated/a.fr.txt": "fr: two one\nfour three\n",
		"translated/sub/a.es.txt": "\xEF\xBB\xBFes: six five", "translated/sub/a.fr.txt": "\xEF\xBB\xBFfr: six five",
		"translated/empty.es.txt": "", "translated/empty.fr.txt": "",
	}, files(t, b.path("in")))
	info, err := os.Stat(b.path("in/translated/sub/a.es.txt"))
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a private text stays private")

	b.wait("the bad file", func() bool { return b.status(id).Failed == 2 })
	b.write("in/last.txt", "still alive")
	b.settled(id, 8)
	require.Len(t, b.told(), 2, "once a language")
	require.Contains(t, b.firstTold(), "bad.txt is not UTF-8 text")
	s := b.status(id)
	require.Equal(t, api.FolderWatching, s.State)
	require.Equal(t, "last.txt", s.LastFile)
	require.NotZero(t, s.LastDone)
	require.Empty(t, temporaries(t, b.dir))
}

// Nothing is done again by a restart; what changed meanwhile is.
func TestRestart(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	b.write("in/touched.txt", "three four")
	b.write("in/bad.txt", "please fail")
	b.translator.before = failing
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.settled(id, 2)
	b.wait("the bad file", func() bool { return b.status(id).Failed == 1 })
	b.m.RescanAll()
	b.write("in/b.txt", "five six")
	b.settled(id, 3)
	require.Equal(t, 1, b.translator.count("bad.txt", "es"), "not again and again")
	output, err := os.Stat(b.path("in/translated/a.es.txt"))
	require.NoError(t, err)

	b.stop()
	old := output.ModTime().AddDate(-1, 0, 0)
	require.NoError(t, os.Chtimes(b.path("in/touched.txt"), old, old))
	b.write("in/b.txt", "other words")
	b.write("in/c.txt", "new one")
	b.restart(id, s)
	b.settled(id, 4)
	again, err := os.Stat(b.path("in/translated/a.es.txt"))
	require.NoError(t, err)
	require.True(t, os.SameFile(output, again), "not written again")
	require.Equal(t, "es: words other", b.read("in/translated/b.es.txt"))
	require.Equal(t, "es: one new", b.read("in/translated/c.es.txt"))
	require.Equal(t, 1, b.translator.count("a.txt", "es"))
	require.Equal(t, 1, b.translator.count("touched.txt", "es"), "the content is the same")
	require.Equal(t, 1, b.translator.count("bad.txt", "es"), "it would fail again")
	row, err := b.store.File(t.Context(), id, "touched.txt", "es")
	require.NoError(t, err)
	require.Equal(t, old.UnixNano(), row.MTime, "the next look is quick")

	// F5: a file that failed and is completed later.
	b.write("in/bad.txt", "good now")
	b.settled(id, 5)
	require.Zero(t, b.status(id).Failed)
}

func TestRetryAndCancel(t *testing.T) {
	b := newBench(t, quick)
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "one")
	id := b.add(settings(b.path("in"), "es"))
	gate.entered(t)
	known, err := b.m.Cancel(t.Context(), id, "a.txt")
	require.NoError(t, err)
	require.True(t, known)
	b.wait("the cancelled file", func() bool { return b.status(id).Cancelled == 1 })
	require.Zero(t, b.status(id).Failed)
	require.Empty(t, b.told(), "it was the user's wish")
	known, err = b.m.Cancel(t.Context(), id, "a.txt")
	require.NoError(t, err)
	require.False(t, known)

	require.NoError(t, b.m.Retry(t.Context(), id, "a.txt"))
	gate.entered(t)
	gate.open()
	b.settled(id, 1)
	require.Equal(t, "es: one", b.read("in/translated/a.es.txt"))
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Equal(t, []api.JobState{api.JobCancelled, api.JobDone}, []api.JobState{b.jobs[0].State, b.jobs[1].State})
}

// A new model translates everything anew, in place.
func TestAnotherRecipe(t *testing.T) {
	b := newBench(t, quick).start()
	b.recipe = "" // not known while the model is loaded
	b.write("in/a.txt", "one two")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.settled(id, 1)
	b.mu.Lock()
	b.recipe = "first"
	b.mu.Unlock()
	b.m.RescanAll()
	b.wait("the second time", func() bool { return b.translator.count("a.txt", "es") == 2 })
	b.settled(id, 1)
	b.restart(id, s)
	b.write("in/b.txt", "x")
	b.settled(id, 2)
	require.Equal(t, 2, b.translator.count("a.txt", "es"), "the same recipe")
	s.From = "de"
	require.NoError(t, b.m.Update(id, s))
	b.wait("the third time", func() bool { return b.translator.count("a.txt", "es") == 3 })
	b.settled(id, 2)
	require.Equal(t, []string{"a.es.txt", "b.es.txt"}, keys(files(t, b.path("in/translated"))))
}

// What a folder newly says of its files counts for those that are translated, too.
func TestOtherRules(t *testing.T) {
	b := newBench(t, Options{}).start()
	b.write("in/a.csv", "one two,three four\n")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.settled(id, 1)
	require.Equal(t, "es: two one,four three\n", b.read("in/translated/a.es.csv"))

	s.Columns = []string{"2"}
	b.restart(id, s)
	b.wait("the new translation", func() bool {
		return b.read("in/translated/a.es.csv") == "one two,es: four three\n"
	})
}

// A model that is loaded while the first file waits for it has its recipe.
func TestRecipeKnownLate(t *testing.T) {
	b := newBench(t, quick)
	b.recipe = ""
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "one two")
	id := b.add(settings(b.path("in"), "es"))
	gate.entered(t)
	b.mu.Lock()
	b.recipe = "first"
	b.mu.Unlock()
	gate.open()
	b.settled(id, 1)
	b.m.RescanAll()
	b.write("in/b.txt", "x")
	b.settled(id, 2)
	require.Equal(t, 1, b.translator.count("a.txt", "es"))
}

// A file that changes while it is translated is translated again; one that is
// removed while it waits is forgotten.
func TestChangesWhileInWork(t *testing.T) {
	o := quick
	o.InFlight = 1
	b := newBench(t, o)
	gate := newHeld()
	b.translator.before = gate.wait
	b.start()
	b.write("in/a.txt", "first words")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	gate.entered(t)
	b.write("in/a.txt", "second words")
	b.write("in/z.txt", "never")
	b.wait("z.txt", func() bool { return b.status(id).Waiting == 2 })
	require.NoError(t, os.Remove(b.path("in/z.txt")))
	b.wait("z.txt to be forgotten", func() bool { return b.status(id).Waiting == 1 })
	b.write("in/y.txt", "after both")
	b.wait("y.txt", func() bool { return b.status(id).Waiting == 2 })
	gate.open()
	b.wait("the new words", func() bool {
		content, err := os.ReadFile(b.path("in/translated/a.es.txt"))
		return err == nil && string(content) == "es: words second"
	})
	b.settled(id, 2)
	require.Equal(t, []string{"a.es.txt", "y.es.txt"}, keys(files(t, b.path("in/translated"))))

	// The output stays when its input goes, and the row as long as the output.
	require.NoError(t, os.Remove(b.path("in/a.txt")))
	b.restart(id, s)
	b.settled(id, 2)
	require.FileExists(t, b.path("in/translated/a.es.txt"))
	require.NoError(t, os.Remove(b.path("in/translated/a.es.txt")))
	b.restart(id, s)
	b.wait("the row to go", func() bool { return b.status(id).Done == 1 })
}

func TestPauseAndResume(t *testing.T) {
	b := newBench(t, quick).start()
	s := settings(b.path("in"), "es")
	s.Paused = true
	b.write("in/a.txt", "one two")
	id := b.add(s)
	require.Equal(t, api.FolderPaused, b.status(id).State)
	require.Zero(t, b.translator.total())
	require.NoError(t, b.m.Resume(id))
	b.settled(id, 1)
	require.NoError(t, b.m.Pause(id))
	require.Equal(t, api.FolderPaused, b.status(id).State)
	b.write("in/b.txt", "three")
	require.NoError(t, b.m.Resume(id))
	b.settled(id, 2)
	require.NoError(t, b.m.Remove(id))
	require.Empty(t, b.m.Folders())
	require.ErrorIs(t, b.m.Resume(id), api.ErrNotFound)
	require.FileExists(t, b.path("in/translated/b.es.txt"))
}

// F7, F10, F30: what is and what is not an input.
func TestWhatIsInput(t *testing.T) {
	b := newBench(t, quick).start()
	for _, rel := range []string{"~$a.txt", "a.txt~", ".hidden.txt", "b.txt.part", "._a.txt", "skip/a.txt", "draft 1.txt", ".dragoman-1-0123456789abcdef.tmp"} {
		b.write("in/"+rel, "not this")
	}
	b.write("in/a.txt", "one")
	b.write("in/x~$y.txt", "two")
	s := settings(b.path("in"), "es")
	s.Exclude = []string{"skip", "draft*"}
	id := b.add(s)
	b.settled(id, 2)
	require.Equal(t, []string{"a.es.txt", "x~$y.es.txt"}, keys(files(t, b.path("in/translated"))))
	s.Hidden, s.Temp, s.Exclude, s.Include = true, true, nil, []string{"[.d]*.txt"}
	require.NoError(t, b.m.Update(id, s))
	b.settled(id, 4)
	require.Equal(t, []string{".hidden.es.txt", "a.es.txt", "draft 1.es.txt", "x~$y.es.txt"}, keys(files(t, b.path("in/translated"))))
}

// F15 and F16 with a manager: a tree made in one go.
func TestTreesAndLinks(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("secret.txt", "not ours")
	id := b.add(settings(b.path("in"), "es"))
	require.Equal(t, 0, b.status(id).Waiting)
	b.write("new/a/b/c.txt", "deep down")
	require.NoError(t, os.Symlink("c.txt", b.path("new/a/b/link.txt")))
	require.NoError(t, os.Symlink(b.path("secret.txt"), b.path("new/a/out.txt")))
	require.NoError(t, os.Symlink("..", b.path("new/a/up")))
	b.wait("the folder to be missing", func() bool { return b.status(id).State == api.FolderMissing })
	require.NoError(t, os.Rename(b.path("new"), b.path("in")))
	b.settled(id, 2)
	require.Equal(t, map[string]string{"a/b/c.es.txt": "es: down deep", "a/b/link.es.txt": "es: down deep"}, files(t, b.path("in/translated")))
}

// Inputs whose outputs a file system may take for one get two.
func TestNamesThatCollide(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/A.txt", "upper case")
	if exists(b.path("in/a.txt")) {
		t.Skip("names that differ in case are the same here")
	}
	b.write("in/a.txt", "lower case")
	b.write("in/b.es.txt/c.txt", "in a folder with the name of an output")
	b.write("in/d.txt", "an output with the name of a folder")
	s := settings(b.path("in"), "es")
	id := b.add(s)
	b.settled(id, 4)
	b.write("in/b.txt", "its output is a folder for another")
	b.settled(id, 5)
	require.Equal(t, []string{
		"es: another for folder a is output its", "es: case lower", "es: case upper", "es: folder a of name the with output an", "es: output an of name the with folder a in",
	}, values(files(t, b.path("in/translated"))))
	// The other way round there is no name; nothing else is kept back by it.
	b.write("in/d.es.txt/e.txt", "no place")
	b.write("in/last.txt", "x")
	b.settled(id, 6)
	b.wait("the message", func() bool { return len(b.told()) == 1 })
	require.Contains(t, b.firstTold(), "is taken by that of another file: rename it")

	b.restart(id, s)
	b.write("in/new.txt", "x")
	b.settled(id, 7)
	require.Len(t, files(t, b.path("in/translated")), 7)
	require.Equal(t, 7, b.translator.total())
}

func TestOtherFolderAndPattern(t *testing.T) {
	b := newBench(t, quick).start()
	require.NoError(t, os.Mkdir(b.path("out"), 0o755))
	b.write("in/s/a.txt", "one two")
	s := settings(b.path("in"), "es")
	s.Place, s.Output, s.Name = api.PlaceFolder, b.path("out"), "{lang}-{name}{ext}"
	id := b.add(s)
	b.settled(id, 1)
	require.Equal(t, map[string]string{"s/es-a.txt": "es: two one"}, files(t, b.path("out")))

	// Elsewhere now: done again there, and what was written stays.
	s.Place, s.Output = api.PlaceSubfolder, "Spanish"
	require.NoError(t, b.m.Update(id, s))
	b.wait("the new place", func() bool { return exists(b.path("in/Spanish/s/es-a.txt")) })
	b.settled(id, 1)
	require.FileExists(t, b.path("out/s/es-a.txt"))
	require.ErrorContains(t, b.m.Update(id, settings(b.path("else"), "es")), "remove it and add the other")
}

func TestOriginalsAreMovedAway(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/s/a.txt", "one two")
	b.write("in/done/s/a.txt", "an earlier one")
	b.write("in/bad.txt", "please fail")
	b.translator.before = failing
	s := settings(b.path("in"), "es", "fr")
	s.Original = api.OriginalDone
	id := b.add(s)
	b.settled(id, 2)
	b.wait("the bad file", func() bool { return b.status(id).Failed == 2 })
	require.Equal(t, map[string]string{
		"bad.txt": "please fail", "done/s/a.txt": "an earlier one", "done/s/a (2).txt": "one two",
		"translated/s/a.es.txt": "es: two one", "translated/s/a.fr.txt": "fr: two one",
	}, files(t, b.path("in")))

	// The same file again is only moved.
	b.write("in/s/a.txt", "one two")
	b.wait("the original to go", func() bool { return !exists(b.path("in/s/a.txt")) })
	b.settled(id, 2)
	require.Equal(t, 1, b.translator.count("s/a.txt", "es"))
	require.Equal(t, "one two", b.read("in/done/s/a (3).txt"))

	// As an original that a killed process did not get to move.
	b.stop()
	b.write("in/s/a.txt", "one two")
	b.restart(id, s)
	b.wait("the original to go", func() bool { return !exists(b.path("in/s/a.txt")) })
	b.settled(id, 2)
	require.Equal(t, 1, b.translator.count("s/a.txt", "es"))

	// What is in done stays out, also when originals are to stay.
	s.Original = api.OriginalStay
	b.restart(id, s)
	b.write("in/b.txt", "three")
	b.settled(id, 4)
	require.Equal(t, []string{"b.es.txt", "b.fr.txt", "s/a.es.txt", "s/a.fr.txt"}, keys(files(t, b.path("in/translated"))))
}

func TestOriginalsGoToTheBin(t *testing.T) {
	b := newBench(t, quick)
	t.Setenv("XDG_DATA_HOME", b.path("data"))
	b.start()
	b.write("in/a.txt", "one two")
	s := settings(b.path("in"), "es")
	s.Original, s.Place = api.OriginalBin, api.PlaceBeside
	id := b.add(s)
	b.settled(id, 1)
	require.Equal(t, map[string]string{"a.es.txt": "es: two one"}, files(t, b.path("in")))
	if exists(b.path("data/Trash")) {
		require.Equal(t, "one two", b.read("data/Trash/files/a.txt"))
	}
	b.end()
	require.NoError(t, os.RemoveAll(b.path("state"))) // the ledger is lost
	b.openStore()
	b.start()
	id = b.add(s)
	b.write("in/b.txt", "three")
	b.wait("b.txt", func() bool { return exists(b.path("in/b.es.txt")) })
	b.settled(id, 1)
	require.Equal(t, []string{"a.es.txt", "b.es.txt"}, keys(files(t, b.path("in"))))
}

// The lock is that of `dragoman watch`.
func TestOutputFolderIsUsedByAnother(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	lock := takeLock(t, b.path("in/translated"), "es")
	id := b.add(settings(b.path("in"), "es"))
	b.wait("the message", func() bool { return b.status(id).State == api.FolderFailed })
	require.Contains(t, b.status(id).Message, "another dragoman translates into this folder")
	require.NoError(t, lock.Release())
	b.settled(id, 1)
	require.Equal(t, api.FolderWatching, b.status(id).State)
	b.toldOf(2)
	require.Contains(t, b.told()[1], "no longer: ")
}

// F24: the folder goes, comes back, and is replaced.
func TestFolderGoesAndComesBack(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one two")
	id := b.add(settings(b.path("in"), "es"))
	b.settled(id, 1)
	require.NoError(t, os.Rename(b.path("in"), b.path("away")))
	b.wait("the folder to be missing", func() bool { return b.status(id).State == api.FolderMissing })
	require.NoError(t, os.Rename(b.path("away"), b.path("in")))
	b.wait("the folder to be back", func() bool { return b.status(id).State == api.FolderWatching })
	b.write("in/b.txt", "three four")
	b.settled(id, 2)
	require.Equal(t, 1, b.translator.count("a.txt", "es"))

	require.NoError(t, os.RemoveAll(b.path("in")))
	b.wait("the folder to be missing", func() bool { return b.status(id).State == api.FolderMissing })
	b.write("in/c.txt", "five six") // another folder of that name
	b.wait("c.txt", func() bool { return exists(b.path("in/translated/c.es.txt")) })
	require.Equal(t, []string{"c.es.txt"}, keys(files(t, b.path("in/translated"))))
	require.FileExists(t, b.path("in/translated/.dragoman.es.lock"), "marked anew")
}

func TestLeftoversOfKilledProcesses(t *testing.T) {
	b := newBench(t, quick).start()
	b.write("in/a.txt", "one")
	b.write("in/translated/.dragoman-1999999999-0123456789abcdef.tmp", "half")
	b.write("in/done/.dragoman-1999999999-0123456789abcdef.tmp", "half")
	s := settings(b.path("in"), "es")
	s.Original = api.OriginalDone
	id := b.add(s)
	b.settled(id, 1)
	require.Empty(t, temporaries(t, b.dir))
	require.DirExists(t, filepath.Join(b.path("in"), document.DoneDir))
}
