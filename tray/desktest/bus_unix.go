//go:build unix

package desktest

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"
)

// Bus is a session bus of the test's own, in a file, so that it can end and
// begin again at the same address.
type Bus struct {
	folder  string
	command *exec.Cmd
}

// StartBus begins a bus that ends with the test.
func StartBus(t *testing.T) *Bus {
	t.Helper()
	folder, err := os.MkdirTemp("", "dragoman-bus-") // sockets take no long paths
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	b := &Bus{folder: folder}
	b.Start(t)
	return b
}

// Start begins the bus again, after Stop.
func (b *Bus) Start(t *testing.T) {
	t.Helper()
	daemon := Need(t, "dbus-daemon", "dbus")
	config := filepath.Join(b.folder, "bus.conf")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `<busconfig><type>session</type><listen>%s</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`, b.Address()), 0o600))
	_ = os.Remove(b.socket()) // of one that was killed
	b.command = exec.Command(daemon, "--nofork", "--print-address=1", "--config-file="+config)
	b.command.Stderr = t.Output()
	out, err := b.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, b.command.Start())
	t.Cleanup(b.Stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "the bus has not begun")
	require.Contains(t, line, "unix:path=")
}

// Stop kills the bus, and so all that it connects.
func (b *Bus) Stop() {
	_ = b.command.Process.Kill()
	_, _ = b.command.Process.Wait()
}

// Address is for DBUS_SESSION_BUS_ADDRESS.
func (b *Bus) Address() string { return "unix:path=" + b.socket() }

func (b *Bus) socket() string { return filepath.Join(b.folder, "bus") }

// Connect makes a connection that ends with the test.
func (b *Bus) Connect(t *testing.T) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(b.Address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// own takes a name on the bus.
func own(t *testing.T, conn *dbus.Conn, name string) {
	t.Helper()
	reply, err := conn.RequestName(name, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	require.Equal(t, dbus.RequestNameReplyPrimaryOwner, reply)
}
