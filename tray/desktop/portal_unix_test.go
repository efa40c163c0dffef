//go:build unix

package desktop

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// stubPortal speaks the protocol of XDG Desktop Portal and asks nobody: each
// test says how a person or a desktop answers. Real ones come with desktops only.
type stubPortal struct {
	conn   *dbus.Conn
	closed chan dbus.ObjectPath

	mu       sync.Mutex
	versions map[string]uint32 // by interface
	answers  answers
	early    bool     // the answer comes before the call returns, as it may
	calls    []string // methods in order
}

// answers returns the code and results of a request by its method.
type answers func(method string, options map[string]dbus.Variant, args ...any) (uint32, map[string]any)

func (p *stubPortal) has(versions map[string]uint32) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.versions = versions
}

func (p *stubPortal) answer(a answers) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.answers = a
}

func (p *stubPortal) note(call string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.calls = append(p.calls, call)
}

func (p *stubPortal) noted() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return append([]string{}, p.calls...)
}

func (p *stubPortal) get(iface, _ string) (dbus.Variant, *dbus.Error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if v, found := p.versions[iface]; found {
		return dbus.MakeVariant(v), nil
	}
	return dbus.Variant{}, dbus.NewError("org.freedesktop.DBus.Error.InvalidArgs", []any{"no such interface"})
}

// request answers as xdg-desktop-portal does: at a path made of the caller's
// name and token, of which only it knows.
func (p *stubPortal) request(method string, sender dbus.Sender, options map[string]dbus.Variant, args ...any) (dbus.ObjectPath, *dbus.Error) {
	p.note(method)
	name := strings.ReplaceAll(strings.TrimPrefix(string(sender), ":"), ".", "_")
	path := dbus.ObjectPath("/org/freedesktop/portal/desktop/request/" + name + "/" + options["handle_token"].Value().(string))
	p.closeable(path, requestIface)
	p.mu.Lock()
	answer, early := p.answers, p.early
	p.mu.Unlock()
	respond := func() {
		code, values := answer(method, options, args...)
		results := map[string]dbus.Variant{}
		for k, v := range values {
			results[k] = dbus.MakeVariant(v)
		}
		if code != unanswered {
			_ = p.conn.Emit(path, requestIface+".Response", code, results)
		}
	}
	if early {
		respond()
	} else {
		time.AfterFunc(10*time.Millisecond, respond)
	}
	return path, nil
}

const unanswered = 99

func (p *stubPortal) closeable(path dbus.ObjectPath, iface string) {
	p.mu.Lock() // the library's lock does not cover all of this
	defer p.mu.Unlock()
	_ = p.conn.ExportMethodTable(map[string]any{"Close": func() *dbus.Error {
		p.closed <- path
		return nil
	}}, path, iface)
}

func (p *stubPortal) export() error {
	for iface, methods := range map[string]map[string]any{
		"org.freedesktop.DBus.Properties": {"Get": p.get},
		chooserIface: {"OpenFile": func(sender dbus.Sender, parent, title string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
			return p.request("OpenFile", sender, options, parent, title)
		}},
		registryIface: {"Register": func(id string, _ map[string]dbus.Variant) *dbus.Error {
			p.note("Register " + id)
			return dbus.NewError("org.freedesktop.portal.Error.Failed", []any{"no such .desktop file"})
		}},
		shortcutsIface: {
			"CreateSession": func(sender dbus.Sender, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
				return p.request("CreateSession", sender, options)
			},
			"BindShortcuts": func(sender dbus.Sender, session dbus.ObjectPath, shortcuts []stubShortcut, parent string, options map[string]dbus.Variant) (dbus.ObjectPath, *dbus.Error) {
				return p.request("BindShortcuts", sender, options, session, shortcuts, parent)
			},
		},
	} {
		if err := p.conn.ExportMethodTable(methods, portalPath, iface); err != nil {
			return err
		}
	}
	_, err := p.conn.RequestName(portalName, dbus.NameFlagDoNotQueue)
	return err
}

