package win32

import (
	"context"
	"fmt"
	"slices"
	"unsafe"

	"golang.org/x/sys/windows"

	"dragoman/watch/clip/selection"
)

// unicodeText is CF_UNICODETEXT, which Windows makes itself of other texts.
const unicodeText = 13

// registered is the least number of formats that have names.
const registered = 0xc000

// maxFormats is how many formats a program may offer; word processors offer
// about forty.
const maxFormats = 1024

// standard names the formats of winuser.h that people copy.
var standard = map[uint32]string{
	1: "CF_TEXT", 2: "CF_BITMAP", 3: "CF_METAFILEPICT", 7: "CF_OEMTEXT", 8: "CF_DIB",
	unicodeText: "CF_UNICODETEXT", 14: "CF_ENHMETAFILE", 15: "CF_HDROP", 16: "CF_LOCALE", 17: "CF_DIBV5",
}

// offer is what the clipboard held at a sequence number.
type offer struct {
	c        *Conn
	sequence uint32
	window   windows.HWND
	owner    selection.Owner
	ids      []uint32
	formats  []string          // names of ids, without those that have none
	byName   map[string]uint32 // the first of each name
	decided  bool              // the value of a format was read
}

// Offer lists what the clipboard holds without opening it. Windows has no
// primary selection: it is empty.
func (c *Conn) Offer(ctx context.Context, name selection.Name) (selection.Offer, error) {
	if err := c.Err(); err != nil {
		return nil, err
	}
	if name != selection.Clipboard {
		return nil, selection.ErrEmpty
	}
	for {
		o := &offer{c: c, sequence: sequence(), window: owned(), byName: map[string]uint32{}}
		var err error
		if o.ids, err = list(); err != nil {
			return nil, err
		}
		if now := sequence(); now != o.sequence {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			continue // a program is at it
		}
		if len(o.ids) == 0 {
			return nil, selection.ErrEmpty
		}
		o.owner = ownerOf(o.window)
		for _, id := range o.ids {
			if name := nameOf(id); name != "" {
				o.formats = append(o.formats, name)
				if _, found := o.byName[name]; !found {
					o.byName[name] = id
				}
			}
		}
		return o, nil
	}
}

// list returns the numbers of the formats, in the owner's order, those that
// Windows makes of others at the end. More than anybody has are as good as none
// that can be trusted.
func list() ([]uint32, error) {
	ids := make([]uint32, maxFormats)
	var n uint32
	ok, _, err := getUpdatedClipboardFormats.Call(uintptr(unsafe.Pointer(&ids[0])), maxFormats, uintptr(unsafe.Pointer(&n)))
	switch {
	case ok == 0 && n > maxFormats:
		return nil, fmt.Errorf("%w: it names %d formats", selection.ErrRefused, n)
	case ok == 0:
		return nil, fmt.Errorf("list the formats of the clipboard: %w", failed(err))
	}
	ids = ids[:n]
	if ok, _, _ := isClipboardFormatAvailable.Call(unicodeText); ok != 0 && !slices.Contains(ids, unicodeText) {
		ids = append(ids, unicodeText)
	}
	return ids, nil
}

// nameOf returns "" for formats without a name, such as those of one program.
func nameOf(id uint32) string {
	if id < registered {
		return standard[id]
	}
	var name [256]uint16
	n, _, _ := getClipboardFormatName.Call(uintptr(id), uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)))
	return windows.UTF16ToString(name[:n])
}

func (o *offer) Formats() []string      { return o.formats }
func (o *offer) Owner() selection.Owner { return o.owner }
func (o *offer) Ours() bool             { return o.window != 0 && o.window == o.c.window }

// same tells, while the clipboard is open and so cannot change, whether it still
// holds what was listed. A program that copied again must offer the same formats,
// and nothing may have been decided by the value of one. A program that ended is
// still the owner of what it left, for which Windows counts on.
func (o *offer) same() bool {
	now := sequence()
	if now == o.sequence {
		return true
	}
	w := owned()
	ended := w == 0 && o.window != 0 && !windows.IsWindow(o.window)
	ids, err := list()
	if err != nil || o.decided || w != o.window && !ended || !slices.Equal(ids, o.ids) {
		return false
	}
	o.sequence = now
	return true
}
