package ovruntime

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The test binary is also the program that gets killed: with killEnv set to a
// data folder and a list of wheels it installs these in turn, for ever.
const killEnv = "OVRUNTIME_TEST_INSTALL_FOREVER"

func TestMain(m *testing.M) {
	if arguments := os.Getenv(killEnv); arguments != "" {
		parts := strings.Split(arguments, "\n")
		for i := 0; ; i++ {
			o := Options{DataDir: parts[0], From: parts[1+i%(len(parts)-1)], GOOS: "linux", GOARCH: "amd64"}
			if _, err := Install(context.Background(), o); err != nil {
				fmt.Println(err)
				os.Exit(1)
			}
		}
	}
	os.Exit(m.Run())
}

// TestAKillLeavesAWholeRuntimeInUse kills an installing process at 40 moments,
// spread over a few installations.
func TestAKillLeavesAWholeRuntimeInUse(t *testing.T) {
	exe, err := os.Executable()
	require.NoError(t, err)
	data := t.TempDir()
	install(t, fromFile(data, makeWheel(t, "2026.1.0", "2610")))
	arguments := []string{data}
	for digits, version := range map[string]string{"2620": "2026.2.0", "2630": "2026.3.0", "2640": "2026.4.0"} {
		arguments = append(arguments, makeWheel(t, version, digits))
	}
	for i := range 40 {
		command := exec.Command(exe)
		command.Env = append(os.Environ(), killEnv+"="+strings.Join(arguments, "\n"))
		output := new(strings.Builder)
		command.Stdout, command.Stderr = output, output
		require.NoError(t, command.Start())
		<-time.After(time.Duration(i) * 3 * time.Millisecond) // the moment is the point
		require.NoError(t, command.Process.Kill())
		require.Error(t, command.Wait())
		require.Empty(t, output.String())

		c := locateIn(t, data, "linux")
		require.NoError(t, Verify(c.Dir))
		for _, r := range List(data) {
			require.NoError(t, Verify(r.Dir))
		}
	}
	install(t, fromFile(data, arguments[1]))
	for _, name := range entries(t, filepath.Join(data, "runtime")) {
		require.False(t, strings.HasPrefix(name, temporary) || strings.HasPrefix(name, trash), name)
	}
}
