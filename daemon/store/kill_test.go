package store

import (
	"bufio"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// childPath makes the test binary a daemon that works on the store of that path
// until it is killed.
const childPath = "DRAGOMAN_STORE_TEST_CHILD"

func TestMain(m *testing.M) {
	if path := os.Getenv(childPath); path != "" {
		if err := work(context.Background(), path); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const batch = 40

// work accepts batches and finishes their files in three goroutines, and says
// what was acknowledged, a line each.
func work(ctx context.Context, path string) error {
	s, err := Open(ctx, path, quiet)
	if err != nil {
		return err
	}
	if aside := s.SetAside(); aside != "" {
		return fmt.Errorf("set aside: %s", aside)
	}
	folders, err := s.Folders(ctx)
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		if _, err := s.PutFolder(ctx, Folder{Path: "/in"}); err != nil {
			return err
		}
		folders, _ = s.Folders(ctx)
	}
	fmt.Printf("revision %d\n", s.NextRevision())
	pending := make(chan File, 10*batch)
	errs := make(chan error, 4)
	for range 3 {
		go func() {
			for f := range pending {
				f.State = Done
				if err := s.Finish(ctx, f); err != nil {
					errs <- err
				}
				fmt.Printf("finished %d\n", f.ID)
			}
		}()
	}
	go func() {
		for {
			name := fmt.Sprint(rand.Uint64())
			files := make([]File, batch)
			for i := range files {
				files[i] = File{Folder: folders[0].ID, Path: fmt.Sprintf("%s/%d", name, i), Lang: "es", Output: place("out", name, fmt.Sprint(i)), Recipe: name}
			}
			if err := s.Accept(ctx, files); err != nil {
				errs <- err
			}
			fmt.Printf("accepted %s\n", name)
			if _, err := s.AddHistory(ctx, HistoryEntry{Source: name}); err != nil {
				errs <- err
			}
			if err := s.Remember(ctx, scope, []Pair{{name, name}}); err != nil {
				errs <- err
			}
			for _, f := range files {
				pending <- f
			}
		}
	}()
	return <-errs
}

func TestKill(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	accepted, finished := map[string]bool{}, map[int64]bool{}
	revision := uint64(0)
	kills := 12
	if testing.Short() {
		kills = 4
	}
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), childPath+"="+path)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		lines := bufio.NewScanner(out)
		kill := 1 + rand.IntN(400)
		for n := 0; lines.Scan(); n++ { // to the end: what was said counts
			var name string
			var id int64
			var r uint64
			if _, err := fmt.Sscanf(lines.Text(), "accepted %s", &name); err == nil {
				accepted[name] = true
			} else if _, err := fmt.Sscanf(lines.Text(), "finished %d", &id); err == nil {
				finished[id] = true
			} else if _, err := fmt.Sscanf(lines.Text(), "revision %d", &r); err == nil {
				require.Greater(t, r, revision)
				revision = r
			}
			if n == kill {
				require.NoError(t, cmd.Process.Kill())
			}
		}
		require.Error(t, cmd.Wait(), "it was killed")
	}
	require.NotEmpty(t, accepted)
	require.NotEmpty(t, finished)

	s := openAt(t, path)
	require.Empty(t, s.SetAside())
	files, err := s.Files(t.Context(), FileQuery{})
	require.NoError(t, err)
	whole := map[string]int{}
	for _, f := range files {
		whole[f.Recipe]++
		is, _, err := s.IsOutput(t.Context(), f.Output, "")
		require.NoError(t, err)
		require.True(t, is)
		if finished[f.ID] {
			require.Equal(t, Done, f.State)
			require.False(t, f.Finished.IsZero())
		}
		delete(finished, f.ID)
	}
	require.Empty(t, finished, "all that was acknowledged is there")
	for name, n := range whole {
		require.Equal(t, batch, n, "all or none")
		delete(accepted, name)
	}
	require.Empty(t, accepted)
	checkIndex(t, s)
	s.tasks.Wait()
	require.False(t, s.damaged.Load())
	var verdict string
	require.NoError(t, s.readers.QueryRow("PRAGMA integrity_check").Scan(&verdict))
	require.Equal(t, "ok", verdict)
	counts, err := s.Counts(t.Context())
	require.NoError(t, err)
	for _, c := range counts {
		require.Equal(t, int64(len(files)), c.Pending+c.Done)
	}
}
