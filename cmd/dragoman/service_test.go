package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/instance"
	"dragoman/installer/service"
)

func TestServiceStatusSaysTheNextStep(t *testing.T) {
	running := service.Status{
		State: service.Running, PID: 42, Since: time.Date(2026, 2, 3, 4, 5, 6, 0, time.Local), Text: "ready\x1b[2J", Restarts: 2,
		Enabled: true, Unit: "/units/dragoman.service", Executable: "/bin/dragomand",
	}
	var out strings.Builder
	require.NoError(t, (&serviceCommand{}).sayStatus(&out, running))
	for _, line := range []string{
		"State:    running\n", "Says:     ready\ufffd[2J\n",
		"Process:  42, since 2026-02-03 04:05:06, restarts after failures: 2\n", "Unit:     /units/dragoman.service\n",
	} {
		require.Contains(t, out.String(), line)
	}
	for _, test := range []struct {
		state  service.State
		system bool
		want   string
	}{
		{service.NotInstalled, false, "`dragoman service install`"},
		{service.NotInstalled, true, "`dragoman service install --system`"},
		{service.Stopped, false, "`dragoman service start`"},
		{service.Failed, true, "`dragoman service logs --system`"},
		{service.Restarting, false, "`dragoman service logs`"},
	} {
		t.Run(string(test.state), func(t *testing.T) {
			var out strings.Builder
			err := (&serviceCommand{system: test.system}).sayStatus(&out, service.Status{State: test.state})
			require.ErrorContains(t, err, test.want)
			require.Equal(t, exitNoService, exitCode(err))
		})
	}
}

func TestServiceInstallSaysWhenItStarts(t *testing.T) {
	if !onLinux {
		t.Skip("lingering is systemd's")
	}
	for _, test := range []struct {
		name    string
		command serviceCommand
		result  service.Installed
		noStart bool
		want    []string
		never   string
	}{
		{"at the login", serviceCommand{}, service.Installed{}, false, []string{"It is running.", "`loginctl enable-linger`"}, "ReadWritePaths"},
		{"with the machine", serviceCommand{}, service.Installed{Lingering: true}, false, []string{"with the machine"}, "enable-linger"},
		{"not now", serviceCommand{}, service.Installed{}, true, []string{"`dragoman service start`"}, "It is running."},
		{"restarted", serviceCommand{}, service.Installed{Restarted: true}, true, []string{"restarted"}, "not started yet"},
		{"system", serviceCommand{system: true}, service.Installed{}, false, []string{"with the machine", "ReadWritePaths", "dragoman service status --system"}, "enable-linger"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var out strings.Builder
			test.command.sayInstalled(&out, test.result, test.noStart)
			for _, want := range test.want {
				require.Contains(t, out.String(), want)
			}
			require.NotContains(t, out.String(), test.never)
		})
	}
}

func TestServiceInstallSaysWhoseUnitItIs(t *testing.T) {
	for want, result := range map[string]service.Installed{
		"Installed the service":                       {},
		"Replaced the service":                        {Replaced: true},
		"The package has installed the service":       {Packaged: true},
		"Replaced the service by that of the package": {Packaged: true, Replaced: true},
	} {
		require.Equal(t, want, whatInstalled(result))
	}
}

func TestServiceMistakes(t *testing.T) {
	for _, test := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown command", []string{"service", "instal"}, "did you mean `dragoman service install`?"},
		{"an argument", []string{"service", "start", "now"}, "takes no arguments"},
		{"purge of a user's", []string{"service", "uninstall", "--purge"}, "--purge is for --system"},
		{"no number of lines", []string{"service", "logs", "--lines", "-1"}, "--lines -1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			root := newRoot()
			root.SetArgs(test.args)
			err := root.ExecuteContext(t.Context())
			require.ErrorContains(t, err, test.want)
			require.Equal(t, exitUsage, exitCode(err))
		})
	}
}

func withoutServiceManager(t *testing.T) {
	if _, err := os.Stat("/run/systemd/system"); err == nil || !onLinux {
		t.Skip("this machine has a service manager")
	}
}

func TestServiceWithoutAServiceManager(t *testing.T) {
	withoutServiceManager(t)
	for _, args := range [][]string{{"install"}, {"uninstall"}, {"start"}, {"stop"}, {"restart"}, {"status"}, {"install", "--system"}, {"logs", "--system"}} {
		root := newRoot()
		root.SetArgs(append([]string{"service"}, args...))
		err := root.ExecuteContext(t.Context())
		require.ErrorIs(t, err, service.ErrNoManager)
		require.ErrorContains(t, err, "run `dragomand` in the foreground")
		require.Equal(t, exitSetup, exitCode(err))
	}
}

// A daemon that somebody started serves all the same.
func TestServiceStatusTellsOfTheForeground(t *testing.T) {
	withoutServiceManager(t)
	state := t.TempDir()
	t.Setenv("DRAGOMAN_STATE", state)
	status := func() string {
		var out strings.Builder
		root := newRoot()
		root.SetOut(&out)
		root.SetArgs([]string{"service", "status"})
		require.ErrorIs(t, root.ExecuteContext(t.Context()), service.ErrNoManager)
		return out.String()
	}
	require.Empty(t, status())
	release, err := instance.Take(state, instance.Info{PID: 4711, Executable: "/opt/dragomand"})
	require.NoError(t, err)
	require.Contains(t, status(), "process 4711")
	require.Contains(t, status(), "/opt/dragomand")
	release()
	require.Empty(t, status())
}

// A daemon in the foreground leaves a file.
func TestServiceLogsWithoutAServiceManager(t *testing.T) {
	withoutServiceManager(t)
	dir := t.TempDir()
	t.Setenv("DRAGOMAN_CONFIG", filepath.Join(dir, "config.toml"))
	t.Setenv("DRAGOMAN_STATE", filepath.Join(dir, "state"))
	logs := func() (string, error) {
		var out strings.Builder
		root := newRoot()
		root.SetOut(&out)
		root.SetArgs([]string{"service", "logs", "--lines", "1"})
		err := root.ExecuteContext(t.Context())
		return out.String(), err
	}
	_, err := logs()
	require.ErrorContains(t, err, "has not run yet")
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "state", "log"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "state", "log", "dragomand.log"), []byte("one\ntwo\n"), 0o600))
	text, err := logs()
	require.NoError(t, err)
	require.Equal(t, "two\n", text)

	require.NoError(t, os.WriteFile(filepath.Join(dir, "config.toml"), []byte("log.file = \"mine.log\"\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "mine.log"), []byte("mine\n"), 0o600))
	text, err = logs()
	require.NoError(t, err)
	require.Equal(t, "mine\n", text, "the file that the settings name")
}
