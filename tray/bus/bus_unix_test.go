//go:build unix

package bus

import (
	"net"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

func TestConnect(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", desktest.StartBus(t).Address())
	conn, err := Connect(desktest.Soon)
	require.NoError(t, err)
	require.NotEmpty(t, conn.Names())
	require.NoError(t, conn.Close())
}

func TestNoBus(t *testing.T) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+filepath.Join(t.TempDir(), "none"))
	_, err := Connect(desktest.Soon)
	require.ErrorIs(t, err, ErrNone)
}

func TestABusThatHangs(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "bus")
	l, err := net.Listen("unix", socket) // takes connections and says nothing
	require.NoError(t, err)
	defer l.Close()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+socket)
	_, err = Connect(50 * time.Millisecond)
	require.ErrorIs(t, err, ErrNone)
}
