package folder

import (
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// These tests work on real folders in fake time, without a watcher.
func inFakeTime(t *testing.T, o Options, test func(t *testing.T, r *running)) {
	t.Helper()
	o.Root = t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		test(t, start(t, o, scanning))
	})
}

// F1: hundreds of writes over 30 s are one job, after the last.
func TestGrowingFileIsOneJob(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		f, err := os.Create(r.path("big.txt"))
		require.NoError(t, err)
		for range 300 {
			_, err := f.Write(make([]byte, 350_000))
			require.NoError(t, err)
			require.Empty(t, r.after(100*time.Millisecond))
		}
		require.NoError(t, f.Close())
		require.Equal(t, []string{"settled big.txt"}, r.after(2*time.Second))
		require.Empty(t, r.after(time.Hour))
	})
}

// F3: bursts with pauses shorter than the quiet period are one job, a burst
// after it is another.
func TestBurstsAreOneJob(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		for burst := range 4 {
			require.NoError(t, os.WriteFile(r.path("a.txt"), make([]byte, 1000+burst), 0o644))
			require.Empty(t, r.after(800*time.Millisecond))
		}
		require.Equal(t, []string{"settled a.txt"}, r.after(10*time.Second))
		require.NoError(t, os.WriteFile(r.path("a.txt"), make([]byte, 2000), 0o644))
		require.Equal(t, []string{"settled a.txt"}, r.after(10*time.Second))
	})
}

func TestOddTimesAndSizesSettle(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		r.write("empty.txt", "")
		r.write("future.txt", "x")
		r.write("past.txt", "x")
		future := time.Date(2199, 1, 1, 0, 0, 0, 0, time.UTC)
		require.NoError(t, os.Chtimes(r.path("future.txt"), future, future))
		require.NoError(t, os.Chtimes(r.path("past.txt"), time.Unix(0, 0), time.Unix(0, 0)))
		require.ElementsMatch(t, []string{"settled empty.txt", "settled future.txt", "settled past.txt"}, r.after(10*time.Second))

		// Changed back to an older time: still a change.
		require.NoError(t, os.Chtimes(r.path("future.txt"), time.Unix(1, 0), time.Unix(1, 0)))
		require.Equal(t, []string{"settled future.txt"}, r.after(10*time.Second))
	})
}

// F7 and F12 on a disk; then the download is finished by a rename.
func TestOnlyInputsAreTaken(t *testing.T) {
	o := Options{Recursive: true, Skip: []string{"dragoman.log"}}
	inFakeTime(t, o, func(t *testing.T, r *running) {
		for _, rel := range []string{
			"~$a.docx", ".~lock.a.odt#", "a.txt.crdownload", "b.txt.part", "a.temp", ".~a", "~WRL0001.tmp", "Thumbs.db",
			".DS_Store", "desktop.ini", "._a.txt", "translated/a.es.txt", "translated/sub/b.es.txt",
			".dragoman-1-0123456789abcdef.tmp", "dragoman.log", ".git/config.txt", "x~$y.md",
		} {
			r.write(rel, "x")
		}
		require.Equal(t, []string{"settled x~$y.md"}, r.after(10*time.Second))
		require.NoError(t, os.Rename(r.path("a.txt.crdownload"), r.path("a.txt")))
		require.Equal(t, []string{"settled a.txt"}, r.after(10*time.Second))
		r.write("translated/a.es.txt", "changed")
		r.write("dragoman.log", "changed")
		require.Empty(t, r.after(time.Hour))
	})
}

