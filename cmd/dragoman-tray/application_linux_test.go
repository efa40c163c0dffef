package main

import (
	"context"
	"io"
	"log"
	"os/exec"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/require"

	"dragoman/tray/desktest"
)

// application is another program of the desktop, which copies: it owns the
// clipboard and keeps what it was asked for.
type application struct {
	t      *testing.T
	conn   *xgb.Conn
	window xproto.Window

	mu      sync.Mutex
	formats map[string]string // what it gives, by target
	asked   []string

	// answers, if it is set, is asked first and says whether it has answered.
	answers func(xproto.SelectionRequestEvent, string) bool
}

func (s *seat) application() *application {
	s.t.Helper()
	xgb.Logger = log.New(io.Discard, "", 0)
	conn, err := xgb.NewConnDisplay(s.display)
	require.NoError(s.t, err)
	s.t.Cleanup(conn.Close)
	a := &application{t: s.t, conn: conn}
	a.window, err = xproto.NewWindowId(conn)
	require.NoError(s.t, err)
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	require.NoError(s.t, xproto.CreateWindowChecked(conn, 0, a.window, root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil).Check())
	go a.serve()
	return a
}

// copy puts a text on the clipboard.
func (a *application) copy(text string) {
	a.t.Helper()
	a.own(map[string]string{"UTF8_STRING": text})
}

// own puts formats on the clipboard.
func (a *application) own(formats map[string]string) {
	a.t.Helper()
	a.mu.Lock()
	a.formats = formats
	a.mu.Unlock()
	require.NoError(a.t, xproto.SetSelectionOwnerChecked(a.conn, a.window, a.atom("CLIPBOARD"), xproto.TimeCurrentTime).Check())
}

// requests are the targets that were asked for.
func (a *application) requests() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return append([]string{}, a.asked...)
}

func (a *application) atom(name string) xproto.Atom {
	r, err := xproto.InternAtom(a.conn, false, uint16(len(name)), name).Reply()
	if err != nil { // the test has ended
		return 0
	}
	return r.Atom
}

func (a *application) serve() {
	for {
		event, err := a.conn.WaitForEvent()
		if event == nil && err == nil {
			return
		}
		if request, ok := event.(xproto.SelectionRequestEvent); ok {
			a.give(request)
		}
	}
}

func (a *application) give(e xproto.SelectionRequestEvent) {
	r, err := xproto.GetAtomName(a.conn, e.Target).Reply()
	if err != nil {
		return
	}
	a.mu.Lock()
	a.asked = append(a.asked, r.Name)
	formats := a.formats
	a.mu.Unlock()
	if a.answers != nil && a.answers(e, r.Name) {
		return
	}
	kind, bits, value := e.Target, byte(8), []byte(formats[r.Name])
	if r.Name == "TARGETS" {
		kind, bits = xproto.AtomAtom, 32
		for name := range formats {
			value = append(value, 0, 0, 0, 0)
			xgb.Put32(value[len(value)-4:], uint32(a.atom(name)))
		}
	} else if _, known := formats[r.Name]; !known {
		e.Property = 0
	}
	if e.Property != 0 {
		xproto.ChangeProperty(a.conn, xproto.PropModeReplace, e.Requestor, e.Property, kind, bits, uint32(len(value)*8/int(bits)), value)
	}
	a.notify(e)
}

// notify tells who asked where the answer lies, nowhere if the property is 0.
func (a *application) notify(e xproto.SelectionRequestEvent) {
	n := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: e.Property}
	xproto.SendEvent(a.conn, false, e.Requestor, 0, string(n.Bytes()))
}

// pause lies between two presses of a person's, beyond clip.DefaultGap.
const pause = 120 * time.Millisecond

// copyTwice does what a person does to have a text translated.
func (a *application) copyTwice(text string) {
	a.t.Helper()
	a.copy(text)
	time.Sleep(pause)
	a.copy(text)
}

// paste is what the clipboard gives to an everyday program.
func (s *seat) paste() string {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), desktest.Soon)
	defer cancel()
	cmd := exec.CommandContext(ctx, desktest.Need(s.t, "xclip", "xclip"), "-selection", "clipboard", "-o")
	cmd.Env = []string{"DISPLAY=" + s.display}
	text, err := cmd.Output()
	if err != nil { // nobody has it
		return ""
	}
	return string(text)
}
