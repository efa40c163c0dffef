//go:build unix

package main

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
)

// A daemon that is killed at any moment while files are dropped, and started
// again, has in the end translated each once.
func TestKilledDaemonLosesNothing(t *testing.T) {
	for round := range rounds {
		t.Run(fmt.Sprint("round ", round), func(t *testing.T) {
			k := newKilling(t, uint64(round))
			k.cut(killsARound)
			k.finish()
		})
	}
}

// drops is how many files are dropped in a round.
const drops = 300

// killing is one round.
type killing struct {
	*home
	random *rand.Rand
	inputs map[string]input  // by path below the drop folder
	want   map[string]string // outputs, by path below its folder
	start  time.Duration     // that a start takes until the model is there
	cache  []string
	counts map[string]int // kills by what was going on
}

// input is what must not change of a file.
type input struct {
	content string
	changed time.Time
	mode    os.FileMode
}

func newKilling(t *testing.T, seed uint64) *killing {
	k := &killing{
		home: newHome(t, ""), random: rand.New(rand.NewPCG(2, seed)),
		inputs: map[string]input{}, want: map[string]string{}, counts: map[string]int{},
	}
	p := k.launch().answering()
	k.succeeds("folders", "add", "--from", "en", "--to", "es", "--recursive", "inbox")
	p.warm().stop()
	begun := time.Now()
	p = k.launch().warm()
	k.start = time.Since(begun)
	p.stop()
	k.cache = tree(t, shared.cache)
	return k
}

// cut drops the files in as many portions as there are kills.
func (k *killing) cut(kills int) {
	t := k.t
	for i := range kills {
		portion := drops*(i+1)/kills - len(k.inputs)
		early := k.random.IntN(portion + 1)
		if i%3 == 2 {
			early = 0
		}
		left := temporaries(t, k.path("inbox"))
		k.drop(early)
		p := k.launch()
		moment := k.random.Int64N(int64(k.start * 3 / 2))
		switch i % 3 {
		case 0: // any moment, the start included
			k.drop(portion - early)
			time.Sleep(time.Duration(moment))
		case 1: // while files are dropped and translated
			p.warm()
			k.drop(portion - early)
			time.Sleep(time.Duration(moment / 4))
		case 2: // while one is written, which is too short to be met by chance
			p.warm()
			k.drop(portion)
			for len(temporaries(t, k.path("inbox"))) <= len(left) && !k.allThere() {
			}
		}
		if i%3 != 2 { // there is no time to ask
			k.counts[k.doing()]++
		}
		p.kill()
		if slices.ContainsFunc(temporaries(t, k.path("inbox")), func(name string) bool { return !slices.Contains(left, name) }) {
			k.counts["with an output half-written"]++
		}
		k.checkWhole()
	}
}