func TestGoneAndBack(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		r.write("a.txt", "x")
		require.Equal(t, []string{"settled a.txt"}, r.after(10*time.Second))
		require.NoError(t, os.Rename(r.path("a.txt"), r.path("b.txt")))
		require.ElementsMatch(t, []string{"gone a.txt", "settled b.txt"}, r.after(10*time.Second))
		require.NoError(t, os.Remove(r.path("b.txt")))
		require.NoError(t, os.Mkdir(r.path("b.txt"), 0o755)) // a folder takes its place
		require.Equal(t, []string{"gone b.txt"}, r.after(10*time.Second))
		r.write("short.txt", "x")
		require.Empty(t, r.after(200*time.Millisecond))
		require.NoError(t, os.Remove(r.path("short.txt")))
		require.Empty(t, r.after(time.Minute), "never told, so never gone")
	})
}

func TestRescanTellsAllAgain(t *testing.T) {
	inFakeTime(t, Options{}, func(t *testing.T, r *running) {
		r.write("a.txt", "x")
		r.write("b.txt", "x")
		require.Len(t, r.after(10*time.Second), 2)
		require.Empty(t, r.after(10*time.Minute))
		r.f.Rescan()
		require.ElementsMatch(t, []string{"settled a.txt", "settled b.txt"}, r.after(2*time.Second))
	})
}

func TestAcceptAndFlatFolder(t *testing.T) {
	o := Options{Accept: func(rel string) bool { return filepath.Ext(rel) == ".txt" }}
	inFakeTime(t, o, func(t *testing.T, r *running) {
		r.write("a.txt", "x")
		r.write("a.mp4", "x")
		r.write("sub/b.txt", "x")
		require.Equal(t, []string{"settled a.txt"}, r.after(time.Minute))
	})
}

// F24: told once, nothing is gone, and it goes on when the folder is back.
func TestMissingRootIsToldOnceAndComesBack(t *testing.T) {
	parent := t.TempDir()
	root := filepath.Join(parent, "drop")
	synctest.Test(t, func(t *testing.T) {
		r := start(t, Options{Root: root}, scanning)
		require.ErrorIs(t, r.f.Check(), ErrMissing)
		require.Empty(t, r.after(time.Hour))
		told, over := r.problems()
		require.Len(t, told, 1)
		require.Contains(t, told[0], root)
		require.Empty(t, over)

		require.NoError(t, os.Mkdir(root, 0o755))
		r.write("a.txt", "x")
		require.Equal(t, []string{"settled a.txt"}, r.after(time.Minute))
		_, over = r.problems()
		require.Len(t, over, 1)
		require.NoError(t, r.f.Check())

		require.NoError(t, os.Rename(root, root+" away"))
		require.Empty(t, r.after(time.Hour))
		require.NoError(t, os.WriteFile(root, []byte("a file in its place"), 0o644))
		require.Empty(t, r.after(time.Hour))
		require.Error(t, r.f.Check())
		require.NoError(t, os.Remove(root))
		require.NoError(t, os.Rename(root+" away", root))
		r.write("b.txt", "x")
		require.Equal(t, []string{"settled b.txt"}, r.after(time.Minute))
	})
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	root := t.TempDir()
	file := filepath.Join(root, "file.txt")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	for name, o := range map[string]Options{
		"no root":             {},
		"a file":              {Root: file},
		"output is the root":  {Root: root, OutputDir: "."},
		"output holds it":     {Root: root, OutputDir: ".."},
		"output holds it abs": {Root: filepath.Join(root, "sub"), OutputDir: root},
	} {
		_, err := New(o)
		require.Error(t, err, name)
	}
	f, err := New(Options{Root: root, OutputDir: filepath.Join(root, "out"), Skip: []string{filepath.Join(root, "log")}})
	require.NoError(t, err)
	require.Equal(t, root, f.Root())
	require.Subset(t, f.rules.Skip, []string{"out", "log"})
}

// An output folder given by another path than the root's still is excluded.
func TestOutputDirThroughALink(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "real"), 0o755))
	if err := os.Symlink("real", filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	f, err := New(Options{Root: filepath.Join(dir, "link"), OutputDir: filepath.Join(dir, "real", "out")})
	require.NoError(t, err)
	require.Equal(t, "excluded", f.rules.Ignored("out/a.txt"))
}