type stubShortcut struct {
	ID      string
	Options map[string]dbus.Variant
}

// busConfig is a session bus that starts nothing of this machine's desktop, which
// may have a portal.
const busConfig = `<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir=/tmp</listen><servicedir>%s</servicedir>
<policy context="default"><allow send_destination="*"/><allow eavesdrop="true"/><allow own="*"/></policy></busconfig>`

// startBus runs a session bus for one test and makes it the process's. programs
// are what it starts by itself, by the names that these have there.
func startBus(t *testing.T, programs map[string]string) (address string) {
	t.Helper()
	daemon := desktest.Need(t, "dbus-daemon", "dbus")
	services, config := t.TempDir(), filepath.Join(t.TempDir(), "bus.conf")
	for name, program := range programs {
		text := "[D-BUS Service]\nName=" + name + "\nExec=" + program + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(services, name+".service"), []byte(text), 0o644))
	}
	require.NoError(t, os.WriteFile(config, fmt.Appendf(nil, busConfig, services), 0o644))
	cmd := exec.Command(daemon, "--config-file="+config, "--nofork", "--nopidfile", "--print-address=1")
	cmd.Env = append(os.Environ(), "DRAGOMAN_TEST_PORTAL=1")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address, err = bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	address = strings.TrimSpace(address)
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", address)
	return address
}

func startPortal(t *testing.T, address string) *stubPortal {
	t.Helper()
	conn, err := dbus.Connect(address)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	p := &stubPortal{conn: conn, versions: map[string]uint32{chooserIface: 4, shortcutsIface: 1}, closed: make(chan dbus.ObjectPath, 8)}
	require.NoError(t, p.export())
	return p
}

// TestMain makes this test's program, started once more by the bus, a portal.
func TestMain(m *testing.M) {
	if os.Getenv("DRAGOMAN_TEST_PORTAL") == "" {
		os.Exit(m.Run())
	}
	conn, err := dbus.ConnectSessionBus()
	if err == nil {
		p := &stubPortal{conn: conn, versions: map[string]uint32{chooserIface: 4}, closed: make(chan dbus.ObjectPath, 8)}
		p.answer(chooses("file:///started"))
		err = p.export()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "portal:", err)
		os.Exit(1)
	}
	<-conn.Context().Done()
	os.Exit(0)
}

func chooses(uris ...string) answers {
	return func(string, map[string]dbus.Variant, ...any) (uint32, map[string]any) {
		return 0, map[string]any{"uris": uris}
	}
}

func TestChooseFolder(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	require.True(t, CanChooseFolder(t.Context()))
	for _, early := range []bool{false, true} {
		p.mu.Lock()
		p.early = early
		p.mu.Unlock()
		p.answer(func(_ string, options map[string]dbus.Variant, args ...any) (uint32, map[string]any) {
			if options["directory"].Value() != true || args[1] != "Which folder?" {
				return 2, nil
			}
			return 0, map[string]any{"uris": []string{"file:///home/me/My%20Texts/%C3%96l%25/"}}
		})
		path, err := ChooseFolder(t.Context(), "Which folder?")
		require.NoError(t, err)
		require.Equal(t, "/home/me/My Texts/Öl%", path)
	}
}

func TestChooseFolderWithoutAFolder(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	for name, c := range map[string]struct {
		code    uint32
		results map[string]any
		err     string
	}{
		"cancelled":         {code: 1},
		"nothing chosen":    {results: map[string]any{"uris": []string{}}},
		"nothing told":      {},
		"rubbish told":      {results: map[string]any{"uris": uint32(7)}},
		"ended otherwise":   {code: 2, err: "the desktop refused"},
		"elsewhere":         {results: map[string]any{"uris": []string{"sftp://host/folder"}}, err: "no folder of this machine"},
		"on a host":         {results: map[string]any{"uris": []string{"file://host/folder"}}, err: "no folder of this machine"},
		"not an address":    {results: map[string]any{"uris": []string{"file:///%zz"}}, err: "no folder of this machine"},
		"not an whole path": {results: map[string]any{"uris": []string{"file:folder"}}, err: "no folder of this machine"},
	} {
		t.Run(name, func(t *testing.T) {
			p.answer(func(string, map[string]dbus.Variant, ...any) (uint32, map[string]any) { return c.code, c.results })
			path, err := ChooseFolder(t.Context(), "Which folder?")
			require.Empty(t, path)
			if c.err == "" {
				require.NoError(t, err)
			} else {
				require.ErrorContains(t, err, c.err)
			}
		})
	}
}

