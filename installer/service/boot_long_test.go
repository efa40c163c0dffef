//go:build long && linux

package service

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// scopes are the two services with what differs on the machine.
var scopes = []struct {
	name, user, flag, systemctl, settings string
	left                                  string // finds what an uninstalled service left
}{
	{
		name: "user", user: tester, systemctl: "systemctl --user", settings: "~/.config/dragoman",
		left: `find /home/tester/.config /run/user/1000 -name '*dragoman*' 2>/dev/null; ls -d /home/tester/.config/systemd 2>/dev/null; true`,
	},
	{
		name: "system", user: "root", flag: " --system", systemctl: "systemctl", settings: "/etc/dragoman",
		left: `find /etc /run /var/lib /var/cache -name '*dragoman*' -not -path '/var/lib/systemd/*' -not -path '/run/systemd/*'; getent passwd dragoman; getent group dragoman; true`,
	},
}

// notRunning is the exit code of dragoman that scripts rely on.
const notRunning = 5

// The life of a service under a real systemd, from its installation to its end.
func TestServiceInABootedMachine(t *testing.T) {
	for _, s := range scopes {
		t.Run(s.name, func(t *testing.T) {
			m := newMachine(t)
			service := func(command string) string { return "dragoman service " + command + s.flag }
			pid := func() string {
				return strings.TrimSpace(m.must(s.user, s.systemctl+" show --property=MainPID --value dragoman"))
			}
			if s.user == tester {
				m.must("root", "loginctl enable-linger tester")
				m.eventually(tester, "systemctl --user show --property=Version")
			}
			out, status := m.as(s.user, service("status"))
			require.Equal(t, notRunning, status)
			require.Contains(t, out, "not installed")

			// Installed, it runs and is known by its unit.
			out = m.must(s.user, service("install"))
			require.Contains(t, out, "It is running.")
			require.Contains(t, out, "starts with the machine")
			require.Contains(t, m.must(s.user, service("status")), "State:    running")
			first := pid()
			out = m.must(s.user, s.systemctl+" show --property=Type,Result,UnitFileState,NeedDaemonReload dragoman")
			require.Equal(t, []string{"NeedDaemonReload=no", "Result=success", "Type=notify", "UnitFileState=enabled"}, sorted(out))

			// A second one is refused and told who holds the place.
			if s.user == tester {
				out, status = m.as(s.user, "dragomand run")
				require.Equal(t, 1, status)
				require.Contains(t, out+m.must(s.user, "cat ~/.local/state/dragoman/log/dragomand.log"), "process "+first)
			}

			// Killed, it comes back by itself.
			m.must(s.user, s.systemctl+" kill --kill-who=main --signal=KILL dragoman")
			m.eventually(s.user, s.systemctl+` show --property=MainPID --value dragoman | grep -v -x -e 0 -e `+first+` && `+s.systemctl+" is-active dragoman")
			require.Contains(t, m.must(s.user, service("status")), "restarts after failures: 1")

			// It reloads without a restart, and restarts when told to.
			second := pid()
			m.must(s.user, s.systemctl+" reload dragoman")
			require.Equal(t, second, pid())
			m.eventually(s.user, service("logs")+" | grep -i 'settings were read'")
			m.must(s.user, service("restart"))
			third := pid()
			require.NotEqual(t, second, third)

			// A reload that is asked for during the start is not lost, although systemd
			// may take both as one.
			m.must(s.user, "mkdir "+s.settings+"; "+s.systemctl+" --no-block restart dragoman; "+
				"echo 'history.enabled = false' >"+s.settings+"/config.toml; "+s.systemctl+" reload dragoman")
			require.NotEqual(t, third, pid())
			m.eventually(s.user, "dragoman status | grep 'history  *off'")
			m.must(s.user, "echo 'queue.workers = 2' >>"+s.settings+"/config.toml; "+s.systemctl+" reload dragoman")
			m.eventually(s.user, "dragoman status | grep -F '`"+service("restart")+"`'")
			m.must(s.user, "rm -r "+s.settings)

			// It stops cleanly and starts again; both may be said twice.
			m.must(s.user, service("stop"))
			m.must(s.user, service("stop"))
			out, status = m.as(s.user, service("status"))
			require.Equal(t, notRunning, status)
			require.Contains(t, out, "State:    stopped", "and not failed")
			m.must(s.user, service("start"))
			m.must(s.user, service("start"))

			// Installing again replaces it while it runs.
			before := pid()
			require.Contains(t, m.must(s.user, service("install")), "Replaced the service")
			require.NotEqual(t, before, pid())

			// It starts with the machine.
			m.powerOff()
			m.boot()
			m.eventually(s.user, service("status"))

			// Nothing of it stays, not even what was changed by hand.
			unit := strings.TrimSpace(m.must(s.user, s.systemctl+" show --property=FragmentPath --value dragoman"))
			m.must(s.user, "mkdir "+unit+".d && printf '[Service]\\nRestartSec=3\\n' >"+unit+".d/mine.conf")
			m.must(s.user, service("uninstall"))
			if s.user == "root" {
				require.NotEmpty(t, m.must("root", "ls /var/lib/dragoman"), "the data stays until it is purged")
				m.must("root", "dragoman service uninstall --system --purge")
			}
			require.Empty(t, m.must(s.user, s.left))
			_, status = m.as("root", "pgrep -x dragomand")
			require.Equal(t, 1, status, "no process is left")
			require.Equal(t, "not-found", strings.TrimSpace(m.must(s.user, s.systemctl+" show --property=LoadState --value dragoman")))
			require.Empty(t, m.must(s.user, s.systemctl+" --failed --no-legend --plain | grep dragoman; true"))
		})
	}
}