// drop puts more files in, at once as a file manager does, with times of their
// own. Some names are the same in several folders.
func (k *killing) drop(files int) {
	for range files {
		n := len(k.inputs)
		rel := []string{"", "letters/", "letters/old/", "notes/"}[n%4] + fmt.Sprintf("note %d.txt", n/3)
		lines := []int{0, 1, 1, 1, 1, 1, 2, 3, 5, 50}[k.random.IntN(10)]
		var text strings.Builder
		for range lines {
			// Most sentences come again, two in a portion are new.
			fmt.Fprintf(&text, "The house number %d is big.\r\n", k.random.IntN(2+n/8))
		}
		was := input{text.String(), time.Unix(1_000_000_000+int64(n), 0), 0o640}
		outside, path := k.path("outside"), k.path("inbox/"+rel)
		require.NoError(k.t, os.WriteFile(outside, []byte(was.content), was.mode))
		require.NoError(k.t, os.Chmod(outside, was.mode))
		require.NoError(k.t, os.Chtimes(outside, was.changed, was.changed))
		require.NoError(k.t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(k.t, os.Rename(outside, path))
		require.NotContains(k.t, k.inputs, rel)
		k.inputs[rel] = was
		k.want[strings.TrimSuffix(rel, ".txt")+".es.txt"] = undisturbed(k.t, "es", was.content)
	}
}

// doing says what the daemon is doing.
func (k *killing) doing() string {
	ctx, cancel := context.WithTimeout(k.t.Context(), time.Second)
	defer cancel()
	now, err := k.client().Status(ctx)
	switch {
	case err != nil:
		return "starting"
	case now.State == api.StateWarming:
		return "warming up"
	case now.Queue.Running > 0:
		return "translating"
	case now.Folders[0].Status.Waiting > 0:
		return "between files"
	}
	return "waiting for files"
}

func (k *killing) allThere() bool {
	for rel := range k.want {
		if _, err := os.Lstat(k.path("inbox/translated/" + rel)); err != nil {
			return false
		}
	}
	return true
}

// checkWhole holds at any time: inputs are as they were, and whatever output is
// there is whole and right.
func (k *killing) checkWhole() {
	t := k.t
	outputs := map[string]string{}
	inputs := map[string]input{}
	for _, rel := range tree(t, k.path("inbox")) {
		if strings.HasSuffix(rel, "/") || strings.Contains(rel, "/.dragoman") {
			continue
		}
		info, err := os.Lstat(k.path("inbox/" + rel))
		require.NoError(t, err)
		if output, ok := strings.CutPrefix(rel, "translated/"); ok {
			outputs[output] = k.read("inbox/" + rel)
			require.Equal(t, k.want[output], outputs[output], output)
			continue
		}
		inputs[rel] = input{k.read("inbox/" + rel), info.ModTime(), info.Mode()}
	}
	require.Equal(t, k.inputs, inputs)
}

// finish lets the daemon do the rest and looks at everything that is there.
func (k *killing) finish() {
	t := k.t
	t.Logf("kills by what was going on: %v", k.counts)
	require.Positive(t, k.counts["translating"], "the kills must hit the work")
	require.Positive(t, k.counts["with an output half-written"], "and the writing")
	p := k.launch().answering()
	now := k.until(func(now api.Snapshot) bool {
		return len(now.Folders) == 1 && now.Folders[0].Status.Done == drops && now.Folders[0].Status.Waiting == 0
	})
	require.Zero(t, now.Folders[0].Status.Failed)
	jobs, err := k.client().Jobs(t.Context(), api.JobQuery{Limit: 1000})
	require.NoError(t, err)
	ledger := map[string]string{}
	for _, j := range jobs.Jobs {
		require.Equal(t, api.JobDone, j.State, "%+v", j)
		require.NotContains(t, ledger, j.Path)
		rel, err := filepath.Rel(k.path("inbox/translated"), j.Output)
		require.NoError(t, err)
		ledger[j.Path] = rel
	}
	for rel := range k.inputs {
		require.Equal(t, strings.TrimSuffix(rel, ".txt")+".es.txt", ledger[rel])
	}
	require.Len(t, ledger, drops)
	p.stop()

	k.checkWhole()
	want := []string{"letters/", "letters/old/", "notes/", "translated/", "translated/.dragoman.es.lock"}
	want = slices.AppendSeq(want, maps.Keys(k.inputs))
	for rel := range k.want {
		want = append(want, "translated/"+rel)
	}
	for _, folder := range []string{"letters/", "letters/old/", "notes/"} {
		want = append(want, "translated/"+folder)
	}
	require.ElementsMatch(t, want, tree(t, k.path("inbox")))
	require.ElementsMatch(t, []string{"dragomand.lock", "log/", "log/dragomand.log", "state.db"}, tree(t, k.path("state")))
	require.Empty(t, tree(t, k.path("tmp")))
	require.Empty(t, tree(t, k.env["DRAGOMAN_RUNTIME"]))
	require.ElementsMatch(t, k.cache, tree(t, shared.cache))
	require.Empty(t, p.complaints())

	for rel, was := range k.inputs {
		if n := strings.Count(was.content, "\n"); n > 1 && n < 10 {
			require.Equal(t, k.want[strings.TrimSuffix(rel, ".txt")+".es.txt"], afresh(t, "es", was.content),
				"sentences are translated each for itself")
			break
		}
	}
}

// temporaries are the unfinished files below a folder.
func temporaries(t *testing.T, dir string) []string {
	t.Helper()
	var found []string
	for _, below := range []string{"", "letters", "letters/old", "notes"} {
		names, err := filepath.Glob(filepath.Join(dir, "translated", below, ".dragoman-*"))
		require.NoError(t, err)
		found = append(found, names...)
	}
	return found
}
