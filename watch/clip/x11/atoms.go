package x11

import (
	"encoding/binary"
	"maps"
	"sync"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"dragoman/watch/clip/selection"
)

// maxFormats is how many formats an owner may offer; word processors offer
// about forty.
const maxFormats = 1024

// atoms keeps names of the server.
type atoms struct {
	x *xgb.Conn

	clipboard, primary, manager                   xproto.Atom
	targets, multiple, timestamp, save, incr      xproto.Atom
	utf8, plainUTF8, plain, text, marker, pair    xproto.Atom
	property, clock, pid, clientList, saveTargets xproto.Atom

	mu    sync.Mutex
	names map[xproto.Atom]string
	ids   map[string]xproto.Atom
}

func newAtoms(x *xgb.Conn) (*atoms, error) {
	a := &atoms{x: x, names: map[xproto.Atom]string{}, ids: map[string]xproto.Atom{}}
	a.primary = xproto.AtomPrimary
	for _, n := range []struct {
		name string
		to   *xproto.Atom
	}{
		{"CLIPBOARD", &a.clipboard}, {"CLIPBOARD_MANAGER", &a.manager}, {"SAVE_TARGETS", &a.saveTargets},
		{"TARGETS", &a.targets}, {"MULTIPLE", &a.multiple}, {"TIMESTAMP", &a.timestamp}, {"INCR", &a.incr}, {"ATOM_PAIR", &a.pair},
		{"UTF8_STRING", &a.utf8}, {"text/plain;charset=utf-8", &a.plainUTF8}, {"text/plain", &a.plain}, {"TEXT", &a.text},
		{selection.Marker, &a.marker}, {"DRAGOMAN_SELECTION", &a.property}, {"DRAGOMAN_CLOCK", &a.clock}, {"DRAGOMAN_SAVE", &a.save},
		{"_NET_WM_PID", &a.pid}, {"_NET_CLIENT_LIST", &a.clientList},
	} {
		id, err := a.id(n.name)
		if err != nil {
			return nil, err
		}
		*n.to = id
	}
	return a, nil
}

// id returns the atom of a name, which it makes if there is none.
func (a *atoms) id(name string) (xproto.Atom, error) {
	a.mu.Lock()
	id, found := a.ids[name]
	a.mu.Unlock()
	if found {
		return id, nil
	}
	reply, err := xproto.InternAtom(a.x, false, uint16(len(name)), name).Reply()
	if err != nil {
		return 0, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ids[name], a.names[reply.Atom] = reply.Atom, name
	return reply.Atom, nil
}

// list returns the names of atoms as a property holds them. What is no atom of
// the server is left out.
func (a *atoms) list(data []byte) []string {
	ids := make([]xproto.Atom, 0, len(data)/4)
	for ; len(data) >= 4 && len(ids) < maxFormats; data = data[4:] {
		ids = append(ids, xproto.Atom(binary.LittleEndian.Uint32(data)))
	}
	// All questions go out before the first answer is waited for.
	asked := map[xproto.Atom]xproto.GetAtomNameCookie{}
	a.mu.Lock()
	for _, id := range ids {
		if _, known := a.names[id]; !known && id != 0 {
			asked[id] = xproto.GetAtomNameCookie{}
		}
	}
	a.mu.Unlock()
	for id := range asked {
		asked[id] = xproto.GetAtomName(a.x, id)
	}
	found := map[xproto.Atom]string{}
	for id, cookie := range asked {
		if reply, err := cookie.Reply(); err == nil {
			found[id] = reply.Name
		}
	}
	names := make([]string, 0, len(ids))
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, id := range ids {
		name, known := found[id]
		if !known {
			name, known = a.names[id]
		}
		if known {
			names = append(names, name)
		}
	}
	if len(a.names) > 4*maxFormats { // an owner that invents names
		clear(a.names)
	}
	maps.Copy(a.names, found)
	return names
}

func (a *atoms) selection(name selection.Name) xproto.Atom {
	if name == selection.Primary {
		return a.primary
	}
	return a.clipboard
}
