package clip

import (
	"bufio"
	"bytes"
	"context"
	"encoding/base64"
	"encoding/gob"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/require"
)

// ownerSpec makes this test's program, started once more, an application that
// copied. It plays password managers, and owners that hang, die and lie.
type ownerSpec struct {
	Display string
	Formats []formatSpec
	Class   string // WM_CLASS, "instance class"
	Manages bool   // is a clipboard manager instead
	Reads   bool   // is a reader that hangs instead
}

type formatSpec struct {
	Name   string
	Value  string
	Size   int    // as many letters instead of Value
	Type   string // of the property; Name where empty
	Bits   byte   // 8 where 0
	Incr   bool   // in pieces
	Announ int    // size announced instead of the real one
	Silent bool   // is never answered
	Dies   bool   // ends the process when asked, or after the first piece
	Late   bool   // is empty the first time
}

func TestMain(m *testing.M) {
	if spec := os.Getenv("DRAGOMAN_TEST_OWNER"); spec != "" {
		var s ownerSpec
		must(gob.NewDecoder(base64.NewDecoder(base64.StdEncoding, strings.NewReader(spec))).Decode(&s))
		playOwner(s)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// owner is a running application.
type owner struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string
	asked []string
}

// own starts an application and waits until it has the clipboard.
func (x xserver) own(t *testing.T, formats ...formatSpec) *owner {
	t.Helper()
	return x.start(t, ownerSpec{Formats: formats})
}

func (x xserver) start(t *testing.T, spec ownerSpec) *owner {
	t.Helper()
	spec.Display = x.display
	var data bytes.Buffer
	require.NoError(t, gob.NewEncoder(&data).Encode(spec))
	o := &owner{t: t, cmd: exec.Command(os.Args[0]), lines: make(chan string, 4096)}
	o.cmd.Env = append(os.Environ(), "DRAGOMAN_TEST_OWNER="+base64.StdEncoding.EncodeToString(data.Bytes()))
	o.cmd.Stderr = os.Stderr
	var err error
	o.stdin, err = o.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := o.cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, o.cmd.Start())
	go func() {
		defer close(o.lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			o.lines <- s.Text()
		}
	}()
	t.Cleanup(o.end)
	o.until("owned")
	return o
}

// until reads what the application says up to a line.
func (o *owner) until(line string) {
	o.t.Helper()
	for {
		select {
		case l, ok := <-o.lines:
			require.True(o.t, ok, "the owner ended before it said %q", line)
			if name, asked := strings.CutPrefix(l, "asked "); asked {
				o.asked = append(o.asked, name)
			}
			if l == line {
				return
			}
		case <-time.After(20 * time.Second):
			require.Fail(o.t, "the owner did not say "+line)
		}
	}
}

// again copies once more, as a second press of Ctrl+C does.
func (o *owner) again() { o.tell("again") }

// requests are the formats that were asked for so far.
func (o *owner) requests() []string {
	o.t.Helper()
	o.tell("ping")
	o.until("pong")
	return o.asked
}

func (o *owner) tell(line string) {
	o.t.Helper()
	_, err := io.WriteString(o.stdin, line+"\n")
	require.NoError(o.t, err)
}

func (o *owner) signal(s syscall.Signal) {
	o.t.Helper()
	require.NoError(o.t, o.cmd.Process.Signal(s))
	if s == syscall.SIGSTOP {
		freeze(o.t, o.cmd.Process.Pid)
	}
}

// freeze waits until a process that was told to stop has stopped.
func freeze(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return err == nil && bytes.Contains(stat, []byte(") T "))
	}, 20*time.Second, time.Millisecond)
}

func (o *owner) end() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

