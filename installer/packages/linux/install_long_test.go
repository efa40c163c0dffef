//go:build long && linux

package linux

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
	"golang.org/x/sys/unix"

	"dragoman/inference/openvino/ovtest"
)

func run(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = ovtest.Root(), append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s %s\n%s", name, args, out)
	return string(out)
}

// packages makes the whole package in two versions, from this checkout.
func packages(t *testing.T, format string) (older, newer string) {
	t.Helper()
	root := ovtest.Root()
	nfpm := filepath.Join(root, "build", "tools", "nfpm")
	if _, err := os.Stat(nfpm); err != nil {
		t.Skip("build/tools/nfpm is not there: make dist")
	}
	runtime := filepath.Dir(ovtest.Library(t).Library)
	programs := t.TempDir()
	run(t, []string{"CGO_ENABLED=0"}, "go", "build", "-ldflags", "-s -w", "-o", programs+"/", "./cmd/dragoman", "./cmd/dragomand", "./cmd/dragoman-tray")
	dist := t.TempDir()
	for _, version := range []string{"0.1.0", "0.2.0"} {
		stage := filepath.Join(t.TempDir(), "stage")
		env := []string{"PACKAGE=dragoman", "PACKAGE_VERSION=" + version, "COMMIT=0123", "SOURCE_DATE_EPOCH=" + epoch, "HOST_DRAGOMAN=" + filepath.Join(programs, "dragoman")}
		run(t, env, "sh", "installer/packages/linux/stage.sh", programs, stage, runtime)
		run(t, append(env, "OTHER_PACKAGE=dragoman-slim", "ARCH=amd64", "COMPRESSION=zstd", "STAGE="+stage, "SCRIPTS="+filepath.Join(dist, "scripts"), "NFPM="+nfpm),
			"sh", "installer/packages/linux/pack.sh", format, filepath.Join(dist, version+"."+format))
	}
	return filepath.Join(dist, "0.1.0."+format), filepath.Join(dist, "0.2.0."+format)
}

// tree is a small Debian, as the tests of the service have it, or one with rpm.
func tree(t *testing.T, with string) string {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can boot a container")
	}
	if dir := os.Getenv("DRAGOMAN_TEST_MACHINE"); dir != "" && with == "" {
		return dir
	}
	dir := filepath.Join(ovtest.Root(), "build", "machine")
	if with != "" {
		dir += "-" + with
	}
	if _, err := os.Stat(filepath.Join(dir, ".complete")); err == nil {
		return dir
	}
	require.NoError(t, os.RemoveAll(dir))
	if out, err := exec.Command("sh", filepath.Join(ovtest.Root(), "installer", "service", "testdata", "machine.sh"), dir, with).CombinedOutput(); err != nil {
		t.Skipf("no machine could be made, which takes a network: %v\n%s", err, out)
	}
	return dir
}

// said are the lines of a script's output that are for the test.
func said(out string) string {
	var lines []string
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "= "); ok {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return strings.Join(lines, "\n")
}

// booted runs a script of testdata in a machine with the packages of two versions, and
// returns what it says.
func booted(t *testing.T, format, with, script string) (lines, out string) {
	t.Helper()
	bench := filepath.Join(ovtest.Root(), "..", "shared", "testbench", "systemd-nspawn.sh")
	if _, err := os.Stat(bench); err != nil {
		t.Skip("the test bench for machines is not there")
	}
	if _, err := exec.LookPath("systemd-nspawn"); err != nil {
		t.Skip("systemd-nspawn is not installed")
	}
	machine := tree(t, with)
	older, newer := packages(t, format)
	share := t.TempDir()
	require.NoError(t, os.Chmod(share, 0o755))
	for name, file := range map[string]string{"old." + format: older, "new." + format: newer, script: "testdata/" + script, "booted.sh": "testdata/booted.sh"} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(share, name), content, 0o644))
	}
	out = run(t, nil, "bash", bench, "run", machine, "--share", share, "--", "bash /share/"+script)
	return said(out), out
}

func TestDebInABootedMachine(t *testing.T) {
	lines, out := booted(t, "deb", "", "deb.sh")
	require.Equal(t, strings.TrimSpace(`
install: exit 0, version 0.1.0
service of the user: active, enabled
service install: The package has installed the service: /usr/lib/systemd/user/dragoman.service runs /usr/bin/dragomand
units of the user:
translation: Das Haus ist groß.
file: Das Haus ist groß.
system's service: disabled
system's service, once it is started: active
read-only home: Das Haus ist groß.
its service: read-only file system
tray at login: enabled
upgrade: exit 0, version 0.2.0
service of the user: active, enabled
files waited
queue: 40 files, 120 lines
failed: 0
downgrade: exit 1, version 0.2.0
says: 0.2.0 is installed, and 0.1.0 may not read what it has stored.
says: to go back, keep a copy of ~/.local/state/dragoman and remove the package first.
twice: exit 0, version 0.2.0
service of the user: active, enabled
after a kill: exit 0, version 0.2.0
state: install ok installed
service of the user: active, enabled
remove: exit 0
service of the user: inactive
purge: exit 0
home: ./.cache/dragoman ./.local/state/dragoman
end`), lines, "%s", out)
}

// No rpm system can be booted here: this is Debian's rpm on Debian, which sees no
// dependencies.
func TestRPMInABootedMachine(t *testing.T) {
	lines, out := booted(t, "rpm", "rpm", "rpm-booted.sh")
	require.Equal(t, strings.TrimSpace(`
install: exit 0, version 0.1.0
service of the user: active, enabled
translation: Das Haus ist groß.
file: Das Haus ist groß.
system's service: disabled
tray at login: enabled
upgrade: exit 0, version 0.2.0
service of the user: active, enabled
the new program runs
files waited
queue: 40 files, 120 lines
failed: 0
downgrade: exit 2, version 0.2.0
twice: exit 2, version 0.2.0
over itself: exit 0, version 0.2.0
service of the user: active, enabled
after a kill: exit 0, version 0.2.0
verify: exit 0
service of the user: active, enabled
remove: exit 0, version
service of the user: inactive
home: ./.cache/dragoman ./.local/state/dragoman
end`), lines, "%s", out)
}

func TestRPMInARootOfItsOwn(t *testing.T) {
	if _, err := exec.LookPath("rpm"); err != nil {
		t.Skip("rpm is not installed")
	}
	lower := tree(t, "")
	older, newer := packages(t, "rpm")
	dir := t.TempDir()
	for _, name := range []string{"upper", "work", "root"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	root := filepath.Join(dir, "root")
	if err := unix.Mount("overlay", root, "overlay", 0, fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", lower, dir, dir)); err != nil {
		t.Skipf("no overlay can be mounted: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(root, unix.MNT_DETACH)) })
	out := run(t, nil, "bash", "installer/packages/linux/testdata/rpm.sh", root, older, newer)
	require.Equal(t, strings.TrimSpace(`
install: exit 0, 0.1.0
verify: exit 0, 0.1.0
account: 1
enabled: dragoman-tray.service dragoman.service
the program runs
upgrade: exit 0, 0.2.0
verify: exit 0, 0.2.0
downgrade: exit 2, 0.2.0
remove: exit 0,
end`), said(out), "%s", out)
}
