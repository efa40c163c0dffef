package x11

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/jezek/xgb/res"
	"github.com/jezek/xgb/xproto"

	"dragoman/watch/clip/selection"
)

// maxWindows of the desktop are looked through for one of the same client.
const maxWindows = 512

// ownerOf finds out which application a window belongs to. The window that owns
// a selection is mostly a hidden one without properties, so the server is asked
// for the client's process, and the windows that people see for one of the same
// client.
func (c *Conn) ownerOf(win xproto.Window) selection.Owner {
	o := selection.Owner{ID: uint64(win)}
	o.PID = c.processOf(win)
	o.Class = c.class(win)
	if o.Class == "" {
		if sibling := c.sibling(win); sibling != 0 {
			o.Class = c.class(sibling)
			if o.PID == 0 {
				o.PID = c.number(sibling, c.atoms.pid)
			}
		}
	}
	if o.PID == 0 {
		o.PID = c.number(win, c.atoms.pid)
	}
	o.Process = program(o.PID)
	return o
}

// processOf asks the server, which knows the process at the other end of a
// client's socket, if it is on this machine.
func (c *Conn) processOf(win xproto.Window) int {
	if !c.hasRes {
		return 0
	}
	r, err := res.QueryClientIds(c.x, 1, []res.ClientIdSpec{{Client: uint32(win), Mask: res.ClientIdMaskLocalClientPID}}).Reply()
	if err != nil {
		return 0
	}
	for _, id := range r.Ids {
		if id.Spec.Mask&res.ClientIdMaskLocalClientPID != 0 && len(id.Value) > 0 {
			return int(id.Value[0])
		}
	}
	return 0
}

// class returns WM_CLASS as "instance class".
func (c *Conn) class(win xproto.Window) string {
	r, err := xproto.GetProperty(c.x, false, win, xproto.AtomWmClass, xproto.GetPropertyTypeAny, 0, 64).Reply()
	if err != nil || r.Format != 8 {
		return ""
	}
	return strings.Join(strings.FieldsFunc(string(r.Value), func(r rune) bool { return r == 0 }), " ")
}

// number returns a property of one number, 0 if there is none.
func (c *Conn) number(win xproto.Window, property xproto.Atom) int {
	r, err := xproto.GetProperty(c.x, false, win, property, xproto.AtomCardinal, 0, 1).Reply()
	if err != nil || r.Format != 32 || len(r.Value) < 4 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(r.Value))
}

// sibling returns a window that the window manager lists and that the same
// client made: identifiers of a client differ in the lower bits only.
func (c *Conn) sibling(win xproto.Window) xproto.Window {
	r, err := xproto.GetProperty(c.x, false, c.root, c.atoms.clientList, xproto.AtomWindow, 0, maxWindows).Reply()
	if err != nil || r.Format != 32 {
		return 0
	}
	mask := xproto.Setup(c.x).ResourceIdMask
	for v := r.Value; len(v) >= 4; v = v[4:] {
		if w := binary.LittleEndian.Uint32(v); w&^mask == uint32(win)&^mask {
			return xproto.Window(w)
		}
	}
	return 0
}

// program returns the base name of a process's program. Where only root may
// know that, the name that the process gave itself, of 15 characters, is there.
func program(pid int) string {
	if pid <= 0 {
		return ""
	}
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	if exe, err := os.Readlink(filepath.Join(dir, "exe")); err == nil {
		return strings.TrimSuffix(filepath.Base(exe), " (deleted)")
	}
	comm, err := os.ReadFile(filepath.Join(dir, "comm"))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(comm))
}