func TestChooseFolderIsGivenUp(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	asked := make(chan struct{})
	p.answer(func(string, map[string]dbus.Variant, ...any) (uint32, map[string]any) {
		close(asked)
		return unanswered, nil
	})
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-asked
		cancel()
	}()
	_, err := ChooseFolder(ctx, "Which folder?")
	require.ErrorIs(t, err, context.Canceled)
	require.Contains(t, string(<-p.closed), "/request/", "the dialog is closed")
}

func TestChooseFolderWherePortalsAreMissing(t *testing.T) {
	address := startBus(t, nil)
	missing := func() {
		t.Helper()
		require.False(t, CanChooseFolder(t.Context()))
		_, err := ChooseFolder(t.Context(), "Which folder?")
		require.ErrorContains(t, err, "dragoman folders add")
	}
	missing()
	p := startPortal(t, address)
	p.has(map[string]uint32{shortcutsIface: 1})
	missing()
	p.has(map[string]uint32{chooserIface: 2})
	missing()
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path="+t.TempDir()+"/none")
	missing()
}

func TestAPortalThatTheBusStarts(t *testing.T) {
	program, err := os.Executable()
	require.NoError(t, err)
	startBus(t, map[string]string{portalName: program})
	path, err := ChooseFolder(t.Context(), "Which folder?")
	require.NoError(t, err)
	require.Equal(t, "/started", path)
}

func TestAPortalThatEndsWhileAPersonIsAsked(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	p.answer(func(string, map[string]dbus.Variant, ...any) (uint32, map[string]any) {
		_ = p.conn.Close()
		return unanswered, nil
	})
	_, err := ChooseFolder(t.Context(), "Which folder?")
	require.ErrorContains(t, err, "portal ended")
}

func TestAnswersOfOthersDoNotCount(t *testing.T) {
	address := startBus(t, nil)
	p := startPortal(t, address)
	other, err := dbus.Connect(address)
	require.NoError(t, err)
	defer other.Close()
	p.answer(func(_ string, options map[string]dbus.Variant, _ ...any) (uint32, map[string]any) {
		// To everybody who is named in the path, as nobody can know it.
		names := []string{}
		_ = other.BusObject().Call("org.freedesktop.DBus.ListNames", 0).Store(&names)
		for _, name := range names {
			path := dbus.ObjectPath("/org/freedesktop/portal/desktop/request/" + strings.ReplaceAll(strings.TrimPrefix(name, ":"), ".", "_") + "/" + options["handle_token"].Value().(string))
			if !path.IsValid() {
				continue
			}
			m := &dbus.Message{Type: dbus.TypeSignal, Headers: map[dbus.HeaderField]dbus.Variant{
				dbus.FieldDestination: dbus.MakeVariant(name), dbus.FieldPath: dbus.MakeVariant(path),
				dbus.FieldInterface: dbus.MakeVariant(requestIface), dbus.FieldMember: dbus.MakeVariant("Response"),
				dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(uint32(0), map[string]dbus.Variant{})),
			}, Body: []any{uint32(0), map[string]dbus.Variant{"uris": dbus.MakeVariant([]string{"file:///evil"})}}}
			other.Send(m, nil)
		}
		return 0, map[string]any{"uris": []string{"file:///good"}}
	})
	path, err := ChooseFolder(t.Context(), "Which folder?")
	require.NoError(t, err)
	require.Equal(t, "/good", path)
}
