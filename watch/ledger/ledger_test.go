package ledger

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch/document"
)

// place is a drop folder with its output folder.
type place struct {
	t       *testing.T
	in, out string
}

func newPlace(t *testing.T) place {
	in := t.TempDir()
	return place{t: t, in: in, out: filepath.Join(in, "translated")}
}

func (p place) open(recipe string) *Ledger {
	p.t.Helper()
	l, err := Open(p.out, "es", recipe)
	require.NoError(p.t, err)
	p.t.Cleanup(func() { l.Close() })
	return l
}

func (p place) write(rel, content string) string {
	p.t.Helper()
	path := filepath.Join(p.in, filepath.FromSlash(rel))
	require.NoError(p.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// translate does what a worker does.
func (p place) translate(l *Ledger, rel string) string {
	p.t.Helper()
	out, err := l.Output(rel)
	require.NoError(p.t, err)
	text, err := document.ReadText(filepath.Join(p.in, filepath.FromSlash(rel)))
	require.NoError(p.t, err)
	require.NoError(p.t, document.MakeFolders(p.out, rel))
	require.NoError(p.t, document.WriteAtomic(out, []byte(strings.ToUpper(text.Body)), text.Mode))
	require.NoError(p.t, l.Record(rel, text.Stamp))
	return out
}

func (p place) upToDate(l *Ledger, rel string) bool {
	p.t.Helper()
	ok, err := l.UpToDate(p.t.Context(), rel, filepath.Join(p.in, filepath.FromSlash(rel)))
	require.NoError(p.t, err)
	return ok
}

// F8: a restart does nothing twice and sees what changed meanwhile.
func TestRestart(t *testing.T) {
	p := newPlace(t)
	for _, rel := range []string{"same.txt", "sub/same.txt", "longer.txt", "edited.txt", "touched.txt", "lost.txt", "new.txt"} {
		p.write(rel, "content of "+rel)
	}
	l := p.open("m1")
	var lost string
	for _, rel := range []string{"same.txt", "sub/same.txt", "longer.txt", "edited.txt", "touched.txt", "lost.txt"} {
		require.False(t, p.upToDate(l, rel))
		lost = p.translate(l, rel)
		require.True(t, p.upToDate(l, rel))
	}
	require.NoError(t, l.Close())

	old := time.Now().Add(-1000 * time.Hour)
	p.write("longer.txt", "more content")
	edited := p.write("edited.txt", "CONTENT of edited.txt") // the same size, and an old time
	require.NoError(t, os.Chtimes(edited, old, old))
	require.NoError(t, os.Chtimes(filepath.Join(p.in, "touched.txt"), old, old))
	require.NoError(t, os.Remove(lost))

	for range 2 { // what was found out by hashing is remembered too
		l = p.open("m1")
		for rel, want := range map[string]bool{
			"same.txt": true, "sub/same.txt": true, "touched.txt": true,
			"longer.txt": false, "edited.txt": false, "lost.txt": false, "new.txt": false,
		} {
			require.Equal(t, want, p.upToDate(l, rel), rel)
		}
		require.Zero(t, l.Damaged())
		require.NoError(t, l.Close())
	}
	info, err := os.Stat(filepath.Join(p.in, "touched.txt"))
	require.NoError(t, err)
	l = p.open("m1")
	require.Equal(t, info.ModTime().UnixNano(), l.entries["touched.txt"].MTime)
	require.NoError(t, l.Close())

	l = p.open("m2")
	require.False(t, p.upToDate(l, "same.txt"), "another recipe")
	_, err = l.UpToDate(t.Context(), "same.txt", filepath.Join(p.in, "missing.txt"))
	require.NoError(t, err, "the recipe decides before the file is looked at")
}

func TestDamageIsWorkToDoAgain(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "a")
	p.write("b.txt", "b")
	l := p.open("")
	p.translate(l, "a.txt")
	p.translate(l, "b.txt")
	require.NoError(t, l.Close())
	file := filepath.Join(p.out, ".dragoman.es.jsonl")
	good, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.SplitAfter(string(good), "\n")

	for name, c := range map[string]struct {
		content string
		a, b    bool
		damaged int
	}{
		"whole":              {string(good), true, true, 0},
		"empty":              {"", false, false, 0},
		"cut line":           {string(good[:len(good)-10]), true, false, 1},
		"only the end cut":   {string(good[:len(good)-1]), true, true, 1},
		"binary":             {"\x00\x01\x02\xFF" + strings.Repeat("\x00", 5000), false, false, 1},
		"zeros, then a line": {strings.Repeat("\x00", 50) + "\n" + lines[1], false, true, 1},
		"other version":      {strings.Replace(lines[0], `"v":1`, `"v":2`, 1) + lines[1], false, true, 1},
		"outside the folder": {strings.Replace(lines[0], "a.es.txt", "../../a.es.txt", 1) + lines[1], false, true, 1},
		"joined lines":       {strings.TrimSpace(lines[0]) + lines[1], false, false, 1},
	} {
		require.NoError(t, os.WriteFile(file, []byte(c.content), 0o600), name)
		l := p.open("")
		require.Equal(t, c.damaged, l.Damaged(), name)
		require.Equal(t, c.a, p.upToDate(l, "a.txt"), name)
		require.Equal(t, c.b, p.upToDate(l, "b.txt"), name)
		p.translate(l, "a.txt")
		require.NoError(t, l.Close())

		l = p.open("") // written anew: whole, and what was added since is in it
		require.Zero(t, l.Damaged(), name)
		require.True(t, p.upToDate(l, "a.txt"), name)
		require.NoError(t, l.Close())
	}
}

func TestSupersededLinesAreDropped(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "a")
	l := p.open("")
	for range 300 {
		p.translate(l, "a.txt")
	}
	require.NoError(t, l.Close())
	l = p.open("")
	raw, err := os.ReadFile(l.file)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(raw), "\n"))
	require.True(t, p.upToDate(l, "a.txt"))
}

