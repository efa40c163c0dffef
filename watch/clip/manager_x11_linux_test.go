package clip

import (
	"fmt"
	"os"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// playManager is a clipboard manager as freedesktop.org describes it: asked to
// SAVE_TARGETS, it fetches the text and says how long it was. Real ones come
// with desktops only.
func playManager(c *xgb.Conn, win xproto.Window, atom func(string) xproto.Atom) {
	must(xproto.SetSelectionOwnerChecked(c, win, atom("CLIPBOARD_MANAGER"), xproto.TimeCurrentTime).Check())
	fmt.Println("owned")
	for {
		event, xerr := c.WaitForEvent()
		if event == nil && xerr == nil {
			return
		}
		e, ok := event.(xproto.SelectionRequestEvent)
		if !ok || e.Target != atom("SAVE_TARGETS") {
			continue
		}
		size := fetchInPieces(c, win, atom)
		n := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
		xproto.SendEvent(c, false, e.Requestor, 0, string(n.Bytes()))
		_, err := xproto.GetInputFocus(c).Reply()
		must(err)
		fmt.Println("saved", size)
	}
}

// fetchInPieces reads UTF8_STRING from the clipboard through MULTIPLE, as
// managers do, and returns its length.
func fetchInPieces(c *xgb.Conn, win xproto.Window, atom func(string) xproto.Atom) (size int) {
	property := atom("PIECES")
	pair := make([]byte, 8)
	xgb.Put32(pair, uint32(atom("UTF8_STRING")))
	xgb.Put32(pair[4:], uint32(property))
	xproto.ChangeWindowAttributes(c, win, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
	xproto.ChangeProperty(c, xproto.PropModeReplace, win, atom("PAIRS"), atom("ATOM_PAIR"), 32, 2, pair)
	xproto.ConvertSelection(c, win, atom("CLIPBOARD"), atom("MULTIPLE"), atom("PAIRS"), xproto.TimeCurrentTime)
	pieces := false
	for {
		event, xerr := c.WaitForEvent()
		if event == nil && xerr == nil {
			os.Exit(1)
		}
		switch e := event.(type) {
		case xproto.SelectionNotifyEvent:
			if e.Property == 0 {
				return -1
			}
		case xproto.PropertyNotifyEvent:
			if e.Atom != property || e.State != xproto.PropertyNewValue {
				continue
			}
		default:
			continue
		}
		r, err := xproto.GetProperty(c, true, win, property, xproto.GetPropertyTypeAny, 0, 1<<20).Reply()
		must(err)
		switch {
		case r.Type == 0:
		case r.Type == atom("INCR"):
			pieces = true
		case !pieces:
			return len(r.Value)
		case len(r.Value) == 0:
			return size
		default:
			size += len(r.Value)
		}
	}
}

// playReader asks for a long text and takes its first piece only.
func playReader(c *xgb.Conn, win xproto.Window, atom func(string) xproto.Atom) {
	fmt.Println("owned")
	property := atom("PIECES")
	xproto.ChangeWindowAttributes(c, win, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
	xproto.ConvertSelection(c, win, atom("CLIPBOARD"), atom("UTF8_STRING"), property, xproto.TimeCurrentTime)
	for {
		event, xerr := c.WaitForEvent()
		if event == nil && xerr == nil {
			return
		}
		if _, ok := event.(xproto.SelectionNotifyEvent); ok {
			xproto.DeleteProperty(c, win, property)
			_, err := xproto.GetInputFocus(c).Reply()
			must(err)
			fmt.Println("first piece")
		}
	}
}
