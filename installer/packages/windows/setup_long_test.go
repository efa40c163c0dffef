//go:build long && linux

// Package windows holds what the installer for Windows is made of: NSIS' script,
// the resources of the programs, and the scripts that put them together.
package windows

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

	"dragoman/inference/openvino/ovtest"
	"dragoman/installer/ovruntime"
	"dragoman/internal/winetest"
)

// version is one that the installers of this test have.
type version struct {
	name  string
	build int
}

func tools(t *testing.T, names ...string) {
	t.Helper()
	for _, tool := range names {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
}

func command(t *testing.T, env []string, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Env = ovtest.Root(), append(os.Environ(), env...)
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	require.NoError(t, err, "%s %s\n%s\n%s", name, args, out, problems.String())
	return string(out)
}

// programs builds the programs for Windows with their resources.
func programs(t *testing.T) string {
	t.Helper()
	const tool = "build/tools/go-winres"
	winres := filepath.Join(ovtest.Root(), tool)
	if _, err := os.Stat(winres); err != nil {
		command(t, nil, "make", tool)
	}
	command(t, []string{"WINRES=" + winres}, "sh", "installer/packages/windows/resources.sh", "0.1.0-test", "0.1.0.7", filepath.Join(t.TempDir(), "resources"))
	dir := t.TempDir()
	env := []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"}
	command(t, env, "go", "build", "-trimpath", "-ldflags", "-s -w", "-o", dir+"/", "./cmd/dragoman", "./cmd/dragomand")
	command(t, env, "go", "build", "-trimpath", "-ldflags", "-s -w -H windowsgui", "-o", dir+"/", "./cmd/dragoman-tray")
	return dir
}

// runtimeOfWindows is the one that the installer carries.
func runtimeOfWindows(t *testing.T) string {
	t.Helper()
	result, err := ovruntime.Install(t.Context(), ovruntime.Options{
		DataDir: filepath.Join(ovtest.Root(), "build", "windows-amd64"), From: os.Getenv("DRAGOMAN_TEST_WINDOWS_WHEEL"), GOOS: "windows", GOARCH: "amd64",
	})
	if err != nil {
		t.Skipf("there is no runtime of Windows: %v", err)
	}
	return result.Dir
}

// setup makes the installer of a version.
func setup(t *testing.T, programs, runtime string, v version) string {
	t.Helper()
	dist := t.TempDir()
	command(t, []string{
		"PROGRAMS=" + programs, "RUNTIME=" + runtime, "COMPRESSION=zlib", "FILE_VERSION=" + v.name + ".0", fmt.Sprint("BUILD=", v.build), "SIGN=",
	}, "sh", "installer/packages/windows/build.sh", v.name, dist)
	return filepath.Join(dist, "dragoman-setup-"+v.name+"-amd64.exe")
}

// life is what a script of testdata says of the installers of two versions below
// Wine.
func life(t *testing.T, bench, name, older, newer string) string {
	t.Helper()
	script, err := filepath.Abs(filepath.Join("testdata", name))
	require.NoError(t, err)
	out := command(t, []string{"DRAGOMAN_OPENVINO=", "DRAGOMAN_DATA=", "DRAGOMAN_CACHE="},
		"bash", bench, "--prefix", filepath.Join(t.TempDir(), "prefix"), "--", "bash", script, older, newer)
	return strings.Join(said(out), "\n")
}

func TestSetupUnderWine(t *testing.T) {
	bench := winetest.Bench(t, ovtest.Root(), "makensis")
	built, runtime := programs(t), runtimeOfWindows(t)
	older, newer := setup(t, built, runtime, version{"0.1.0", 1}), setup(t, built, runtime, version{"0.2.0", 2})
	require.Equal(t, strings.TrimSpace(`
install: exit 0
run: dragoman-service
run: dragoman-tray
start menu
service answers
translation: Das Haus ist groß.
upgrade while running: exit 0
DisplayVersion REG_SZ 0.2.0
programs: dragoman-tray.exe dragoman.exe dragomand.exe uninstall.exe
models: starter theirs
compiler: openvino_intel_npu_compiler.dll
service answers
translation: Das Haus ist groß.
history: 2
downgrade: exit 3
remove: exit 0
kept: ./models/theirs/config.json state.db
install again: exit 0
service answers
purge: exit 0
install for all: exit 0
STATE : 4 RUNNING
service answers
translation: Das Haus ist groß.
dragoman: history.enabled is fixed to false for this machine by HKLM\SOFTWARE\Policies\dragoman (ask IT): only an administrator can change that
models.allowed ["starter"] policy
history.enabled false policy
dragoman: the policy of this machine cannot be followed: HKLM\SOFTWARE\Policies\dragoman: clipboard.wach: unknown key: did you mean clipboard.watch?; an administrator must correct or remove it, dragoman does nothing without
remove for all: exit 0
end`), life(t, bench, "setup.sh", older, newer))
	require.Equal(t, strings.TrimSpace(`
install for all: exit 0
service:
run: dragoman-service
run: dragoman-tray
service answers
translation: Das Haus ist groß.
upgrade while a user's runs: exit 0
service:
DisplayVersion REG_SZ 0.2.0
service answers
translation: Das Haus ist groß.
history: 2
remove for all: exit 0
install with the service: exit 0
service: STATE : 4 RUNNING
service answers
translation: Das Haus ist groß.
upgrade over the service: exit 0
service: STATE : 4 RUNNING
DisplayVersion REG_SZ 0.2.0
service answers
translation: Das Haus ist groß.
history: 2
remove with the service: exit 0
service:
end`), life(t, bench, "machine.sh", older, newer))
}

// A removal that cannot delete a program keeps the entry and what the user stored,
// and can be done again.
func TestRemovalWhileInUse(t *testing.T) {
	bench := winetest.Bench(t, ovtest.Root(), "makensis")
	// Stand-ins: dragoman.exe runs on, and dragoman-tray.exe does not end it.
	parts, dist, source := t.TempDir(), t.TempDir(), filepath.Join(t.TempDir(), "main.go")
	require.NoError(t, os.WriteFile(source, []byte("package main\n\nimport (\n\t\"fmt\"\n\t\"time\"\n)\n\nfunc main() { fmt.Println(\"started\"); time.Sleep(time.Hour) }\n"), 0o600))
	for _, name := range []string{"dragomand.exe", "dragoman-tray.exe"} {
		require.NoError(t, os.WriteFile(filepath.Join(parts, name), []byte(name), 0o600))
	}
	command(t, []string{"GOOS=windows", "GOARCH=amd64", "CGO_ENABLED=0"}, "go", "build", "-o", filepath.Join(parts, "dragoman.exe"), source)
	command(t, []string{"PROGRAMS=" + parts, "RUNTIME=", "SIGN=", "COMPRESSION=zlib"}, "sh", "installer/packages/windows/build.sh", "0.1.0", dist)
	script, err := filepath.Abs("testdata/inuse.sh")
	require.NoError(t, err)
	out := command(t, nil, "bash", bench, "--prefix", filepath.Join(t.TempDir(), "prefix"), "--",
		"bash", script, filepath.Join(dist, "dragoman-slim-setup-0.1.0-amd64.exe"))
	require.Equal(t, strings.TrimSpace(`
install: exit 0
started
remove while in use: exit 4
entry: DisplayName
remove again: exit 0
end`), strings.Join(said(out), "\n"))
}

// said are the lines of a script's output that are for the test.
func said(out string) []string {
	var lines []string
	for line := range strings.Lines(out) {
		if text, ok := strings.CutPrefix(line, "= "); ok {
			lines = append(lines, strings.TrimSpace(text))
		}
	}
	return lines
}

// Programs and installer are signed by a certificate of this test, and say what
// they are.
func TestSignedSetup(t *testing.T) {
	tools(t, "makensis", "osslsigncode", "openssl")
	built, keys, dist := programs(t), t.TempDir(), t.TempDir()
	at := func(name string) string { return filepath.Join(keys, name) }
	require.NoError(t, os.WriteFile(at("password"), []byte("throw-away"), 0o600))
	command(t, nil, "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=Dragoman test",
		"-addext", "extendedKeyUsage=codeSigning", "-keyout", at("key.pem"), "-out", at("certificate.pem"))
	command(t, nil, "openssl", "pkcs12", "-export", "-inkey", at("key.pem"), "-in", at("certificate.pem"), "-out", at("certificate.p12"), "-passout", "file:"+at("password"))
	sign, err := filepath.Abs("sign.sh")
	require.NoError(t, err)
	command(t, []string{
		"PROGRAMS=" + built, "RUNTIME=", "COMPRESSION=zlib", "SIGN=sh " + sign, "CERTIFICATE=" + at("certificate.p12"), "PASSWORD_FILE=" + at("password"), "TIMESTAMP=",
	}, "sh", "installer/packages/windows/build.sh", "0.1.0", dist)
	installer := filepath.Join(dist, "dragoman-slim-setup-0.1.0-amd64.exe")
	out := command(t, nil, "osslsigncode", "verify", "-CAfile", at("certificate.pem"), "-in", installer)
	require.Contains(t, out, "Signature verification: ok")

	program, err := os.ReadFile(filepath.Join(built, "dragoman-tray.exe"))
	require.NoError(t, err)
	text := string(program)
	require.Contains(t, text, `PerMonitorV2, PerMonitor</dpiAwareness>`)
	require.Contains(t, text, `>UTF-8</activeCodePage>`)
	require.Contains(t, text, `>true</longPathAware>`)
	require.Contains(t, text, strings.Join(strings.Split("ProductName", ""), "\x00"), "UTF-16")
	require.Contains(t, text, strings.Join(strings.Split("0.1.0-test", ""), "\x00"))
}

// The same parts give the same bytes.
func TestSetupIsReproducible(t *testing.T) {
	tools(t, "makensis")
	parts := t.TempDir()
	for _, name := range []string{"dragoman.exe", "dragomand.exe", "dragoman-tray.exe"} {
		require.NoError(t, os.WriteFile(filepath.Join(parts, name), []byte(name), 0o600))
	}
	var built []string
	for range 2 {
		dist := t.TempDir()
		command(t, []string{"PROGRAMS=" + parts, "RUNTIME=", "SIGN=", "SOURCE_DATE_EPOCH=1700000000"}, "sh", "installer/packages/windows/build.sh", "0.1.0", dist)
		content, err := os.ReadFile(filepath.Join(dist, "dragoman-slim-setup-0.1.0-amd64.exe"))
		require.NoError(t, err)
		built = append(built, string(content))
		later := time.Now().Add(time.Hour)
		for _, name := range []string{"dragoman.exe", "dragomand.exe", "dragoman-tray.exe"} {
			require.NoError(t, os.Chtimes(filepath.Join(parts, name), later, later))
		}
	}
	require.True(t, built[0] == built[1], "the installers differ")
}
