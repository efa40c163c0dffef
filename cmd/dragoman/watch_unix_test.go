//go:build unix

package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fileState is what must stay the same of an input.
type fileState struct {
	content string
	mtime   time.Time
	mode    os.FileMode
}

func stateOf(t *testing.T, path string) fileState {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	return fileState{string(content), info.ModTime(), info.Mode()}
}

func statesOf(t *testing.T, dir string) map[string]fileState {
	t.Helper()
	states := map[string]fileState{}
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range entries {
		if e.Type().IsRegular() {
			states[e.Name()] = stateOf(t, filepath.Join(dir, e.Name()))
		}
	}
	return states
}

func TestWatchTranslatesWhatIsDropped(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	inbox := filepath.Join(c.dir, "inbox")
	require.NoError(t, os.Mkdir(inbox, 0o755))
	c.write("inbox/translated/old.txt", "This is an output.\n")
	w := c.startWatch("--from", "en", "--to", "es", "inbox")

	c.write("inbox/0 bad.txt", "abc\x00") // the first by name
	c.write("inbox/meeting.txt", "Good morning!\r\nThe meeting starts at ten o'clock.\r\n")
	c.write("inbox/list.TXT", "- two bottles of milk\n\n- 42\n")
	require.NoError(t, os.Chmod(c.write("inbox/Grüße.txt", "Please open the settings."), 0o600))
	for _, ignored := range []string{".hidden.txt", "~$meeting.txt", "draft.txt~", "draft.tmp", "half.txt.part", "picture.png", ".dragoman-x.txt"} {
		c.write("inbox/"+ignored, "Good night.\n")
	}
	before := statesOf(t, inbox)
	for _, name := range []string{"meeting", "list", "Grüße"} {
		w.waitFor(w.stdout, name)
	}
	w.waitFor(w.stderr, "0 bad.txt")
	c.write("inbox/last.txt", "Thank you very much.\n")
	w.waitFor(w.stdout, "last.txt -> ")
	before["last.txt"] = stateOf(t, filepath.Join(inbox, "last.txt"))
	o := w.stop(syscall.SIGTERM)

	require.Equal(t, exitOK, o.code, "stopping is how a watch ends")
	require.Equal(t, before, statesOf(t, inbox), "inputs are never changed")
	require.Equal(t, []string{"Grüße.es.txt", "last.es.txt", "list.es.TXT", "meeting.es.txt", "old.txt"},
		visible(t, filepath.Join(inbox, "translated")))
	require.Equal(t, 4, strings.Count(o.stdout, "\n"), "one line a file: %q", o.stdout)
	require.Contains(t, o.stdout, "last.txt -> "+filepath.Join(inbox, "translated", "last.es.txt")+" (")
	bad := filepath.Join(inbox, "0 bad.txt")
	require.Regexp(t, `^Watching `+inbox+`: .*\ndragoman: `+bad+` is not UTF-8 text: byte 0x00 at offset 3; .*\n$`, o.stderr)

	for _, name := range []string{"meeting", "Grüße", "last"} {
		require.Equal(t, c.succeeds("translate", "--to", "es", "inbox/"+name+".txt"), c.read("inbox/translated/"+name+".es.txt"))
	}
	require.Equal(t, os.FileMode(0o600), stateOf(t, filepath.Join(inbox, "translated", "Grüße.es.txt")).mode, "a private text stays private")
	for _, name := range list(t, filepath.Join(inbox, "translated")) {
		require.False(t, strings.HasSuffix(name, ".tmp"), name)
	}
}

func TestWatchRestarted(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.write("inbox/a.txt", "Good morning.\n")
	c.write("inbox/sub/b.txt", "Good night.\n")
	args := []string{"--to", "de", "--recursive", "--output", "out", "inbox"}
	w := c.startWatch(args...)
	w.waitFor(w.stdout, "a.txt -> ")
	w.waitFor(w.stdout, "sub/b.txt -> ")
	require.Equal(t, exitOK, w.stop(syscall.SIGINT).code)
	out := filepath.Join(c.dir, "inbox", "out")
	require.Equal(t, []string{"a.de.txt", "sub"}, visible(t, out))
	a, b := stateOf(t, filepath.Join(out, "a.de.txt")), stateOf(t, filepath.Join(out, "sub", "b.de.txt"))

	c.write("inbox/dropped while stopped.txt", "Thank you.\n")
	w = c.startWatch(args...)
	w.waitFor(w.stdout, "dropped while stopped.txt -> ")
	// Files are worked on in the order in which they are found, so that all that
	// were there at the start have had their turn before this one.
	c.write("inbox/dropped while watching.txt", "Please close the window.\n")
	w.waitFor(w.stdout, "dropped while watching.txt -> ")
	require.Equal(t, a, stateOf(t, filepath.Join(out, "a.de.txt")), "not written again")
	require.Equal(t, b, stateOf(t, filepath.Join(out, "sub", "b.de.txt")))
	require.Equal(t, 2, strings.Count(w.stdout.String(), "\n"), "nothing else was done: %q", w.stdout)

	c.write("inbox/a.txt", "The weather is nice today.\n")
	w.waitFor(w.stdout, "a.txt -> ")
	require.Contains(t, c.read("inbox/out/a.de.txt"), "Wetter")
	o := w.stop(syscall.SIGTERM)
	require.Equal(t, exitOK, o.code)
	require.Equal(t, 3, strings.Count(o.stdout, "\n"))

	// From another language everything is to be translated anew.
	w = c.startWatch(append([]string{"--from", "fr"}, args...)...)
	w.waitFor(w.stdout, "a.txt -> ")
	w.waitFor(w.stdout, "sub/b.txt -> ")
	require.Equal(t, exitOK, w.stop(syscall.SIGTERM).code)
}

func TestWatchIsTakenOnce(t *testing.T) {
	t.Parallel()
	c := newCommand(t)
	c.write("inbox/a.txt", "Good morning.\n")
	w := c.startWatch("--to", "de", "inbox")
	w.waitFor(w.stdout, "a.txt -> ")
	o := c.run("watch", "--to", "de", "inbox")
	require.Equal(t, exitFailed, o.code)
	require.Empty(t, o.stdout)
	require.Regexp(t, `^dragoman: .*another dragoman translates into this folder to "de"; stop it first\n$`, o.stderr)
	// Another language is another ledger, and the first one's outputs are no inputs.
	french := c.startWatch("--to", "fr", "inbox")
	french.waitFor(french.stdout, "a.txt -> ")
	require.Equal(t, exitOK, french.stop(syscall.SIGTERM).code)
	require.Equal(t, exitOK, w.stop(syscall.SIGTERM).code)
	require.Equal(t, []string{"a.de.txt", "a.fr.txt"}, visible(t, filepath.Join(c.dir, "inbox", "translated")))
}
