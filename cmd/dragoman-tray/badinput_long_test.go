//go:build long && linux

package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/stretchr/testify/require"

	"dragoman/daemon/api"
	"dragoman/daemon/ipc"
	"dragoman/tray/desktest"
)

// copyBy has a program copy a text. The process serves it until another copies.
func (s *seat) copyBy(text, program string, args ...string) {
	s.t.Helper()
	cmd := exec.Command(desktest.Need(s.t, program, program), args...)
	cmd.Env, cmd.Stdin = []string{"DISPLAY=" + s.display, "HOME=" + s.dir}, strings.NewReader(text)
	require.NoError(s.t, cmd.Run())
}

// endless is what people copy by mistake with Ctrl+A.
func endless(line string, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, line+"\n", i)
	}
	return b.String()
}

// TestBadInput is each bad copy in turn with the real service and tray: nothing
// ends or hangs, at most one note comes of it, and the next text is translated.
func TestBadInput(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	service := s.service()
	tray, icon := s.tray("Ready")
	xclip := func(text string) func() {
		return func() { s.copyBy(text, "xclip", "-selection", "clipboard") }
	}
	misbehaves := func(answers func(a *application, e xproto.SelectionRequestEvent) bool) func() {
		return func() {
			a := s.application()
			a.answers = func(e xproto.SelectionRequestEvent, target string) bool {
				return target == "UTF8_STRING" && answers(a, e)
			}
			a.copy("never comes")
		}
	}
	before := residentKiB(t, tray.cmd.Process.Pid)
	slowest := time.Duration(0)
	for i, c := range []struct {
		name   string
		does   func()
		reason string // in the log; "" for a text that goes to the service
		notes  int
		pasted bool // takes too long to be pasted in a test
	}{
		{name: "26,000 lines of JSON", does: xclip(endless(`  {"id": %d, "name": "The house is big."},`, 26_000)), reason: `"too long"`, notes: 1, pasted: true},
		{name: "500,000 lines of SQL", does: xclip(endless("INSERT INTO houses VALUES (%d, 'big');", 500_000)), reason: `"too long"`, notes: 1, pasted: true},
		{name: "50 MB", does: xclip(strings.Repeat("The house is big. ", 50_000_000/18)), reason: `"too long"`, notes: 1},
		{name: "300 MB", does: xclip(strings.Repeat("The house is big. ", 300_000_000/18)), reason: `"too long"`, notes: 1},
		{name: "some wrong bytes", does: xclip("The house is b\xffig and the r\xc3oof is red."), notes: 1, pasted: true},
		{name: "nothing but wrong bytes", does: xclip(strings.Repeat("\xff\xfe\x80\x81", 300)), reason: "garbled"},
		{name: "NUL bytes", does: xclip("T\x00h\x00e\x00 \x00h\x00o\x00u\x00s\x00e\x00"), reason: "garbled"},
		{name: "right to left", does: xclip("\u202bשלום עולם\u202c"), notes: 1, pasted: true},
		{name: "marks of direction", does: xclip("\u200fThe house \u202eis\u202c big.\u200e"), notes: 1, pasted: true},
		{name: "a verb of two characters", does: xclip("学习"), notes: 1, pasted: true}, // C29
		{name: "the owner dies when asked", does: misbehaves(func(a *application, _ xproto.SelectionRequestEvent) bool {
			a.conn.Close()
			return true
		}), reason: `"owner gone"`},
		{name: "the owner dies in the middle", does: misbehaves(func(a *application, e xproto.SelectionRequestEvent) bool {
			size := make([]byte, 4)
			xgb.Put32(size, 150_000)
			xproto.ChangeProperty(a.conn, xproto.PropModeReplace, e.Requestor, e.Property, a.atom("INCR"), 32, 1, size)
			a.notify(e)
			_, _ = xproto.GetInputFocus(a.conn).Reply() // all is sent
			a.conn.Close()
			return true
		}), reason: `"owner gone"`},
		{name: "the owner lies about what it has", does: misbehaves(func(a *application, e xproto.SelectionRequestEvent) bool {
			e.Property = 0
			a.notify(e)
			return true
		}), reason: "refused"},
		{name: "the owner hangs", does: misbehaves(func(*application, xproto.SelectionRequestEvent) bool { return true }), reason: `"owner hung"`},
	} {
		told, logged := len(s.desk.Notes()), strings.Count(s.log(), "reason="+c.reason)
		c.does()
		if c.reason != "" {
			s.judged(c.reason, logged+1)
		}
		if c.pasted {
			begun := time.Now()
			require.NotEmpty(t, s.paste(), c.name)
			t.Logf("%s: pasted in %s", c.name, time.Since(begun))
		}
		begun := time.Now()
		icon.Menu(t)
		slowest = max(slowest, time.Since(begun))
		next := fmt.Sprintf("The house number %d is big.", i)
		s.application().copy(next)
		s.translation(next)
		require.LessOrEqual(t, len(s.desk.Notes())-told-1, c.notes, "%s: %q", c.name, s.desk.Notes()[told:])
		tray.alive()
		service.alive()
	}
	s.says(icon, "Ready")
	after := residentKiB(t, tray.cmd.Process.Pid)
	t.Logf("the menu answered in at most %s; tray %d KiB resident before, %d after", slowest, before, after)
	require.Less(t, after-before, 20<<10, "KiB grown")
	require.NotContains(t, s.log()+tray.output.String()+service.output.String(), "panic")
}