// Without lingering a user's service lives from the first login to the last
// logout.
func TestServiceFollowsTheSession(t *testing.T) {
	m := newMachine(t)
	const session = "systemctl start user@1000.service" // what pam_systemd does at a login
	m.must("root", session)
	out := m.must(tester, "dragoman service install")
	require.Contains(t, out, "loginctl enable-linger", "the way to have it started with the machine is said")
	m.must("root", "systemctl stop user@1000.service")
	_, status := m.as("root", "pgrep -x dragomand")
	require.Equal(t, 1, status, "logged out")
	m.powerOff()
	m.boot()
	_, status = m.as("root", "pgrep -x dragomand")
	require.Equal(t, 1, status, "nobody is logged in yet")
	m.must("root", session)
	m.eventually(tester, "dragoman service status")
}

func TestShellsThatAreNoSession(t *testing.T) {
	m := newMachine(t)
	for _, test := range []struct{ name, user, command, want string }{
		{"su", "root", "runuser -u tester -- env -u XDG_RUNTIME_DIR HOME=/home/tester dragoman service install", "XDG_RUNTIME_DIR is not set"},
		{"sudo with the user's environment", "root", "XDG_RUNTIME_DIR=/run/user/1000 dragoman service install", "belongs to user tester"},
		{"system without root", tester, "dragoman service install --system", "sudo dragoman service install --system"},
	} {
		t.Run(test.name, func(t *testing.T) {
			m.must("root", "systemctl start user@1000.service")
			out, status := m.as(test.user, test.command)
			require.NotZero(t, status)
			require.Contains(t, out, test.want)
		})
	}
}

// An installation that fails half-way is as if it had not been tried.
func TestFailedInstallationIsUndone(t *testing.T) {
	m := newMachine(t)
	m.must("root", "systemctl start user@1000.service")
	m.must(tester, "mkdir -p ~/.config/systemd/user && echo in the way >~/.config/systemd/user/default.target.wants")
	out, status := m.as(tester, "dragoman service install")
	require.Equal(t, 1, status, out)
	require.Empty(t, m.must(tester, "find ~/.config -name '*dragoman*'"))
	m.must(tester, "rm ~/.config/systemd/user/default.target.wants && dragoman service install")
}

// systemd finds nothing wrong with the units and calls the system one safe.
func TestUnitsAreGood(t *testing.T) {
	m := newMachine(t)
	m.must("root", "systemctl start user@1000.service")
	m.must("root", "dragoman service install --system && dragoman service stop --system")
	m.must(tester, "dragoman service install")
	require.Empty(t, m.must("root", "systemd-analyze verify /etc/systemd/system/dragoman.service"))
	require.Empty(t, m.must(tester, "systemd-analyze verify --user ~/.config/systemd/user/dragoman.service"))
	m.must("root", "systemd-analyze security --threshold=20 dragoman.service >/dev/null") // 20 stands for 2.0 of 10
}

func sorted(lines string) []string {
	l := strings.Split(strings.TrimSpace(lines), "\n")
	slices.Sort(l)
	return l
}
