//go:build unix

package ovruntime

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// What `make parts` fetches for a machine without a network are the wheels that are
// pinned here: the script reads them from the source.
func TestPartsAreThePinned(t *testing.T) {
	tools, folder := t.TempDir(), t.TempDir()
	asked := filepath.Join(tools, "asked")
	for name, script := range map[string]string{"python3": "echo \"$@\" >>" + asked, "go": "mkdir -p \"$GOMODCACHE\""} {
		require.NoError(t, os.WriteFile(filepath.Join(tools, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755))
	}
	cmd := exec.Command("sh", filepath.Join("..", "packages", "parts.sh"), folder)
	cmd.Env = append(os.Environ(), "PATH="+tools+string(os.PathListSeparator)+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	said, err := os.ReadFile(asked)
	require.NoError(t, err)
	require.Equal(t, len(pins), strings.Count(string(said), "\n"), "%s", said)
	require.Equal(t, len(pins), strings.Count(string(said), "openvino=="+PinnedVersion+"\n"), "%s", said)
	for _, pin := range pins {
		require.Contains(t, string(said), "--platform "+pin.Platform+" ")
	}
}
