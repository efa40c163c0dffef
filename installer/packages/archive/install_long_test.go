//go:build long && linux

// Package archive holds the archive for a home without root: what makes it and the
// script that installs it.
package archive

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/inference/openvino/ovtest"
)

// shell runs a script and returns its output and exit status. Nothing of the
// developer's environment is in it but what is named.
func shell(t *testing.T, env []string, script string) (string, int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "sh", "-eu", "-c", script)
	cmd.Dir, cmd.Env = ovtest.Root(), append([]string{"PATH=" + os.Getenv("PATH")}, env...)
	out, _ := cmd.CombinedOutput()
	require.NoError(t, ctx.Err())
	return string(out), cmd.ProcessState.ExitCode()
}

func must(t *testing.T, env []string, script string) string {
	t.Helper()
	out, code := shell(t, env, script)
	require.Zero(t, code, "%s\n%s", script, out)
	return out
}

// unpacked makes the archive in a version and unpacks it.
func unpacked(t *testing.T, programs, version string) string {
	t.Helper()
	dist := t.TempDir()
	must(t, []string{
		"HOME=" + os.Getenv("HOME"), "PROGRAMS=" + programs, "HOST_DRAGOMAN=" + filepath.Join(programs, "linux-amd64", "dragoman"), "ARCHITECTURES=", "LEVEL=1",
		"RUNTIME=" + filepath.Dir(ovtest.Library(t).Library), "SOURCE_DATE_EPOCH=1700000000", "COMMIT=0123", "PACKAGE_VERSION=" + version,
	}, "sh installer/packages/archive/build.sh "+version+" "+dist)
	name := filepath.Join(dist, "dragoman-"+version+"-linux-amd64")
	must(t, nil, fmt.Sprintf("tar -C %s -xzf %s.tar.gz", dist, name))
	return name
}

func list(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	}))
	return names
}

func TestInstallInAHome(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("the whole archive is for amd64")
	}
	programs := t.TempDir()
	must(t, []string{"HOME=" + os.Getenv("HOME"), "CGO_ENABLED=0"},
		"go build -ldflags '-s -w' -o "+programs+"/linux-amd64/ ./cmd/dragoman ./cmd/dragomand ./cmd/dragoman-tray")
	older, newer := unpacked(t, programs, "0.1.0"), unpacked(t, programs, "0.2.0")
	home := filepath.Join(t.TempDir(), "of Anna") // a quote that is missing shows
	require.NoError(t, os.Mkdir(home, 0o700))
	env := []string{"HOME=" + home, "LC_ALL=C.UTF-8"}
	bin, dragoman := filepath.Join(home, ".local", "bin"), `"$HOME/.local/bin/dragoman"`

	readOnly := `unshare -rm sh -c 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"' sh `
	_, noNamespaces := shell(t, env, readOnly+"true")
	if noNamespaces == 0 {
		out, code := shell(t, env, readOnly+older+"/install.sh")
		require.Equal(t, 1, code)
		require.Contains(t, out, "/.local cannot be written: make it so, or install elsewhere")
		require.Empty(t, list(t, home))
	}

	out := must(t, env, older+"/install.sh")
	require.Contains(t, out, "To call it by its name: add "+bin+" to PATH")
	require.Contains(t, out, "There is no systemd for this user")
	require.Equal(t, "Das Haus ist groß.\n", must(t, env, dragoman+" translate --local --from en --to de --text 'The house is big.'"))
	require.Contains(t, must(t, env, dragoman+" runtime list"), home+"/.local/opt/dragoman/lib/dragoman/")
	require.Contains(t, must(t, env, dragoman+" models list"), "starter")
	require.FileExists(t, filepath.Join(home, ".local/share/man/man1/dragoman.1.gz"))
	desktop, err := os.ReadFile(filepath.Join(home, ".local/share/applications/dragoman-tray.desktop"))
	require.NoError(t, err)
	require.Contains(t, string(desktop), `Exec="`+home+`/.local/opt/dragoman/bin/dragoman-tray"`)
	require.FileExists(t, filepath.Join(home, ".config/autostart/dragoman-tray.desktop"))

	must(t, env, newer+"/install.sh")
	version, err := os.ReadFile(filepath.Join(home, ".local/opt/dragoman/VERSION"))
	require.NoError(t, err)
	require.Equal(t, "0.2.0\n", string(version))
	out, code := shell(t, env, older+"/install.sh")
	require.Equal(t, 1, code)
	require.Contains(t, out, "0.2.0 is installed, and this version may not read what it has stored")
	must(t, env, older+"/install.sh --downgrade --no-service")
	out, code = shell(t, env, older+"/install.sh --frob")
	require.Equal(t, 1, code)
	require.Contains(t, out, "unknown option --frob")

	if noNamespaces == 0 {
		before := list(t, home)
		out, code = shell(t, env, readOnly+older+"/install.sh --remove")
		require.Equal(t, 1, code)
		require.Contains(t, out, "cannot be written, so nothing was removed")
		require.Equal(t, before, list(t, home))
	}

	must(t, env, dragoman+" config set history.days 3")
	out = must(t, env, older+"/install.sh --remove")
	require.Contains(t, out, "Kept: "+home+"/.local/share/dragoman")
	require.FileExists(t, filepath.Join(home, ".config/dragoman/config.toml"))
	require.NoDirExists(t, bin)
	must(t, env, newer+"/install.sh")
	must(t, env, `sh "$HOME/.local/opt/dragoman/install.sh" --remove --purge`)
	require.Empty(t, list(t, home), "nothing is left")
}
