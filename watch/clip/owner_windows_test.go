package clip

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf16"
	"unsafe"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

// ownerSpec makes this test's program, started once more, an application that
// copied: a password manager, one that hangs, one that renders late.
type ownerSpec struct {
	Formats  []formatSpec
	Nameless bool // copies without a window, so that nobody knows who it was
	Idle     bool // copies nothing before it is told to
	Ends     bool // as soon as it has copied
}

// formatSpec is a format by its name. One that is Made is asked of the
// application when somebody reads it, so that the application knows.
type formatSpec struct {
	Name  string
	Value string // text where the name is CF_TEXT or CF_UNICODETEXT
	Size  int    // as many letters instead of Value
	Made  bool
	Late  bool // is not made when it is asked for the first time
	Hangs bool // never finishes making it
}

func (f formatSpec) data() []byte {
	value := f.Value
	if f.Size > 0 {
		value = strings.Repeat("a", f.Size)
	}
	switch f.Name {
	case "CF_TEXT":
		return append([]byte(value), 0)
	case "CF_UNICODETEXT":
		var data []byte
		for _, u := range append(utf16.Encode([]rune(value)), 0) {
			data = append(data, byte(u), byte(u>>8))
		}
		return data
	}
	return []byte(value)
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

func must(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "owner:", err)
		os.Exit(1)
	}
}

// owner is a running application.
type owner struct {
	t     *testing.T
	cmd   *exec.Cmd
	stdin io.WriteCloser
	lines chan string
	asked []string
}

// copied starts an application and waits until it has the clipboard.
func copied(t *testing.T, formats ...formatSpec) *owner {
	t.Helper()
	return start(t, ownerSpec{Formats: formats})
}

func start(t *testing.T, spec ownerSpec) *owner {
	t.Helper()
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
		s := bufio.NewScanner(out)
		for s.Buffer(nil, 1<<20); s.Scan(); {
			o.lines <- s.Text()
		}
	}()
	t.Cleanup(o.end)
	o.until("ready")
	return o
}

// until reads what the application says up to a line that begins so, and
// returns the rest of that.
func (o *owner) until(line string) string {
	o.t.Helper()
	for {
		select {
		case l, ok := <-o.lines:
			require.True(o.t, ok, "the owner ended before it said %q", line)
			if name, asked := strings.CutPrefix(l, "asked "); asked {
				o.asked = append(o.asked, name)
			}
			if rest, found := strings.CutPrefix(l, line); found {
				return rest
			}
		case <-time.After(20 * time.Second):
			require.Fail(o.t, "the owner did not say "+line)
		}
	}
}

// do has the application do one thing and returns what it says of that.
func (o *owner) do(command string) string {
	o.t.Helper()
	_, err := io.WriteString(o.stdin, command+"\n")
	require.NoError(o.t, err)
	return o.until(command)
}

// read returns what the application finds on the clipboard.
func (o *owner) read() (found map[string]string) {
	o.t.Helper()
	require.NoError(o.t, json.Unmarshal([]byte(o.do("read")), &found))
	return found
}

// again copies once more, as a second press of Ctrl+C does.
func (o *owner) again() { o.do("again") }

// requests are the formats that were asked for so far.
func (o *owner) requests() []string {
	o.t.Helper()
	o.do("ping")
	return o.asked
}

func (o *owner) end() {
	_ = o.cmd.Process.Kill()
	_ = o.cmd.Wait()
}

var (
	user32   = windows.NewLazySystemDLL("user32.dll")
	kernel32 = windows.NewLazySystemDLL("kernel32.dll")
)

// win calls a function of Windows.
//
//go:uintptrescapes
func win(name string, args ...uintptr) uintptr {
	dll := user32
	if strings.HasPrefix(name, "Global") {
		dll = kernel32
	}
	r, _, _ := dll.NewProc(name).Call(args...)
	return r
}

func wide(s string) uintptr {
	p, err := windows.UTF16PtrFromString(s)
	must(err)
	kept = append(kept, p)
	return uintptr(unsafe.Pointer(p))
}

var kept []*uint16 // for Windows, which the collector does not know

var standardIDs = map[string]uintptr{"CF_TEXT": 1, "CF_DIB": 8, "CF_UNICODETEXT": 13, "CF_HDROP": 15}

func formatID(name string) uintptr {
	if id, found := standardIDs[name]; found {
		return id
	}
	return win("RegisterClipboardFormatW", wide(name))
}

func global(data []byte) uintptr {
	handle := win("GlobalAlloc", 2, uintptr(len(data)))
	at := win("GlobalLock", handle)
	copy(unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), len(data)), data)
	win("GlobalUnlock", handle)
	return handle
}