// playOwner is the application's side.
func playOwner(s ownerSpec) {
	xgb.Logger = log.New(io.Discard, "", 0)
	c, err := xgb.NewConnDisplay(s.Display)
	must(err)
	screen := xproto.Setup(c).DefaultScreen(c)
	win, err := xproto.NewWindowId(c)
	must(err)
	must(xproto.CreateWindowChecked(c, 0, win, screen.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil).Check())
	if s.Class != "" {
		class := strings.ReplaceAll(s.Class, " ", "\x00") + "\x00"
		xproto.ChangeProperty(c, xproto.PropModeReplace, win, xproto.AtomWmClass, xproto.AtomString, 8, uint32(len(class)), []byte(class))
	}
	atom := func(name string) xproto.Atom {
		r, err := xproto.InternAtom(c, false, uint16(len(name)), name).Reply()
		must(err)
		return r.Atom
	}
	switch {
	case s.Manages:
		playManager(c, win, atom)
		return
	case s.Reads:
		playReader(c, win, atom)
		return
	}
	clipboard, targets, incr := atom("CLIPBOARD"), atom("TARGETS"), atom("INCR")
	formats := map[xproto.Atom]formatSpec{}
	list := []byte{}
	for _, f := range s.Formats {
		if f.Size > 0 {
			f.Value = string(letters26(f.Size))
		}
		a := atom(f.Name)
		formats[a] = f
		list = append(list, 0, 0, 0, 0)
		xgb.Put32(list[len(list)-4:], uint32(a))
	}
	own := func() {
		must(xproto.SetSelectionOwnerChecked(c, win, clipboard, xproto.TimeCurrentTime).Check())
		fmt.Println("owned")
	}
	own()
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			switch line := in.Text(); {
			case line == "again":
				own()
			case line == "ping":
				// All requests that were made before have arrived and been told.
				_, err := xproto.GetInputFocus(c).Reply()
				must(err)
				time.Sleep(20 * time.Millisecond)
				fmt.Println("pong")
			case strings.HasPrefix(line, "burst "):
				var n int
				fmt.Sscan(line[6:], &n)
				for range n {
					xproto.SetSelectionOwner(c, win, clipboard, xproto.TimeCurrentTime)
				}
				own()
			}
		}
		os.Exit(0)
	}()
	type place struct {
		w xproto.Window
		p xproto.Atom
	}
	rest := map[place][]byte{}
	die := map[place]bool{}
	for {
		event, xerr := c.WaitForEvent()
		if event == nil && xerr == nil {
			return
		}
		switch e := event.(type) {
		case xproto.SelectionRequestEvent:
			f, known := formats[e.Target]
			if e.Target == targets && !known {
				f, known = formatSpec{Name: "TARGETS", Value: string(list), Type: "ATOM", Bits: 32}, true
			}
			name := f.Name
			if !known {
				r, _ := xproto.GetAtomName(c, e.Target).Reply()
				name = r.Name
			}
			fmt.Println("asked", name)
			if f.Dies && !f.Incr {
				os.Exit(0)
			}
			if f.Silent {
				continue
			}
			property := e.Property
			value := []byte(f.Value)
			if f.Late {
				value, f.Late = nil, false
				formats[e.Target] = f
			}
			kind, bits := e.Target, f.Bits
			if f.Type != "" {
				kind = atom(f.Type)
			}
			if bits == 0 {
				bits = 8
			}
			switch {
			case !known:
				property = 0
			case f.Incr:
				size := make([]byte, 4)
				announce := len(value)
				if f.Announ > 0 {
					announce = f.Announ
				}
				xgb.Put32(size, uint32(announce))
				rest[place{e.Requestor, property}] = value
				die[place{e.Requestor, property}] = f.Dies
				xproto.ChangeWindowAttributes(c, e.Requestor, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
				xproto.ChangeProperty(c, xproto.PropModeReplace, e.Requestor, property, incr, 32, 1, size)
			default:
				xproto.ChangeProperty(c, xproto.PropModeReplace, e.Requestor, property, kind, bits, uint32(len(value)*8/int(bits)), value)
			}
			n := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection, Target: e.Target, Property: property}
			xproto.SendEvent(c, false, e.Requestor, 0, string(n.Bytes()))
		case xproto.PropertyNotifyEvent:
			p := place{e.Window, e.Atom}
			value, known := rest[p]
			if e.State != xproto.PropertyDelete || !known {
				continue
			}
			piece := value[:min(100_000, len(value))]
			rest[p] = value[len(piece):]
			must(xproto.ChangePropertyChecked(c, xproto.PropModeReplace, e.Window, e.Atom, atom("UTF8_STRING"), 8, uint32(len(piece)), piece).Check())
			if die[p] {
				os.Exit(0)
			}
			if len(piece) == 0 {
				delete(rest, p)
			}
		case xproto.SelectionClearEvent:
			fmt.Println("lost")
		}
	}
}

