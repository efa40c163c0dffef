package ledger

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/watch"
	"dragoman/watch/document"
	"dragoman/watch/folder"
)

const workerDir = "DRAGOMAN_TEST_WORKER_DIR"

// TestMain makes the test binary a worker when it was started as one.
func TestMain(m *testing.M) {
	if dir := os.Getenv(workerDir); dir != "" {
		if err := work(dir); err != nil {
			fmt.Println("failed", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// work watches dir and turns texts into capitals, with all parts a real command
// has except the translator. It says every step on standard output.
func work(dir string) error {
	out := filepath.Join(dir, watch.OutputDir)
	l, err := Open(out, "es", "capitals")
	if err != nil {
		return err
	}
	f, err := folder.New(folder.Options{Root: dir, Recursive: true, Quiet: time.Millisecond, Accept: document.Supported})
	if err != nil {
		return err
	}
	items := make(chan watch.Item, 1000)
	go f.Run(context.Background(), func(i watch.Item) { items <- i })
	fmt.Println("ready")
	for i := range items {
		in := filepath.Join(dir, filepath.FromSlash(i.Path))
		done, err := l.UpToDate(context.Background(), i.Path, in)
		if err != nil {
			return err
		}
		if done {
			fmt.Println("known", i.Path)
			continue
		}
		to, err := l.Output(i.Path)
		if err != nil {
			return err
		}
		text, err := document.ReadText(in)
		if err != nil {
			return err
		}
		data, err := text.Encode(strings.ToUpper(text.Body))
		if err != nil {
			return err
		}
		if err := document.MakeFolders(out, i.Path); err != nil {
			return err
		}
		if err := document.WriteAtomic(to, data, text.Mode); err != nil {
			return err
		}
		fmt.Println("wrote", i.Path)
		if err := l.Record(i.Path, text.Stamp); err != nil {
			return err
		}
		fmt.Println("done", i.Path)
	}
	return nil
}

// A kill at any moment leaves whole outputs only, and the work is finished by
// whoever starts next, doing nothing again that was recorded.
func TestKilledAtAnyMoment(t *testing.T) {
	if testing.Short() {
		t.Skip("starts 21 processes")
	}
	const files, kills = 60, 20
	dir := t.TempDir()
	want := map[string]string{}
	for i := range files {
		rel := fmt.Sprintf("%d/%d.txt", i%3, i)
		body := strings.Repeat(fmt.Sprintf("line of file %d\n", i), 20_000)
		path := filepath.Join(dir, filepath.FromSlash(rel))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(body), 0o644))
		out, err := document.OutputPath(dir, "", rel, "es")
		require.NoError(t, err)
		want[out] = strings.ToUpper(body)
	}
	random := rand.New(rand.NewPCG(1, 2)) // which step is killed after; the moment itself is the system's
	recorded := map[string]bool{}
	for range kills {
		steps := 1 + random.IntN(6)
		_, failure := runWorker(t, dir, func(event, rel string) bool {
			require.False(t, event == "wrote" && recorded[rel], "%s was recorded and done again", rel)
			if event == "done" {
				recorded[rel] = true
			}
			if event != "known" {
				steps--
			}
			return steps > 0
		})
		require.Empty(t, failure)
		checkOutputs(t, dir, want)
	}
	told := map[string]bool{}
	last, failure := runWorker(t, dir, func(event, rel string) bool {
		if event == "done" || event == "known" {
			told[rel] = true
		}
		return len(told) < files
	})
	require.Empty(t, failure)
	require.Positive(t, last["known"], "nothing was remembered")
	require.Equal(t, files, checkOutputs(t, dir, want))

	_, err := document.CleanTemps(dir)
	require.NoError(t, err)
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		require.NotContains(t, filepath.Base(path), ".tmp")
		return err
	}))
}

// runWorker starts a worker and kills it when onEvent returns false.
func runWorker(t *testing.T, dir string, onEvent func(event, rel string) bool) (counts map[string]int, failure string) {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(exe)
	cmd.Env = append(os.Environ(), workerDir+"="+dir)
	cmd.Stderr = os.Stderr
	stdout, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	counts = map[string]int{}
	for lines := bufio.NewScanner(stdout); lines.Scan(); {
		event, rel, _ := strings.Cut(lines.Text(), " ")
		counts[event]++
		if event == "failed" {
			failure = rel
			break
		}
		if !onEvent(event, rel) {
			break
		}
	}
	_ = cmd.Process.Kill() // SIGKILL; it may have ended by itself after a failure
	_ = cmd.Wait()         // says that it was killed
	return counts, failure
}

// checkOutputs demands that every visible output is whole and returns how many
// there are.
func checkOutputs(t *testing.T, dir string, want map[string]string) (found int) {
	t.Helper()
	out := filepath.Join(dir, watch.OutputDir)
	require.NoError(t, filepath.WalkDir(out, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasPrefix(d.Name(), watch.OwnPrefix) {
			return err
		}
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.True(t, want[path] == string(content), "%s is not whole", path)
		found++
		return nil
	}))
	return found
}
