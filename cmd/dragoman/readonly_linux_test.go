package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// In a home that cannot be written a text is translated, and what has to be kept
// says where else it may go.
func TestAReadOnlyHome(t *testing.T) {
	home := t.TempDir()
	readOnly := func(args ...string) *exec.Cmd {
		c := exec.Command("unshare", append([]string{"-rm", "sh", "-c", `mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME" && exec "$@"`, "sh"}, args...)...)
		c.Env = []string{"HOME=" + home, "PATH=" + os.Getenv("PATH")}
		return c
	}
	if out, err := readOnly("true").CombinedOutput(); err != nil {
		t.Skipf("no namespace of mounts can be made here: %v: %s", err, out)
	}
	env := newCommand(t).env
	run := func(args ...string) (stdout, stderr string, code int) {
		c := readOnly(append([]string{shared.program}, args...)...)
		for _, name := range []string{"DRAGOMAN_OPENVINO", "DRAGOMAN_MODEL"} {
			c.Env = append(c.Env, name+"="+env[name])
		}
		var out, errs strings.Builder
		c.Stdout, c.Stderr = &out, &errs
		_ = c.Run() // its code is looked at
		return out.String(), errs.String(), c.ProcessState.ExitCode()
	}
	out, errs, code := run("translate", "--from", "en", "--to", "de", "The house is big.")
	require.Zero(t, code, errs)
	require.Equal(t, "Das Haus ist groß.\n", out)
	require.Contains(t, errs, "every start will be slower")
	for _, test := range []struct {
		args []string
		says []string
	}{
		{[]string{"config", "set", "log.level", "debug"}, []string{"read-only", "DRAGOMAN_CONFIG"}},
		{[]string{"glossary", "add", "--from", "en", "--to", "de", "house", "Haus"}, []string{"read-only", "DRAGOMAN_DATA"}},
		{[]string{"models", "import", starter(), "--name", "mine"}, []string{"read-only", "DRAGOMAN_DATA"}},
		{[]string{"doctor"}, []string{"service cannot run", "DRAGOMAN_STATE", "DRAGOMAN_CACHE", "DRAGOMAN_DATA"}},
	} {
		out, errs, code := run(test.args...)
		for _, want := range test.says {
			require.Contains(t, out+errs, want, "%v", test.args)
		}
		require.Equal(t, test.args[0] == "doctor", code == 0, "%v: %s", test.args, errs)
	}
	left, err := filepath.Glob(filepath.Join(home, ".*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