// Two inputs never share an output, whatever the file system takes for equal.
func TestOutputsStayApart(t *testing.T) {
	p := newPlace(t)
	l := p.open("")
	var outs []string
	for _, rel := range []string{"a.txt", "a.TXT", "A.txt", "caf\u00e9.txt", "cafe\u0301.txt", "sub/a.txt", "SUB/a.txt", "b.es.txt/c.txt", "b.txt"} {
		out, err := l.Output(rel)
		require.NoError(t, err, rel)
		again, err := l.Output(rel)
		require.NoError(t, err)
		require.Equal(t, out, again)
		for _, other := range outs {
			require.NotEqual(t, fold(other), fold(out))
		}
		outs = append(outs, out)
	}
	require.Equal(t, filepath.Join(p.out, "a.es.txt"), outs[0])
	require.NotEqual(t, filepath.Join(p.out, "a.es.TXT"), outs[1])
	require.Equal(t, filepath.Join(p.out, "sub", "a.es.txt"), outs[5])
	require.NotEqual(t, filepath.Join(p.out, "b.es.txt"), outs[8], "a folder has that name")

	_, err := l.Output("d.txt")
	require.NoError(t, err)
	_, err = l.Output("d.es.txt/e.txt")
	require.ErrorContains(t, err, "rename it")
	_, err = l.Output("../a.txt")
	require.Error(t, err)
}

// A collision is decided once, also after a restart in another order.
func TestDistinctOutputIsRemembered(t *testing.T) {
	p := newPlace(t)
	l := p.open("")
	p.write("Sub/a.txt", "x")
	_, err := l.Output("sub/a.txt")
	require.NoError(t, err)
	first := p.translate(l, "Sub/a.txt")
	require.Contains(t, first, "~")
	require.NoError(t, l.Close())
	l = p.open("")
	again, err := l.Output("Sub/a.txt")
	require.NoError(t, err)
	require.Equal(t, first, again)
}

func TestNamesThatAreNotUTF8(t *testing.T) {
	e := entry{SHA256: strings.Repeat("0", 64), Output: "b\xFE.es.txt", Size: 3, MTime: 4}
	line, err := e.line("a\xFF.txt")
	require.NoError(t, err)
	entries, lines, damaged := parse(line)
	require.Equal(t, 1, lines)
	require.Zero(t, damaged)
	require.Equal(t, map[string]entry{"a\xFF.txt": e}, entries)
}

func TestOneProcessAFolderAndLanguage(t *testing.T) {
	p := newPlace(t)
	l := p.open("")
	_, err := Open(p.out, "es", "")
	require.ErrorIs(t, err, ErrBusy)
	other, err := Open(p.out, "de", "")
	require.NoError(t, err)
	require.NoError(t, other.Close())
	require.NoError(t, l.Close())
	p.open("")
}

// F25: told by Open, once, before any file. A file in the folder's place serves
// where the tests run as a user who may write everywhere.
func TestOpenTellsWhatCannotBeWritten(t *testing.T) {
	p := newPlace(t)
	require.NoError(t, os.WriteFile(p.out, []byte("mine"), 0o644))
	_, err := Open(p.out, "es", "")
	var write *document.WriteError
	require.ErrorAs(t, err, &write)
	require.Equal(t, p.out, write.Dir)
	content, err := os.ReadFile(p.out)
	require.NoError(t, err)
	require.Equal(t, "mine", string(content))

	_, err = Open(filepath.Join(p.in, "missing", "translated"), "es", "")
	require.ErrorIs(t, err, os.ErrNotExist)
	_, err = Open(p.in, "../x", "")
	require.ErrorContains(t, err, "language code")
}

// Writing fails while running: an error for the folder, and no half line.
func TestRecordAfterTheFolderIsGone(t *testing.T) {
	p := newPlace(t)
	p.write("a.txt", "a")
	l := p.open("")
	p.translate(l, "a.txt")
	require.NoError(t, os.RemoveAll(p.out))
	var write *document.WriteError
	require.ErrorAs(t, l.Record("a.txt", document.Stamp{}), &write)
	require.False(t, p.upToDate(l, "a.txt"))
	p.translate(l, "a.txt") // makes the folder anew
	require.True(t, p.upToDate(l, "a.txt"))
}
