package drop

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/store"
)

// The test binary, called with this variable, is a process to be killed.
const childVariable = "DRAGOMAN_DROP_CHILD"

// child is what such a process is to do.
type child struct {
	State    string
	Settings api.FolderSettings
}

func TestMain(m *testing.M) {
	if orders := os.Getenv(childVariable); orders != "" {
		var c child
		err := json.Unmarshal([]byte(orders), &c)
		if err == nil {
			err = c.run()
		}
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// run works until it is killed, and says on its output when nothing is left.
func (c child) run() error {
	ctx := context.Background()
	s, err := store.Open(ctx, c.State, store.Options{})
	if err != nil {
		return err
	}
	id := int64(0)
	folders, err := s.Folders(ctx)
	if err != nil {
		return err
	}
	if len(folders) > 0 {
		id = folders[0].ID
	}
	if id, err = s.PutFolder(ctx, store.Folder{ID: id, Path: c.Settings.Path, Settings: []byte("{}")}); err != nil {
		return err
	}
	o := quick
	o.Quiet = 5 * time.Millisecond
	o.Ledger, o.Translator = s, &fakeTranslator{before: slowly(4 * time.Millisecond)}
	o.Recipe = func() string { return "fake" }
	news := make(chan struct{}, 1)
	o.Changed = func() {
		select {
		case news <- struct{}{}:
		default:
		}
	}
	o.Notify = func(n api.Notice) { fmt.Printf("notice %s: %s\n", n.Level, n.Message) }
	o.Say = func(_ string, n api.Notice) { o.Notify(n) }
	o.Withdraw = func(key string) { o.Notify(api.Notice{Level: "info", Message: key + " is over"}) }
	m := New(o)
	if err := m.Add(id, c.Settings); err != nil {
		return err
	}
	fmt.Println("started")
	go func() {
		for range news {
			if f := m.Folders()[0].Status; f.State == api.FolderWatching {
				fmt.Println(f.Waiting, f.Done+f.Failed)
			}
		}
	}()
	return m.Run(ctx)
}

// A process that is killed at any moment and started again has done everything
// in the end, nothing of it twice.
func TestKilledAtAnyMoment(t *testing.T) {
	total := kills
	for _, place := range []api.Place{api.PlaceSubfolder, api.PlaceBeside, api.PlaceFolder} {
		for _, original := range []api.Original{api.OriginalStay, api.OriginalDone} {
			t.Run(string(place)+" "+string(original), func(t *testing.T) {
				s := settings("", "es")
				s.Place, s.Original = place, original
				killOften(t, s, (total+5)/6)
			})
		}
	}
}

// killFiles is how many files are dropped.
const killFiles = 300

func killOften(t *testing.T, s api.FolderSettings, kills int) {
	dir := t.TempDir()
	s.Path = filepath.Join(dir, "in")
	if s.Place == api.PlaceFolder {
		s.Output = filepath.Join(dir, "out")
	}
	random := rand.New(rand.NewPCG(1, uint64(len(s.Place)+10*len(s.Original))))
	inputs, outputs := map[string]string{}, map[string]string{}
	killed, work := 0, 0
	for round := 0; killed < kills; round++ {
		// A round drops the files; it ends when all was done.
		for i := range killFiles {
			rel := fmt.Sprintf("%d/%d-%d.txt", i%7, round, i)
			text := strings.TrimSpace(strings.Repeat(fmt.Sprintf("text %d ", i), 1+random.IntN(1+i%50*20)))
			inputs[rel], outputs[strings.TrimSuffix(rel, ".txt")+".es.txt"] = text, reversed(text, "es")
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(s.Path, rel)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(s.Path, rel), []byte(text), 0o644))
		}
		for {
			p := startChild(t, child{State: filepath.Join(dir, "state", "state.db"), Settings: s})
			after := time.Duration(random.Int64N(int64(700 * time.Millisecond)))
			if killed >= kills {
				after = time.Minute
			}
			finished := p.finished(len(inputs), after, func() bool { return allMoved(t, s) })
			p.kill()
			if finished {
				break
			}
			require.Less(t, after, time.Minute, "it did not finish; the last words: %s", p.last)
			killed++
			if p.last != "" {
				work++
			}
			checkWhole(t, s, inputs, outputs)
		}
		checkAll(t, s, inputs, outputs)
		if len(inputs) > 6*killFiles {
			dir = t.TempDir() // the ledger and the folders would only grow
			s.Path, inputs, outputs = filepath.Join(dir, "in"), map[string]string{}, map[string]string{}
			if s.Place == api.PlaceFolder {
				s.Output = filepath.Join(dir, "out")
			}
		}
	}
	t.Logf("%d kills, %d of them after work had begun", killed, work)
}

