package blob

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The test binary plays another process of dragoman when this variable names a role.
const roleVariable = "DRAGOMAN_BLOB_TEST_ROLE"

func TestMain(m *testing.M) {
	dir := os.Getenv("DRAGOMAN_BLOB_TEST_DIR")
	switch os.Getenv(roleVariable) {
	case "compile":
		exitOn(playCompiler(dir))
	case "write":
		exitOn(playWriter(dir))
	}
	slog.SetDefault(slog.New(slog.DiscardHandler))
	os.Exit(m.Run())
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Exit(0)
}

func otherProcess(t *testing.T, role, dir string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), roleVariable+"="+role, "DRAGOMAN_BLOB_TEST_DIR="+dir)
	cmd.Stderr = os.Stderr
	return cmd
}

var sharedPayload = payload(3<<20, 7)

// playCompiler does what a caller of the store does, as soon as its standard input ends.
func playCompiler(dir string) error {
	if _, err := io.Copy(io.Discard, os.Stdin); err != nil {
		return err
	}
	s, key := Open(dir, Options{}), testKey("shared")
	unlock, err := s.Lock(context.Background(), key)
	if err != nil {
		return err
	}
	defer unlock()
	b, err := s.Get(key)
	if err != nil {
		fmt.Println("compiled")
		return s.Put(key, writer(sharedPayload))
	}
	fmt.Println("imported", len(b.Bytes()))
	return b.Close()
}

func TestTwoProcessesCompileOnce(t *testing.T) {
	dir := t.TempDir()
	var outputs [2]strings.Builder
	var processes [2]*exec.Cmd
	var gates [2]io.WriteCloser
	for i := range processes {
		processes[i] = otherProcess(t, "compile", dir)
		processes[i].Stdout = &outputs[i]
		var err error
		gates[i], err = processes[i].StdinPipe()
		require.NoError(t, err)
		require.NoError(t, processes[i].Start())
	}
	for _, gate := range gates {
		require.NoError(t, gate.Close())
	}
	for _, p := range processes {
		require.NoError(t, p.Wait())
	}
	require.ElementsMatch(t, []string{"compiled\n", fmt.Sprintln("imported", len(sharedPayload))},
		[]string{outputs[0].String(), outputs[1].String()})
	requireBlob(t, Open(dir, Options{}), testKey("shared"), sharedPayload)
}

const writerSteps = 18

// playWriter stores a blob again and again until it is killed, and says on standard output how far it is.
func playWriter(dir string) error {
	s, key := Open(dir, Options{}), testKey("shared")
	for {
		err := s.Put(key, func(path string) error {
			file, err := os.Create(path)
			if err != nil {
				return err
			}
			defer file.Close()
			for i := range writerSteps {
				if _, err := file.Write(sharedPayload[i*len(sharedPayload)/writerSteps : (i+1)*len(sharedPayload)/writerSteps]); err != nil {
					return err
				}
				fmt.Println("step", i)
			}
			return nil
		})
		if err != nil {
			return err
		}
		fmt.Println("stored")
	}
}

// Each round kills the writer one step later: first while the runtime writes, at the end while the store checks, names
// or replaces.
func TestKilledWriterLeavesNothingHalf(t *testing.T) {
	dir := t.TempDir()
	stored := false
	for round := range writerSteps + 6 {
		writer := otherProcess(t, "write", dir)
		out, err := writer.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, writer.Start())
		lines := bufio.NewScanner(out)
		for range round + 1 {
			require.True(t, lines.Scan())
			stored = stored || lines.Text() == "stored"
		}
		require.NoError(t, writer.Process.Kill())
		_, err = io.Copy(io.Discard, out)
		require.NoError(t, err)
		require.Error(t, writer.Wait())

		s := Open(dir, Options{})
		requireNothingLeft(t, s)
		b, err := s.Get(testKey("shared"))
		if err != nil {
			require.ErrorIs(t, err, ErrMiss)
			require.False(t, stored, "round %d: %v", round, err)
		} else {
			require.Equal(t, sharedPayload, b.Bytes())
			require.NoError(t, b.Close())
		}
		require.Zero(t, s.Stats().Quarantined)
	}
	require.True(t, stored)
	s := Open(dir, Options{})
	put(t, s, testKey("shared"), sharedPayload)
	files, err := filepath.Glob(filepath.Join(dir, "*.blob"))
	require.NoError(t, err)
	require.Len(t, files, 1)
}
