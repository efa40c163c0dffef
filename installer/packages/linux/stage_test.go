//go:build linux

// Package linux holds what the Linux packages are made of: nfpm's description, the
// scripts that run when one is installed or removed, and the tree of files.
package linux

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// The time of all files: reproducible packages have none of their own.
const epoch = "1700000000"

// stage makes a package's tree from programs that do nothing, and a runtime of
// one library where whole is set.
func stage(t *testing.T, whole bool) string {
	t.Helper()
	programs, out := t.TempDir(), filepath.Join(t.TempDir(), "stage")
	for _, name := range []string{"dragoman", "dragomand", "dragoman-tray"} {
		require.NoError(t, os.WriteFile(filepath.Join(programs, name), []byte("program"), 0o600))
	}
	host := filepath.Join(t.TempDir(), "dragoman")
	build := exec.Command("go", "build", "-o", host, "../../../cmd/dragoman")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	text, err := build.CombinedOutput()
	require.NoError(t, err, "%s", text)
	args := []string{"stage.sh", programs, out}
	if whole {
		runtime := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(runtime, "libopenvino_c.so"), []byte("library"), 0o600))
		require.NoError(t, os.MkdirAll(filepath.Join(runtime, "licenses", "more"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(runtime, "licenses", "more", "LICENSE"), nil, 0o600))
		args = append(args, runtime)
	}
	cmd := exec.Command("sh", args...)
	cmd.Env = append(os.Environ(), "HOST_DRAGOMAN="+host, "SOURCE_DATE_EPOCH="+epoch, "PACKAGE=dragoman", "PACKAGE_VERSION=1.2.3", "COMMIT=0123")
	text, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", text)
	return out
}

func TestStage(t *testing.T) {
	out := stage(t, true)
	for path, mode := range map[string]os.FileMode{
		"usr/bin/dragoman": 0o755, "usr/bin/dragomand": 0o755, "usr/bin/dragoman-tray": 0o755,
		"usr/lib/systemd/user/dragoman.service": 0o644, "usr/lib/systemd/user/dragoman-tray.service": 0o644,
		"usr/lib/systemd/system/dragoman.service": 0o644, "usr/lib/sysusers.d/dragoman.conf": 0o644,
		"usr/lib/systemd/user-preset/80-dragoman.preset":  0o644,
		"usr/share/icons/hicolor/16x16/apps/dragoman.png": 0o644, "usr/share/man/man1/dragoman-translate.1.gz": 0o644,
		"usr/share/man/man1/dragomand.1.gz": 0o644, "usr/share/man/man1/dragoman-tray.1.gz": 0o644,
		"usr/share/bash-completion/completions/dragoman": 0o644, "usr/share/doc/dragoman/copyright": 0o644,
		"usr/share/doc/dragoman/changelog.gz": 0o644, "usr/share/doc/dragoman/openvino/more/LICENSE": 0o644,
		"usr/lib/dragoman/libopenvino_c.so": 0o644, "usr/share/dragoman/models/starter/model.safetensors": 0o644,
	} {
		info, err := os.Stat(filepath.Join(out, path))
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode(), path)
	}
	groups, err := os.ReadFile(filepath.Join(out, "usr/lib/sysusers.d/dragoman.conf"))
	require.NoError(t, err)
	require.Contains(t, string(groups), "\ng render -\n", "the unit of the system does not start without the group")
	err = filepath.Walk(out, func(path string, info os.FileInfo, err error) error {
		require.NoError(t, err)
		require.EqualValues(t, 1700000000, info.ModTime().Unix(), path)
		return nil
	})
	require.NoError(t, err)

	for _, check := range [][]string{
		{"desktop-file-validate", filepath.Join(out, "usr/share/applications/dragoman-tray.desktop")},
		{"desktop-file-validate", out + ".conffiles/dragoman-tray.desktop"},
		{"appstreamcli", "validate", "--no-net", filepath.Join(out, "usr/share/metainfo/io.github.dragoman.metainfo.xml")},
	} {
		t.Run(filepath.Base(check[0])+" "+filepath.Base(check[len(check)-1]), func(t *testing.T) {
			if _, err := exec.LookPath(check[0]); err != nil {
				t.Skip(check[0] + " is not installed")
			}
			text, err := exec.Command(check[0], check[1:]...).CombinedOutput()
			require.NoError(t, err, "%s", text)
			require.NotContains(t, string(text), "warning")
		})
	}
}

func TestSlimHasNoRuntimeAndNoModel(t *testing.T) {
	out := stage(t, false)
	require.NoDirExists(t, filepath.Join(out, "usr/lib/dragoman"))
	require.NoDirExists(t, filepath.Join(out, "usr/share/dragoman"))
	require.FileExists(t, filepath.Join(out, "usr/bin/dragoman"))
}

func TestScriptsAreShell(t *testing.T) {
	scripts, err := filepath.Glob("*.sh")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(scripts), 7)
	for _, script := range scripts {
		text, err := exec.Command("sh", "-n", script).CombinedOutput()
		require.NoError(t, err, "%s: %s", script, text)
	}
}
