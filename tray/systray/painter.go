package systray

import (
	"context"
	"strings"

	fyne "fyne.io/systray"

	"dragoman/assets/icons"
	"dragoman/tray"
)

// maxPending is how many clicks wait for a receiver.
const maxPending = 64

// painter turns views into calls of the library, only for what differs. All its
// methods are for one goroutine: the library's setters are not safe for two.
type painter struct {
	top     []*slot
	icon    icons.State
	tooltip string
	wanted  tray.View // the last, for icon and tooltip
	open    bool      // whether these may be changed
	clicked chan *slot
	done    chan struct{} // closed when nobody reads clicked any more
}

func newPainter() *painter {
	return &painter{clicked: make(chan *slot, maxPending), done: make(chan struct{})}
}

// before hands over what the library announces when it begins, where it can be
// told so early.
func (p *painter) before(v tray.View) {
	p.wanted = v
	if announces {
		name(strings.ToLower(tray.Program)) // which names the icon to the desktop, for good
		p.face()
	}
}

// loop draws views and passes on clicks until ctx ends or views is closed.
func (p *painter) loop(ctx context.Context, views <-chan tray.View, clicks chan<- tray.Click, link *link) {
	defer close(p.done)
	settled, late := link.settled(), link.late()
	var pending []tray.Click
	for {
		var out chan<- tray.Click
		var next tray.Click
		if len(pending) > 0 {
			out, next = clicks, pending[0]
		}
		select {
		case <-ctx.Done():
			return
		case v, ok := <-views:
			for more := true; ok && more; {
				select {
				case newer, open := <-views:
					if ok = open; ok {
						v = newer
					}
				default:
					more = false
				}
			}
			p.draw(v)
			if !ok {
				return
			}
		case s := <-p.clicked:
			if s.clickable() && len(pending) < maxPending {
				pending = append(pending, tray.Click{ID: s.id})
			}
		case out <- next:
			pending = pending[1:]
		case <-settled:
			settled = nil
			p.opened()
		case <-late:
			late = nil
			p.opened()
		}
	}
}

// opened is called when icon and tooltip can be changed, or should long be.
func (p *painter) opened() {
	if !p.open {
		p.open = true
		name(tray.Program)
		p.face()
	}
}

func (p *painter) draw(v tray.View) {
	if v.Menu == nil && v.Icon == "" {
		return // of a channel that was closed
	}
	p.wanted = v
	if p.open { // what is set while the library registers itself is lost
		p.face()
	}
	p.top = p.update(nil, p.top, v.Menu)
}

// face sets icon and tooltip. The library changes the picture in place while a
// panel may still be reading the last one; as all have the same size, that
// panel gets one of the two, and is told to read again.
func (p *painter) face() {
	if p.wanted.Icon != p.icon {
		p.icon = p.wanted.Icon
		fyne.SetIcon(picture(p.icon))
	}
	if p.wanted.Tooltip != p.tooltip {
		p.tooltip = p.wanted.Tooltip
		fyne.SetTooltip(safe(p.tooltip))
	}
}

// slot is a place in the menu, made once and never removed.
type slot struct {
	item     *fyne.MenuItem // nil for a rule
	id       tray.ID
	label    string
	enabled  bool
	checked  bool
	hidden   bool
	children []*slot
}

func (s *slot) clickable() bool { return !s.hidden && s.enabled && s.children == nil }

// update brings the places below parent (nil is the top) up to date and returns
// them, with new ones where items are more than before.
func (p *painter) update(parent *fyne.MenuItem, slots []*slot, items []tray.Item) []*slot {
	for i, item := range items {
		if i == len(slots) {
			slots = append(slots, p.add(parent, item))
			continue
		}
		p.change(slots[i], item)
	}
	for _, s := range slots[len(items):] {
		s.hide()
	}
	return slots
}

// add makes a place. It is made visible, because Windows takes the items of a
// sub-menu only below a visible one, and hidden afterwards.
func (p *painter) add(parent *fyne.MenuItem, item tray.Item) *slot {
	if item.Separator {
		if parent == nil {
			fyne.AddSeparator()
		} else {
			parent.AddSeparator()
		}
		return &slot{}
	}
	s := &slot{id: item.ID, label: mnemonics(safe(item.Label)), enabled: true, checked: item.Checked}
	switch {
	case parent == nil && item.Checkable:
		s.item = fyne.AddMenuItemCheckbox(s.label, "", s.checked)
	case parent == nil:
		s.item = fyne.AddMenuItem(s.label, "")
	case item.Checkable:
		s.item = parent.AddSubMenuItemCheckbox(s.label, "", s.checked)
	default:
		s.item = parent.AddSubMenuItem(s.label, "")
	}
	go p.listen(s)
	hidden := item.Hidden
	item.Hidden = false
	p.change(s, item)
	if hidden {
		s.hide()
	}
	return s
}

// listen queues clicks: the library drops those that nobody waits for.
func (p *painter) listen(s *slot) {
	for {
		select {
		case <-s.item.ClickedCh:
			select {
			case p.clicked <- s:
			case <-p.done:
				return
			}
		case <-p.done:
			return
		}
	}
}

// change makes a place look like item. What is hidden is not touched: on
// Windows that would show it.
func (p *painter) change(s *slot, item tray.Item) {
	if s.item == nil {
		return
	}
	if item.Hidden {
		s.hide()
		return
	}
	s.id = item.ID
	if label := mnemonics(safe(item.Label)); label != s.label {
		s.label = label
		s.item.SetTitle(label)
	}
	if item.Enabled != s.enabled {
		s.enabled = item.Enabled
		if s.enabled {
			s.item.Enable()
		} else {
			s.item.Disable()
		}
	}
	if item.Checked != s.checked {
		s.checked = item.Checked
		if s.checked {
			s.item.Check()
		} else {
			s.item.Uncheck()
		}
	}
	if s.hidden {
		s.hidden = false
		s.item.Show()
	}
	if item.Children != nil {
		s.children = p.update(s.item, s.children, item.Children)
	}
}

func (s *slot) hide() {
	if s.item != nil && !s.hidden {
		s.hidden = true
		s.item.Hide()
	}
}

// safe is text that D-Bus and Windows take: a string that is no UTF-8 would end
// the connection, one with a NUL is refused.
func safe(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\x00", " ")
}