// playOwner is the application's side. Its window gets the messages that Windows
// sends to whoever filled the clipboard.
func playOwner(s ownerSpec) {
	runtime.LockOSThread()
	late := map[string]bool{}
	commands := make(chan string, 1024)
	var window uintptr
	proc := syscall.NewCallback(func(w, number, wParam, lParam uintptr) uintptr {
		switch number {
		case 0x305: // WM_RENDERFORMAT
			for _, f := range s.Formats {
				if formatID(f.Name) != wParam {
					continue
				}
				fmt.Println("asked", f.Name)
				switch {
				case f.Hangs:
					time.Sleep(time.Hour)
				case f.Late && !late[f.Name]:
					late[f.Name] = true
				default:
					win("SetClipboardData", wParam, global(f.data()))
				}
			}
			return 0
		case 0x8000: // WM_APP
			command := <-commands
			fmt.Println(command + s.obey(window, command))
			return 0
		}
		return win("DefWindowProcW", w, number, wParam, lParam)
	})
	class := struct {
		size, style                        uint32
		proc                               uintptr
		classExtra, windowExtra            int32
		instance, icon, cursor, background uintptr
		menu, name, small                  uintptr
	}{proc: proc, name: wide("DragomanTestOwner")}
	class.size = uint32(unsafe.Sizeof(class))
	win("RegisterClassExW", uintptr(unsafe.Pointer(&class)))
	window = win("CreateWindowExW", 0, class.name, 0, 0, 0, 0, 0, 0, ^uintptr(2), 0, 0, 0)
	if !s.Idle {
		s.copy(window)
	}
	fmt.Println("ready")
	if s.Ends {
		return
	}
	go func() {
		for in := bufio.NewScanner(os.Stdin); in.Scan(); {
			commands <- in.Text()
			win("PostMessageW", window, 0x8000, 0, 0)
		}
		os.Exit(0)
	}()
	var message [6]uintptr
	for win("GetMessageW", uintptr(unsafe.Pointer(&message)), 0, 0, 0) != 0 {
		win("DispatchMessageW", uintptr(unsafe.Pointer(&message)))
	}
}

func openClipboard(window uintptr) {
	for win("OpenClipboard", window) == 0 {
		time.Sleep(time.Millisecond)
	}
}

func (s ownerSpec) copy(window uintptr) {
	if s.Nameless {
		window = 0
	}
	openClipboard(window)
	win("EmptyClipboard")
	for _, f := range s.Formats {
		if f.Made {
			win("SetClipboardData", formatID(f.Name), 0)
		} else {
			win("SetClipboardData", formatID(f.Name), global(f.data()))
		}
	}
	win("CloseClipboard")
}

func (s ownerSpec) obey(window uintptr, command string) string {
	name, argument, _ := strings.Cut(command, " ")
	switch name {
	case "again":
		s.copy(window)
	case "copy": // a text of its own
		ownerSpec{Formats: []formatSpec{{Name: "CF_UNICODETEXT", Value: argument}}}.copy(window)
	case "burst":
		for i := range 200 {
			ownerSpec{Formats: []formatSpec{{Name: "CF_UNICODETEXT", Value: fmt.Sprintf("Guten Tag %d", i)}}}.copy(window)
		}
	case "open":
		openClipboard(window)
	case "close":
		win("CloseClipboard")
	case "hang":
		fmt.Println(command)
		time.Sleep(time.Hour)
	case "read":
		found, err := json.Marshal(readAll())
		must(err)
		return string(found)
	}
	return ""
}

// readAll returns what another program finds on the clipboard: the text and, in
// hexadecimal digits, the formats that have names of their own.
func readAll() map[string]string {
	openClipboard(0)
	defer win("CloseClipboard")
	all := map[string]string{}
	for id := uintptr(0); ; {
		if id = win("EnumClipboardFormats", id); id == 0 {
			return all
		}
		handle := win("GetClipboardData", id)
		at, size := win("GlobalLock", handle), win("GlobalSize", handle)
		data := unsafe.Slice((*byte)(*(*unsafe.Pointer)(unsafe.Pointer(&at))), size)
		var name [200]uint16
		n := win("GetClipboardFormatNameW", id, uintptr(unsafe.Pointer(&name[0])), uintptr(len(name)))
		switch {
		case id == 13:
			all["CF_UNICODETEXT"] = windows.UTF16ToString(unsafe.Slice((*uint16)(unsafe.Pointer(&data[0])), size/2))
		case n > 0:
			all[windows.UTF16ToString(name[:n])] = hex.EncodeToString(data)
		}
		win("GlobalUnlock", handle)
	}
}