func letters26(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = "lorem ipsum dolor sit amet "[i%27]
	}
	return b
}

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "owner:", err)
		os.Exit(1)
	}
}

// xserver is an X server without a screen.
type xserver struct {
	display string
	cmd     *exec.Cmd
}

// startX starts one for the test, or skips it where there is none.
func startX(t *testing.T) xserver {
	t.Helper()
	return startXAs(t)
}

// startXAs starts one with a display of the given number.
func startXAs(t *testing.T, display ...string) xserver {
	t.Helper()
	need(t, "Xvfb", "xvfb")
	r, w, err := os.Pipe()
	require.NoError(t, err)
	defer r.Close()
	cmd := exec.Command("Xvfb", append(display, "-displayfd", "3", "-screen", "0", "640x480x24", "-nolisten", "tcp", "-noreset")...)
	cmd.ExtraFiles = []*os.File{w}
	require.NoError(t, cmd.Start())
	w.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	require.NoError(t, r.SetReadDeadline(time.Now().Add(20*time.Second)))
	line, err := bufio.NewReader(r).ReadString('\n')
	require.NoError(t, err, "Xvfb did not start")
	return xserver{":" + strings.TrimSpace(line), cmd}
}

// need skips a test where a program is missing, and fails it where `make test`
// has installed all of them.
func need(t *testing.T, program, debian string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		if os.Getenv("DRAGOMAN_TEST_DESKTOP") != "" {
			t.Fatalf("%s is missing (Debian: %s)", program, debian)
		}
		t.Skipf("%s is not installed (Debian: %s)", program, debian)
	}
}

func (x xserver) options() Options {
	return Options{getenv: func(key string) string {
		if key == "DISPLAY" {
			return x.display
		}
		return ""
	}}
}

// open connects to the server and watches it.
func (x xserver) open(t *testing.T, o Options) (*Clipboard, <-chan Copy) {
	t.Helper()
	o.getenv = x.options().getenv
	c, err := Open(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = c.Close(context.Background()) })
	return c, c.Watch(t.Context())
}

// next is the next piece of news.
func next(t *testing.T, news <-chan Copy) Copy {
	t.Helper()
	select {
	case n, ok := <-news:
		require.True(t, ok, "the watch ended")
		return n
	case <-time.After(20 * time.Second):
		require.Fail(t, "no news")
		return Copy{}
	}
}

// run returns what a program of the desktop writes.
func (x xserver) run(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+x.display)
	out, err := cmd.Output()
	require.NoError(t, err, program)
	return string(out)
}

// copy lets a program of the desktop own a text. It goes on in the background
// until it or the server ends.
func (x xserver) copy(t *testing.T, text, program string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+x.display)
	cmd.Stdin = strings.NewReader(text)
	require.NoError(t, cmd.Run(), program)
}

// atoms returns names as a list of atoms.
func (x xserver) atoms(t *testing.T, names ...string) string {
	t.Helper()
	c, err := xgb.NewConnDisplay(x.display)
	require.NoError(t, err)
	defer c.Close()
	list := make([]byte, 4*len(names))
	for i, name := range names {
		r, err := xproto.InternAtom(c, false, uint16(len(name)), name).Reply()
		require.NoError(t, err)
		xgb.Put32(list[4*i:], uint32(r.Atom))
	}
	return string(list)
}

func contextWithTimeout(t *testing.T, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(t.Context(), d)
}
