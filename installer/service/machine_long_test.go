//go:build long && linux

package service

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const (
	programs = "/opt/dragoman" // where the machine sees them
	tester   = "tester"
	boots    = 30 * time.Second
)

// machine is a booted Debian in a container: systemd is its first process. What
// is written lasts from one boot to the next and is gone after the test.
type machine struct {
	t      *testing.T
	root   string
	bin    string // folder of the programs on the host
	nspawn *exec.Cmd
	ended  chan error
	leader string // its first process, as the host numbers it
}

// newMachine boots one, or skips the test where that cannot be done.
func newMachine(t *testing.T) *machine {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can boot a container")
	}
	for _, program := range []string{"systemd-nspawn", "nsenter", "mmdebstrap"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is not installed (Debian: systemd-container, util-linux, mmdebstrap)", program)
		}
	}
	m := &machine{t: t, bin: buildPrograms(t)}
	m.root = overlay(t, machineTree(t))
	t.Cleanup(m.powerOff)
	m.boot()
	return m
}

// machineTree is made once and kept with the build, or is the one that
// DRAGOMAN_TEST_MACHINE names.
func machineTree(t *testing.T) string {
	t.Helper()
	if tree := os.Getenv("DRAGOMAN_TEST_MACHINE"); tree != "" {
		return tree
	}
	tree, err := filepath.Abs("../../build/machine")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(tree, ".complete")); err == nil {
		return tree
	}
	require.NoError(t, os.RemoveAll(tree))
	if out, err := exec.Command("sh", "testdata/machine.sh", tree).CombinedOutput(); err != nil {
		t.Skipf("no machine could be made, which takes a network: %v\n%s", err, out)
	}
	return tree
}

func buildPrograms(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	require.NoError(t, os.Chmod(bin, 0o755))
	cmd := exec.Command("go", "build", "-o", bin+"/", "../../cmd/dragoman", "../../cmd/dragomand")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	return bin
}

// overlay lets a machine write while the tree stays as it is.
func overlay(t *testing.T, tree string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"upper", "work", "root"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o755))
	}
	root := filepath.Join(dir, "root")
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s/upper,workdir=%s/work", tree, dir, dir)
	if err := unix.Mount("overlay", root, "overlay", 0, options); err != nil {
		t.Skipf("no overlay can be mounted: %v", err)
	}
	t.Cleanup(func() { require.NoError(t, unix.Unmount(root, unix.MNT_DETACH)) })
	return root
}

func (m *machine) boot() {
	m.t.Helper()
	console := &bytes.Buffer{}
	m.nspawn = exec.Command("systemd-nspawn", "--quiet", "--directory="+m.root, "--register=no", "--keep-unit",
		"--private-network", "--machine=dragoman-test-"+strconv.Itoa(os.Getpid()), "--bind-ro="+m.bin+":"+programs, "--boot")
	m.nspawn.Stdout, m.nspawn.Stderr = console, console
	require.NoError(m.t, m.nspawn.Start())
	m.ended = make(chan error, 1)
	go func() { m.ended <- m.nspawn.Wait() }()
	for deadline := time.Now().Add(boots); ; time.Sleep(50 * time.Millisecond) {
		if m.leader = m.firstProcess(); m.leader != "" {
			out, _ := m.inside("systemctl", "is-system-running").Output() // fails until it runs
			if state := strings.TrimSpace(string(out)); state == "running" || state == "degraded" {
				return
			}
		}
		select {
		case err := <-m.ended:
			m.nspawn = nil
			m.t.Skipf("no container can be booted here: %v\n%s", err, console)
		default:
		}
		if time.Now().After(deadline) {
			m.t.Fatal("the machine does not come up")
		}
	}
}

func (m *machine) firstProcess() string {
	pid := strconv.Itoa(m.nspawn.Process.Pid)
	children, err := os.ReadFile(filepath.Join("/proc", pid, "task", pid, "children"))
	if err != nil {
		return ""
	}
	for _, child := range strings.Fields(string(children)) {
		if name, err := os.ReadFile(filepath.Join("/proc", child, "comm")); err == nil && strings.TrimSpace(string(name)) == "systemd" {
			return child
		}
	}
	return ""
}

// powerOff shuts the machine down as its power button would.
func (m *machine) powerOff() {
	if m.nspawn == nil {
		return
	}
	if pid, err := strconv.Atoi(m.leader); err == nil {
		_ = unix.Kill(pid, 34+4) // SIGRTMIN+4, systemd(1); its end is waited for below
	}
	select {
	case <-m.ended:
	case <-time.After(boots):
		_ = m.nspawn.Process.Kill()
		<-m.ended
	}
	m.nspawn = nil
}

func (m *machine) inside(command ...string) *exec.Cmd {
	args := append([]string{"--target", m.leader, "--mount", "--uts", "--ipc", "--net", "--pid", "--", "env", "-i", "-C", "/",
		"PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:" + programs, "HOME=/root", "LANG=C.UTF-8"}, command...)
	return exec.Command("nsenter", args...)
}

// as runs a command of the shell as root or as tester in its session, and
// returns what it printed and its exit status.
func (m *machine) as(user, command string) (output string, status int) {
	m.t.Helper()
	output, status = m.try(user, command)
	m.t.Logf("%s: %s\n%s", user, command, output)
	return output, status
}

func (m *machine) try(user, command string) (output string, status int) {
	m.t.Helper()
	cmd := m.inside("bash", "-c", command)
	if user == tester {
		cmd = m.inside("runuser", "-u", tester, "--", "env", "HOME=/home/tester", "XDG_RUNTIME_DIR=/run/user/1000", "bash", "-c", command)
	}
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		m.t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// must is as for a command that has to work.
func (m *machine) must(user, command string) string {
	m.t.Helper()
	out, status := m.as(user, command)
	require.Zero(m.t, status, "%s: %s\n%s", user, command, out)
	return out
}

// eventually waits until a command works.
func (m *machine) eventually(user, command string) string {
	m.t.Helper()
	for deadline := time.Now().Add(boots); ; time.Sleep(100 * time.Millisecond) {
		out, status := m.try(user, command)
		if status == 0 {
			return out
		}
		if time.Now().After(deadline) {
			m.as("root", "journalctl --no-pager --lines=100")
			m.t.Fatalf("%s: %s\n%s", user, command, out)
		}
	}
}
