package m2m100

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"dragoman/inference/model"
)

// Variables by which a second process of the test binary is told to prepare a
// checkpoint, and nothing else.
const (
	prepareVariable = "DRAGOMAN_TEST_PREPARE" // the checkpoint
	intoVariable    = "DRAGOMAN_TEST_INTO"    // the folder to be
	pauseVariable   = "DRAGOMAN_TEST_PAUSE"   // at which question of its context it waits
)

// playPreparer is the second process. At its context's n-th question it says
// "here" and waits for the end of its standard input; when it is done it says
// how often the context was asked.
func playPreparer(checkpoint, dir string) error {
	c, err := model.Open(checkpoint)
	if err != nil {
		return err
	}
	defer c.Close()
	recipe, err := ParseRecipe("int8")
	if err != nil {
		return err
	}
	pause, err := strconv.Atoi(os.Getenv(pauseVariable))
	if err != nil {
		return err
	}
	ctx := &askedContext{Context: context.Background(), answer: func(asked int) error {
		if asked != pause {
			return nil
		}
		fmt.Println("here")
		_, err := io.Copy(io.Discard, os.Stdin)
		return err
	}}
	if err := prepare(ctx, c, recipe, nil, 1, dir, nil); err != nil {
		return err
	}
	fmt.Println("asked", ctx.asked)
	return nil
}

// preparer is a running second process.
type preparer struct {
	*exec.Cmd
	in   io.WriteCloser // closing it lets the process go on
	said *bufio.Scanner
}

func startPreparer(t *testing.T, checkpoint, dir string, pause int) preparer {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	p := preparer{Cmd: exec.Command(self)}
	p.Env = append(os.Environ(), prepareVariable+"="+checkpoint, intoVariable+"="+dir, pauseVariable+"="+strconv.Itoa(pause))
	p.Stderr = os.Stderr
	p.in, err = p.StdinPipe()
	require.NoError(t, err)
	out, err := p.StdoutPipe()
	require.NoError(t, err)
	p.said = bufio.NewScanner(out)
	require.NoError(t, p.Start())
	return p
}

// expect reads one line in a format of fmt.Sscanf.
func (p preparer) expect(t *testing.T, format string, into ...any) {
	t.Helper()
	require.True(t, p.said.Scan(), "the process ended early")
	_, err := fmt.Sscanf(p.said.Text(), format, into...)
	require.NoError(t, err, p.said.Text())
}

// wholeFolder prepares a checkpoint in this process and tells what it holds and
// how often the context was asked meanwhile.
func wholeFolder(t *testing.T, c *model.Checkpoint) (want map[string]string, asked int) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "prepared")
	ctx := &askedContext{Context: t.Context(), answer: func(int) error { return nil }}
	require.NoError(t, prepareInt8(ctx, t, c, dir))
	return contents(t, dir), ctx.asked
}

// TestTwoProcessesPrepareOnce: the first is held in the middle until the second
// has come to the lock.
func TestTwoProcessesPrepareOnce(t *testing.T) {
	c := smallCheckpoint(t)
	want, questions := wholeFolder(t, c)
	parent := t.TempDir()
	dir := filepath.Join(parent, "prepared")
	first := startPreparer(t, c.Dir, dir, questions/2)
	first.expect(t, "here")
	second := startPreparer(t, c.Dir, dir, 2) // its second question is after a vain try for the lock
	second.expect(t, "here")
	require.NoError(t, second.in.Close())
	require.NoError(t, first.in.Close())
	var asked int
	first.expect(t, "asked %d", &asked)
	require.Equal(t, questions, asked)
	second.expect(t, "asked %d", &asked)
	require.Less(t, asked, questions/2, "the second only waited")
	require.NoError(t, first.Wait())
	require.NoError(t, second.Wait())
	requireSame(t, want, contents(t, dir))
	require.ElementsMatch(t, []string{"prepared", "prepared.lock"}, names(t, parent))
}

// TestKilledPreparerLeavesNothingThatIsUsed kills in the middle of the weights,
// and, in the last rounds, wherever the process is after its last question:
// at the graphs, the manifest, or the folder's name.
func TestKilledPreparerLeavesNothingThatIsUsed(t *testing.T) {
	c := smallCheckpoint(t)
	want, questions := wholeFolder(t, c)
	parent := t.TempDir()
	dir := filepath.Join(parent, "prepared")
	const rounds, stalled = 10, 7
	for round := range rounds {
		last := round >= stalled
		pause := 2 + round*(questions-2)/stalled
		if last {
			pause = questions
		}
		p := startPreparer(t, c.Dir, dir, pause)
		if last {
			require.NoError(t, p.in.Close()) // it does not wait
		}
		p.expect(t, "here")
		require.NoError(t, p.Process.Kill())
		_ = p.Wait() // it was killed, or was quicker
		if !last {
			require.False(t, complete(dir, recipeOf(t, "int8")))
			require.NoDirExists(t, dir)
			require.Len(t, names(t, parent), 2, "the lock, and one unfinished folder: the next process removes the one before")
			continue
		}
		if complete(dir, recipeOf(t, "int8")) {
			requireSame(t, want, contents(t, dir))
			require.NoError(t, os.RemoveAll(dir))
		} else {
			require.NoDirExists(t, dir)
		}
	}
	require.NoError(t, prepareInt8(t.Context(), t, c, dir))
	requireSame(t, want, contents(t, dir))
	require.ElementsMatch(t, []string{"prepared", "prepared.lock"}, names(t, parent), "what the killed ones left is gone")
}
