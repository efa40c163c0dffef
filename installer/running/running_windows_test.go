package running

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMain is the program that the test ends, too.
func TestMain(m *testing.M) {
	if os.Getenv("RUNNING_TEST_WAIT") != "" {
		select {}
	}
	os.Exit(m.Run())
}

func TestEnd(t *testing.T) {
	own, err := os.ReadFile(os.Args[0])
	require.NoError(t, err)
	start := func(folder string) *exec.Cmd {
		program := filepath.Join(folder, "Program.exe")
		require.NoError(t, os.WriteFile(program, own, 0o755))
		cmd := exec.Command(program)
		cmd.Env = append(os.Environ(), "RUNNING_TEST_WAIT=1")
		require.NoError(t, cmd.Start())
		t.Cleanup(func() { _ = cmd.Process.Kill(); _, _ = cmd.Process.Wait() })
		return cmd
	}
	folder, elsewhere := t.TempDir(), t.TempDir()
	inside, outside := start(folder), start(elsewhere)
	ended, err := End(folder)
	require.NoError(t, err)
	require.Equal(t, 1, ended)
	require.Error(t, inside.Wait(), "it was ended")
	ended, err = End(folder)
	require.NoError(t, err)
	require.Zero(t, ended)
	require.NoError(t, outside.Process.Kill(), "it runs on")
}

func TestWithin(t *testing.T) {
	require.True(t, within(`C:\Programs\dragoman`, `c:\programs\Dragoman\bin\x.exe`))
	require.False(t, within(`C:\Programs\dragoman`, `C:\Programs\dragoman2\x.exe`))
	require.False(t, within(`C:\Programs\dragoman`, `D:\Programs\dragoman\x.exe`))
}