// TestALongCopyOnWayland is the same of what differs there.
func TestALongCopyOnWayland(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.toWayland()
	s.service()
	tray, _ := s.tray("Ready")
	before := residentKiB(t, tray.cmd.Process.Pid)
	long := strings.Repeat("The house is big. ", 50_000_000/18)
	s.wl(long, "wl-copy")
	s.judged(`"too long"`, 1)
	require.Equal(t, len(long), len(s.wlPaste()), "it can be pasted")
	s.wl("T\x00h\x00e\x00 \x00h\x00o\x00u\x00s\x00e\x00", "wl-copy", "--type", "text/plain")
	s.judged("garbled", 1)
	s.wl(last, "wl-copy")
	s.translation(last)
	require.Len(t, s.desk.Notes(), 2, "one for what was too long, one for the translation")
	require.Less(t, residentKiB(t, tray.cmd.Process.Pid)-before, 20<<10, "KiB grown")
}

// fakeSlowService is a service that gives signs of life and takes a minute for a
// text. The real one cannot be made that slow.
func fakeSlowService(t *testing.T, s *seat) {
	t.Helper()
	const snapshot = `{"state":"ready"}`
	say := func(w http.ResponseWriter, kind, text string) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, text)
	}
	mux := http.NewServeMux()
	mux.HandleFunc(api.RouteStatus.Path, func(w http.ResponseWriter, _ *http.Request) { say(w, api.TypeJSON, snapshot) })
	mux.HandleFunc(api.RouteLanguages.Path, func(w http.ResponseWriter, _ *http.Request) {
		say(w, api.TypeJSON, `{"languages":[{"code":"en","name":"English"},{"code":"es","name":"Spanish"}]}`)
	})
	mux.HandleFunc(api.RouteEvents.Path, func(w http.ResponseWriter, r *http.Request) {
		say(w, api.TypeEvents, "id: 1\ndata: {\"snapshot\":"+snapshot+"}\n\n")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc(api.RouteDetect.Path, func(w http.ResponseWriter, _ *http.Request) {
		say(w, api.TypeJSON, `{"detections":[{"language":"en","confidence":1}]}`)
	})
	mux.HandleFunc(api.RouteTranslate.Path, func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-time.After(61 * time.Second):
			say(w, api.TypeLines, `{"done":{"translations":[{"text":"Tarde.","from":"en"}]}}`+"\n")
		case <-r.Context().Done():
		}
	})
	require.NoError(t, os.MkdirAll(filepath.Dir(string(s.address())), 0o700))
	l, err := ipc.Listen(ipc.Options{Address: s.address()})
	require.NoError(t, err)
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
}

func TestAServiceThatAnswersAfterAMinute(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	fakeSlowService(t, s)
	tray, icon := s.tray("Ready")
	editor := s.application()
	editor.copy(ferry)
	for limit := time.Now().Add(2 * time.Minute); len(s.desk.Notes()) == 0; time.Sleep(time.Second) {
		require.True(t, time.Now().Before(limit), "the translation does not come")
		require.NotEmpty(t, icon.Menu(t))
		require.Equal(t, ferry, s.paste())
	}
	notes := s.desk.Notes()
	require.Len(t, notes, 1)
	require.Equal(t, "Tarde.", notes[0].Body)
	s.desk.Click(t, notes[0].ID, "copy")
	s.eventually("it can be pasted", func() bool { return s.paste() == "Tarde." })
	tray.alive()
	require.NotContains(t, s.log(), "level=WARN")
}
