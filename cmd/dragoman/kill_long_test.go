//go:build long && unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A watch that is killed at any moment leaves whole outputs only, and who
// starts next finishes the work.
func TestKilledWatchLeavesNoPartialOutput(t *testing.T) {
	const files, kills = 40, 50
	c := newCommand(t)
	text := sentences(5 * files)
	for i := range files {
		body := strings.Join(text[5*i:5*i+5], "\r\n\r\n")
		c.write(fmt.Sprintf("reference/%02d.txt", i), body)
		c.write(fmt.Sprintf("inbox/%02d.txt", i), body)
	}
	inbox, out := filepath.Join(c.dir, "inbox"), filepath.Join(c.dir, "inbox", "translated")

	begun := time.Now()
	w := c.startWatch("--to", "es", "reference")
	w.waitFor(w.stdout, " -> ")
	untilFirst := time.Since(begun)
	for strings.Count(w.stdout.String(), "\n") < files {
		time.Sleep(5 * time.Millisecond)
		require.Less(t, time.Since(begun), patience, "%s", w.stderr)
	}
	aFile := (time.Since(begun) - untilFirst) / (files - 1)
	require.Equal(t, exitOK, w.stop(syscall.SIGTERM).code)
	want := outputs(t, filepath.Join(c.dir, "reference", "translated"))
	require.Len(t, want, files)
	inputs := statesOf(t, inbox)

	random := rand.New(rand.NewPCG(1, 2))
	var working, midWrite, idle, early int
	for i := range kills {
		before, leftovers := outputs(t, out), temporaries(t, out, nil)
		p := c.start("watch", "--to", "es", "inbox")
		switch i % 3 {
		case 0: // any moment, the start included
			time.Sleep(time.Duration(random.Int64N(int64(untilFirst + 5*aFile))))
		case 1: // while files are translated
			p.waitFor(p.stdout, " -> ")
			time.Sleep(time.Duration(random.Int64N(int64(5 * aFile))))
		case 2: // while one is written, which is too short to be met by chance
			p.waitFor(p.stdout, " -> ")
			for len(temporaries(t, out, leftovers)) == 0 {
				require.Less(t, time.Since(begun), 10*patience, "%s", p.stderr)
			}
		}
		require.Equal(t, -1, p.stop(syscall.SIGKILL).code, "%s", p.stderr)
		after := outputs(t, out)
		for name, content := range after {
			require.Equal(t, want[name], content, name)
		}
		require.Equal(t, inputs, statesOf(t, inbox), "inputs are never changed")
		if len(temporaries(t, out, leftovers)) > 0 {
			midWrite++
		}
		switch {
		case len(after) == files:
			idle++
		case strings.Contains(p.stdout.String(), " -> ") || len(after) > len(before):
			working++
		default:
			early++
		}
		leaveWork(t, random, out, after)
	}
	t.Logf("of %d kills %d came while files were translated, %d of all with an output half-written, %d before the first was done, %d after the last",
		kills, working, midWrite, early, idle)
	require.Greater(t, working, kills/2, "the kills must hit the work")
	require.Positive(t, midWrite, "and the writing")

	p := c.startWatch("--to", "es", "inbox")
	require.Eventually(t, func() bool { return len(visible(t, out)) == files }, patience, 10*time.Millisecond)
	require.Equal(t, exitOK, p.stop(syscall.SIGTERM).code)
	require.Equal(t, want, outputs(t, out))
	require.Empty(t, temporaries(t, out, nil), "the next start cleans up")
	require.Equal(t, inputs, statesOf(t, inbox))
}

// leaveWork takes outputs away, and sometimes the ledger or its end, as a user
// or a full disk might, so that the next start has at least half of the files
// to translate.
func leaveWork(t *testing.T, random *rand.Rand, out string, done map[string]string) {
	t.Helper()
	left := len(done)
	for name := range done {
		if left <= 20 {
			break
		}
		require.NoError(t, os.Remove(filepath.Join(out, name)))
		left--
	}
	ledger := filepath.Join(out, ".dragoman.es.jsonl")
	info, err := os.Stat(ledger)
	if err != nil {
		return // killed before the first was done
	}
	switch random.IntN(4) {
	case 0:
		require.NoError(t, os.Remove(ledger))
	case 1:
		require.NoError(t, os.Truncate(ledger, random.Int64N(info.Size()+1)))
	}
}

// outputs are the files that a user sees in the output folder.
func outputs(t *testing.T, dir string) map[string]string {
	t.Helper()
	contents := map[string]string{}
	if _, err := os.Stat(dir); err != nil {
		return contents // not made yet
	}
	for _, name := range visible(t, dir) {
		content, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		contents[name] = string(content)
	}
	return contents
}

// temporaries are the unfinished outputs in dir without those known already.
func temporaries(t *testing.T, dir string, known []string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".dragoman-*"))
	require.NoError(t, err)
	return slices.DeleteFunc(found, func(name string) bool { return slices.Contains(known, name) })
}