// found sorts what lies in the folders into originals and translations.
func found(t *testing.T, s api.FolderSettings) (inputs, outputs map[string]string) {
	t.Helper()
	inputs, outputs = map[string]string{}, map[string]string{}
	for rel, content := range files(t, s.Path) {
		switch below, isDone := strings.CutPrefix(rel, "done/"); {
		case isDone:
			require.NotContains(t, inputs, below)
			inputs[below] = content
		case strings.HasPrefix(rel, "translated/"):
			outputs[strings.TrimPrefix(rel, "translated/")] = content
		case strings.Contains(filepath.Base(rel), ".es"):
			outputs[rel] = content
		default:
			require.NotContains(t, inputs, rel)
			inputs[rel] = content
		}
	}
	if s.Place == api.PlaceFolder {
		outputs = files(t, s.Output)
	}
	return inputs, outputs
}

// checkWhole holds after every kill: inputs are as they were, and whatever
// output is there is whole and right.
func checkWhole(t *testing.T, s api.FolderSettings, inputs, outputs map[string]string) {
	t.Helper()
	in, out := found(t, s)
	require.Equal(t, inputs, in)
	for rel, content := range out {
		require.Equal(t, outputs[rel], content, rel)
	}
}

// checkAll holds when all is done.
func checkAll(t *testing.T, s api.FolderSettings, inputs, outputs map[string]string) {
	t.Helper()
	in, out := found(t, s)
	require.Equal(t, inputs, in)
	require.Equal(t, outputs, out)
	require.Empty(t, temporaries(t, s.Path))
	if s.Place == api.PlaceFolder {
		require.Empty(t, temporaries(t, s.Output))
	}
	require.True(t, allMoved(t, s))
}

// allMoved says whether originals are where they are wanted.
func allMoved(t *testing.T, s api.FolderSettings) bool {
	t.Helper()
	moved := true
	require.NoError(t, filepath.WalkDir(s.Path, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // renamed while we look
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "done" || entry.Name() == "translated"):
			return fs.SkipDir
		case !entry.IsDir() && !strings.Contains(entry.Name(), ".es.") && !strings.HasPrefix(entry.Name(), "."):
			moved = false
		}
		return nil
	}))
	return moved || s.Original == api.OriginalStay
}

// childProcess is a child at work.
type childProcess struct {
	t     *testing.T
	cmd   *exec.Cmd
	lines chan string
	last  string
}

func startChild(t *testing.T, c child) *childProcess {
	t.Helper()
	orders, err := json.Marshal(c)
	require.NoError(t, err)
	return runChild(t, exec.Command(os.Args[0]), string(orders))
}

func runChild(t *testing.T, cmd *exec.Cmd, orders string) *childProcess {
	t.Helper()
	p := &childProcess{t: t, cmd: cmd, lines: make(chan string, 100)}
	p.cmd.Env = append(os.Environ(), childVariable+"="+orders)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, p.cmd.Start())
	go func() {
		defer close(p.lines)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			p.lines <- lines.Text()
		}
	}()
	if line := <-p.lines; line != "started" {
		t.Fatalf("the process began with %q", line)
	}
	return p
}

// finished waits until nothing waits and all is done and moved away, or until
// the time is over. Right after a start an original may not have been found yet
// whose translation was recorded before.
func (p *childProcess) finished(want int, limit time.Duration, moved func() bool) bool {
	over := time.After(limit)
	for {
		select {
		case line, ok := <-p.lines:
			require.True(p.t, ok, "the process has ended by itself")
			p.last = line
			if line == fmt.Sprint(0, want) && moved() {
				return true
			}
		case <-over:
			return false
		}
	}
}

// kill ends the process as a power cut or the system would.
func (p *childProcess) kill() {
	require.NoError(p.t, p.cmd.Process.Kill())
	for range p.lines {
	}
	_ = p.cmd.Wait() // killed
}
