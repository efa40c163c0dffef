//go:build unix

package wayland

import (
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fakeCompositor speaks as much of data-control as a client like ours hears. It
// is for what the compositors of this machine cannot do: ext-data-control, no
// data-control at all, and nonsense. Real ones are asked in package clip.
type fakeCompositor struct {
	t       *testing.T
	path    string
	manager string // interface, "" for none
	version uint32
	client  *socket
	objects map[uint32]string // what the client made
	device  uint32
	source  uint32
	offered []string      // formats of the client's source
	asked   chan string   // formats that the client wants
	pipes   chan *os.File // where it wants them
	did     chan string   // requests of the client
	next    uint32        // object of the next offer
	ended   chan struct{} // when the client is gone
	listen  *net.UnixListener
}

func newFakeCompositor(t *testing.T, manager string, version uint32) *fakeCompositor {
	t.Helper()
	f := &fakeCompositor{
		t: t, path: filepath.Join(t.TempDir(), "wayland-0"), manager: manager, version: version, objects: map[uint32]string{},
		asked: make(chan string, 16), pipes: make(chan *os.File, 16), did: make(chan string, 256), next: 0xff000000, ended: make(chan struct{}),
	}
	var err error
	f.listen, err = listenUnix(f.path)
	require.NoError(t, err)
	t.Cleanup(func() { f.listen.Close() })
	go f.serve()
	return f
}

func listenUnix(path string) (*net.UnixListener, error) {
	return net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
}

func (f *fakeCompositor) serve() {
	defer close(f.ended)
	conn, err := f.listen.AcceptUnix()
	if err != nil {
		return
	}
	f.client = &socket{conn: conn}
	defer f.client.close()
	for {
		m, err := f.client.receive()
		if err != nil {
			return
		}
		f.request(m)
	}
}

// request answers one request as the protocol wants it.
func (f *fakeCompositor) request(m message) {
	switch kind := f.objects[m.object]; {
	case m.object == display && m.opcode == displayRegistry:
		registry, _ := m.number()
		f.objects[registry] = "registry"
		f.send(registry, registryGlobal, arguments{}.number(1).text("wl_seat").number(9))
		f.send(registry, registryGlobal, arguments{}.number(2).text("wl_seat").number(9))
		if f.manager != "" {
			f.send(registry, registryGlobal, arguments{}.number(3).text(f.manager).number(f.version))
		}
	case m.object == display && m.opcode == displaySync:
		callback, _ := m.number()
		f.send(callback, 0, arguments{}.number(1))
		f.send(display, displayDelete, arguments{}.number(callback))
	case kind == "registry":
		_, _ = m.number()
		what, _ := m.text()
		_, _ = m.number()
		id, _ := m.number()
		f.objects[id] = what
	case kind == f.manager && m.opcode == managerDevice:
		f.device, _ = m.number()
		f.objects[f.device] = "device"
		f.send(f.device, deviceSelected, arguments{}.number(0))
		f.did <- "device"
	case kind == f.manager && m.opcode == managerSource:
		id, _ := m.number()
		f.objects[id] = "source"
		f.offered = nil
	case kind == "source" && m.opcode == sourceOffer:
		format, _ := m.text()
		f.offered = append(f.offered, format)
	case kind == "source" && m.opcode == sourceDestroy:
		delete(f.objects, m.object)
		f.send(display, displayDelete, arguments{}.number(m.object))
		f.did <- "destroy source"
	case kind == "device" && m.opcode == deviceSelect:
		f.source, _ = m.number()
		f.did <- "select"
	case m.object >= 0xff000000 && m.opcode == offerReceive:
		format, _ := m.text()
		f.asked <- format
		f.pipes <- os.NewFile(uintptr(f.client.descriptor()), "pipe")
	case m.object >= 0xff000000 && m.opcode == offerDestroy:
		f.did <- "destroy offer"
	}
}

func (f *fakeCompositor) send(object uint32, opcode uint16, body arguments) {
	_ = f.client.send(object, opcode, body, -1)
}

// copy tells the client of a copy with formats.
func (f *fakeCompositor) copy(formats ...string) {
	id := f.next
	f.next++
	f.send(f.device, deviceOffer, arguments{}.number(id))
	for _, format := range formats {
		f.send(id, offerFormat, arguments{}.text(format))
	}
	f.send(f.device, deviceSelected, arguments{}.number(id))
}

func (f *fakeCompositor) until(what string) {
	f.t.Helper()
	for {
		select {
		case did := <-f.did:
			if did == what {
				return
			}
		case <-time.After(20 * time.Second):
			require.Fail(f.t, "the client never did: "+what)
		}
	}
}
