package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
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

// What all tests share: the program as a user runs it, and the folders that it
// prepares the model in, so that this is done once.
var shared struct{ program, home, data, cache string }

func TestMain(m *testing.M) { os.Exit(testMain(m)) }

func testMain(m *testing.M) int {
	dir, err := os.MkdirTemp("", "dragoman-cmd-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, "make a folder for the tests:", err)
		return 1
	}
	defer os.RemoveAll(dir)
	shared.program = filepath.Join(dir, "bin", "dragoman")
	if runtime.GOOS == "windows" {
		shared.program += ".exe"
	}
	shared.home, shared.data, shared.cache = filepath.Join(dir, "home"), filepath.Join(dir, "data"), filepath.Join(dir, "cache")
	build := exec.Command("go", "build", "-o", shared.program, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "build the program: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

// patience is far more than any command here takes on a slow machine.
const patience = 3 * time.Minute

// command is a shell's state: a folder of its own and an environment.
type command struct {
	t     *testing.T
	dir   string
	env   map[string]string // "" is unset
	stdin string
	// program is another than the one that all share, "" for that.
	program string
}

func newCommand(t *testing.T) *command {
	t.Helper()
	temp := t.TempDir()
	return &command{t: t, dir: t.TempDir(), env: map[string]string{
		"HOME": shared.home, "TMPDIR": temp, "TEMP": temp, "TMP": temp, "SystemRoot": os.Getenv("SystemRoot"),
		"DRAGOMAN_OPENVINO": ovtest.Library(t).Library, "DRAGOMAN_MODEL": starter(),
		"DRAGOMAN_DATA": shared.data, "DRAGOMAN_CACHE": shared.cache,
		"DRAGOMAN_CONFIG":  filepath.Join(shared.home, "config.toml"), // not there
		"DRAGOMAN_RUNTIME": filepath.Join(shared.home, "run"),         // no service
	}}
}

func starter() string { return filepath.Join(ovtest.Root(), "assets", "starter") }

// outcome is what a caller of the program sees.
type outcome struct {
	code           int
	stdout, stderr string
}

func (c *command) prepare(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, cmp.Or(c.program, shared.program), args...)
	cmd.Dir = c.dir
	cmd.Env = []string{} // nothing of the developer's
	for name, value := range c.env {
		if value != "" {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	return cmd
}

func (c *command) run(args ...string) outcome {
	c.t.Helper()
	ctx, cancel := context.WithTimeout(c.t.Context(), patience)
	defer cancel()
	cmd := c.prepare(ctx, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(c.stdin), &stdout, &stderr
	err := cmd.Run()
	require.NoError(c.t, ctx.Err(), "%v does not end", args)
	return outcome{exitStatus(c.t, err), stdout.String(), stderr.String()}
}

func exitStatus(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	require.NoError(t, err)
	return 0
}

// succeeds runs a command that has nothing to complain about and returns its
// standard output.
func (c *command) succeeds(args ...string) string {
	c.t.Helper()
	o := c.run(args...)
	require.Equal(c.t, 0, o.code, "%v: %s", args, o.stderr)
	require.Empty(c.t, o.stderr, "%v", args)
	return o.stdout
}

func (c *command) write(name, content string) string {
	c.t.Helper()
	path := filepath.Join(c.dir, filepath.FromSlash(name))
	require.NoError(c.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(c.t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

func (c *command) read(name string) string {
	c.t.Helper()
	data, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(name)))
	require.NoError(c.t, err)
	return string(data)
}

// list names everything below a folder, hidden or not.
func list(t *testing.T, dir string) []string {
	t.Helper()
	names := []string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		names = append(names, filepath.ToSlash(rel))
		return err
	}))
	return names
}

// names of the files and folders in dir that are not hidden.
func visible(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	names := []string{}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") {
			names = append(names, e.Name())
		}
	}
	return names
}
