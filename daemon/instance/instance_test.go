package instance

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestHowToRestart(t *testing.T) {
	require.Equal(t, "`dragoman service restart`", Info{PID: 7, Restart: "`dragoman service restart`"}.HowToRestart())
	require.Contains(t, Info{PID: 7}.HowToRestart(), "end process 7")
}

// TestMain lets the test program be the other daemon.
func TestMain(m *testing.M) {
	if dir := os.Getenv("INSTANCE_TEST_HOLD"); dir != "" {
		if _, err := Take(dir, Info{Version: "other", Executable: "other-program"}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println("taken")
		_, _ = bufio.NewReader(os.Stdin).ReadString('\n') // until killed
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// other starts a process that works on dir.
func other(t *testing.T, dir string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "INSTANCE_TEST_HOLD="+dir)
	cmd.Stderr = os.Stderr
	_, err := cmd.StdinPipe()
	require.NoError(t, err)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "taken\n", line)
	return cmd
}

func TestASecondOneIsToldWhoHoldsIt(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "on demand")
	cmd := other(t, dir)
	release, err := Take(dir, Info{})
	require.Nil(t, release)
	require.ErrorIs(t, err, ErrHeld)
	require.ErrorContains(t, err, fmt.Sprintf("process %d since ", cmd.Process.Pid))
	require.ErrorContains(t, err, "other-program")

	holder, found, err := Holder(dir)
	require.NoError(t, err)
	require.True(t, found)
	require.Equal(t, cmd.Process.Pid, holder.PID)
	require.Equal(t, "other", holder.Version)
	require.WithinDuration(t, time.Now(), holder.Started, time.Minute)
}

func TestAKilledOneHoldsNothing(t *testing.T) {
	dir := t.TempDir()
	cmd := other(t, dir)
	require.NoError(t, cmd.Process.Kill())
	require.Error(t, cmd.Wait())
	require.FileExists(t, filepath.Join(dir, infoFile), "a killed process tidies nothing up")

	_, found, err := Holder(dir)
	require.NoError(t, err)
	require.False(t, found, "what it left is not believed")
	release, err := Take(dir, Info{})
	require.NoError(t, err)
	release()
}

func TestReleaseLetsTheNextOneIn(t *testing.T) {
	dir := t.TempDir()
	for range 3 {
		release, err := Take(dir, Info{Version: "1"})
		require.NoError(t, err)
		holder, found, err := Holder(dir)
		require.NoError(t, err)
		require.True(t, found)
		require.Equal(t, os.Getpid(), holder.PID)
		release()
		require.NoFileExists(t, filepath.Join(dir, infoFile))
	}
}

func TestAskingMakesNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "missing")
	_, found, err := Holder(dir)
	require.NoError(t, err)
	require.False(t, found)
	require.NoDirExists(t, dir)
}

func TestHolderThatDidNotTellYet(t *testing.T) {
	dir := t.TempDir()
	release, err := Take(dir, Info{})
	require.NoError(t, err)
	defer release()
	require.NoError(t, os.Remove(filepath.Join(dir, infoFile)))
	_, err = Take(dir, Info{})
	require.ErrorIs(t, err, ErrHeld)
	require.NotContains(t, err.Error(), "process 0")

	require.NoError(t, os.WriteFile(filepath.Join(dir, infoFile), []byte("{"), 0o600))
	_, found, err := Holder(dir)
	require.True(t, found)
	require.ErrorContains(t, err, infoFile)
}

func TestStateFolderThatCannotBe(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	_, err := Take(file, Info{})
	require.ErrorContains(t, err, "DRAGOMAN_STATE")
	require.False(t, errors.Is(err, ErrHeld))
}
