//go:build unix

package systray

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/godbus/dbus/v5/prop"
	"github.com/stretchr/testify/require"
)

// soon is how long tests wait for what takes milliseconds.
const soon = 30 * time.Second

// bus is a session bus of the test's own, in a file, so that it can end and
// begin again at the same address.
type bus struct {
	path    string
	command *exec.Cmd
}

// startBus begins a bus in a folder. Without dbus-daemon a test skips at home
// and fails in CI.
func startBus(t *testing.T, folder string) *bus {
	t.Helper()
	daemon, err := exec.LookPath("dbus-daemon")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("CI must have dbus-daemon: %v", err)
		}
		t.Skipf("needs dbus-daemon, of the package dbus: %v", err)
	}
	b := &bus{path: filepath.Join(folder, "bus")}
	config := filepath.Join(folder, "bus.conf")
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, `<busconfig><type>session</type><listen>unix:path=%s</listen>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`, b.path), 0o600))
	_ = os.Remove(b.path) // of one that was killed
	b.command = exec.Command(daemon, "--nofork", "--print-address=1", "--config-file="+config)
	b.command.Stderr = t.Output()
	out, err := b.command.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, b.command.Start())
	t.Cleanup(b.stop)
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err, "the bus has not begun")
	require.Contains(t, line, "unix:path=")
	return b
}

func (b *bus) stop() {
	_ = b.command.Process.Kill()
	_, _ = b.command.Process.Wait()
}

func (b *bus) address() string { return "unix:path=" + b.path }

func (b *bus) connect(t *testing.T) *dbus.Conn {
	t.Helper()
	conn, err := dbus.Connect(b.address())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// desktop is a status notifier watcher and host, as a panel is one: it keeps
// what registers itself. The names are those of the protocol.
type desktop struct {
	conn  *dbus.Conn
	items chan *item
	props *prop.Properties
}

// startDesktop begins one; host says whether it shows icons too.
func startDesktop(t *testing.T, b *bus, host bool) *desktop {
	t.Helper()
	d := &desktop{conn: b.connect(t), items: make(chan *item, 8)}
	var err error
	d.props, err = prop.Export(d.conn, watcherPath, prop.Map{watcherName: {
		"IsStatusNotifierHostRegistered": {Value: host, Emit: prop.EmitTrue},
		"ProtocolVersion":                {Value: int32(0)},
	}})
	require.NoError(t, err)
	require.NoError(t, d.conn.Export(d, watcherPath, watcherName))
	reply, err := d.conn.RequestName(watcherName, dbus.NameFlagDoNotQueue)
	require.NoError(t, err)
	require.Equal(t, dbus.RequestNameReplyPrimaryOwner, reply)
	return d
}

// RegisterStatusNotifierItem is called by the library.
func (d *desktop) RegisterStatusNotifierItem(service string, sender dbus.Sender) *dbus.Error {
	d.items <- &item{conn: d.conn, owner: string(sender), path: dbus.ObjectPath(service)}
	return nil
}

// item waits for the next icon.
func (d *desktop) item(t *testing.T) *item {
	t.Helper()
	select {
	case i := <-d.items:
		return i
	case <-time.After(soon):
		t.Fatal("no icon has come")
		return nil
	}
}

// item is an icon as a panel sees it.
type item struct {
	conn  *dbus.Conn
	owner string
	path  dbus.ObjectPath
}

func (i *item) property(t *testing.T, name string) any {
	t.Helper()
	v, err := i.conn.Object(i.owner, i.path).GetProperty("org.kde.StatusNotifierItem." + name)
	require.NoError(t, err)
	return v.Value()
}

func (i *item) tooltip(t *testing.T) string {
	t.Helper()
	return i.property(t, "ToolTip").([]any)[2].(string)
}

// pixels returns the picture: its size, then alpha, red, green and blue of
// each pixel.
func (i *item) pixels(t *testing.T) (width, height int32, argb []byte) {
	t.Helper()
	pictures := i.property(t, "IconPixmap").([][]any)
	require.Len(t, pictures, 1)
	return pictures[0][0].(int32), pictures[0][1].(int32), pictures[0][2].([]byte)
}

// entry is an item of the menu as a panel sees it.
type entry struct {
	id                               int32
	label                            string
	enabled, visible, check, checked bool
	separator                        bool
	children                         []entry
}

func (i *item) menu(t *testing.T) []entry {
	t.Helper()
	type node struct {
		ID    int32
		Props map[string]dbus.Variant
		Kids  []dbus.Variant
	}
	var revision uint32
	var root node
	// The library answers the first call with one level, whatever was asked.
	for range 2 {
		path := i.property(t, "Menu").(dbus.ObjectPath)
		call := i.conn.Object(i.owner, path).Call("com.canonical.dbusmenu.GetLayout", 0, int32(0), int32(-1), []string{})
		require.NoError(t, call.Store(&revision, &root))
	}
	var read func(props map[string]dbus.Variant, id int32, kids []dbus.Variant) entry
	read = func(props map[string]dbus.Variant, id int32, kids []dbus.Variant) entry {
		e := entry{id: id, enabled: true, visible: true}
		for name, v := range props {
			switch name {
			case "label":
				e.label = v.Value().(string)
			case "enabled":
				e.enabled = v.Value().(bool)
			case "visible":
				e.visible = v.Value().(bool)
			case "type":
				e.separator = v.Value() == "separator"
			case "toggle-type":
				e.check = v.Value() == "checkmark"
			case "toggle-state":
				e.checked = v.Value().(int32) == 1
			}
		}
		for _, k := range kids {
			parts := k.Value().([]any)
			e.children = append(e.children, read(parts[1].(map[string]dbus.Variant), parts[0].(int32), parts[2].([]dbus.Variant)))
		}
		return e
	}
	return read(root.Props, root.ID, root.Kids).children
}

// click does what a panel does for a person.
func (i *item) click(t *testing.T, id int32) {
	t.Helper()
	menu := i.conn.Object(i.owner, i.property(t, "Menu").(dbus.ObjectPath))
	require.NoError(t, menu.Call("com.canonical.dbusmenu.Event", 0, id, "clicked", dbus.MakeVariant(0), uint32(0)).Err)
}

// signals counts what comes from an icon.
type signals struct {
	mu    sync.Mutex
	count map[string]int
}

func (i *item) signals(t *testing.T) *signals {
	t.Helper()
	s := &signals{count: map[string]int{}}
	require.NoError(t, i.conn.AddMatchSignal(dbus.WithMatchSender(i.owner)))
	c := make(chan *dbus.Signal, 4096)
	i.conn.Signal(c)
	go func() {
		for signal := range c {
			if signal.Sender == i.owner {
				s.mu.Lock()
				s.count[signal.Name[strings.LastIndex(signal.Name, ".")+1:]]++
				s.mu.Unlock()
			}
		}
	}()
	return s
}

// take returns the counts since the last call.
func (s *signals) take() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.count
	s.count = map[string]int{}
	return taken
}
