package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"dragoman/daemon/ipc"
	"dragoman/tray/desktest"
)

func TestTheServiceComesAndGoes(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	_, icon := s.tray("The translation service is not running")
	editor := s.application()
	editor.copy(ferry)
	s.desk.Wait(t, saying("The translation service has stopped"))
	editor.copy("The dog is black.")
	service := s.service()
	s.says(icon, "Ready")
	editor.copy(last)
	s.translation(last)
	service.stop()
	s.says(icon, "The translation service is not running")
	_, offered := desktest.Find(icon.Menu(t), "Start the service")
	require.True(t, offered)
	s.service()
	s.says(icon, "Ready")
	require.Len(t, s.desk.Notes(), 2, "that it is away is told once, and what was copied meanwhile is not caught up with")
}

// TestTheServiceHangs has it stopped by a signal, which ends no connection. That a
// manager restarts it is tested in a booted machine (installer/service).
func TestTheServiceHangs(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	service := s.service()
	_, icon := s.tray("Ready")
	require.NoError(t, service.cmd.Process.Signal(syscall.SIGSTOP))
	editor := s.application()
	editor.copy(ferry)
	s.says(icon, "The translation service does not answer")
	s.desk.Wait(t, saying("does not answer"))
	// No manager has started it, so that nobody can restart it but the person.
	icon.Choose(t, "Restart the service")
	s.desk.Wait(t, saying("end the process dragomand"))
	require.NoError(t, service.cmd.Process.Signal(syscall.SIGCONT))
	s.says(icon, "Ready")
	editor.copy(last)
	s.translation(last)
	require.Len(t, s.desk.Notes(), 3, "one line, and the answer to the click")
}

func TestThePanelStartsAgain(t *testing.T) {
	s := newSeat(t, "")
	_, icon := s.tray("The translation service is not running")
	require.Equal(t, "dragoman", icon.Property(t, "Id"))
	s.panel.Stop(t)
	s.panel = desktest.StartPanel(t, s.bus, true)
	icon = s.panel.Item(t)
	s.says(icon, "The translation service is not running")
	icon.Choose(t, "Off")
	s.eventually("clicks arrive", func() bool {
		_, off := desktest.Find(icon.Menu(t), "Watch the clipboard: off")
		return off
	})
}

// TestTheBusStartsAgain also looks that all parts of the new process work.
func TestTheBusStartsAgain(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	p, _ := s.tray("Ready")
	pid := p.cmd.Process.Pid
	for _, text := range []string{ferry, last} {
		s.bus.Stop()
		s.bus.Start(t)
		s.startDesk()
		s.panel = desktest.StartPanel(t, s.bus, true)
		icon := s.panel.Item(t)
		s.says(icon, "Ready")
		s.eventually("the clipboard is watched", func() bool {
			_, watched := desktest.Find(icon.Menu(t), "Watched through X11")
			return watched
		})
		s.application().copy(text)
		s.translation(text)
	}
	p.alive()
	require.Equal(t, pid, p.cmd.Process.Pid)
	open, err := os.ReadDir(filepath.Join("/proc", strconv.Itoa(pid), "fd"))
	require.NoError(t, err)
	require.Less(t, len(open), 30, "what was open before is still open")
	p.stop()
}

func TestNoBusAtAll(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	s.bus.Stop()
	p := s.start(shared.tray, "--verbose")
	editor := s.application()
	s.eventually("copies are seen", func() bool {
		editor.copy(ferry)
		time.Sleep(pause)
		return len(s.texts()) > 0
	})
	p.stop()
}

func TestOneTrayInASession(t *testing.T) {
	s := newSeat(t, "")
	first, _ := s.tray("The translation service is not running")
	second := s.start(shared.tray)
	require.Equal(t, exitFailed, second.wait())
	require.Contains(t, second.output.String(), "already runs in this session")
	first.alive()

	s.env["DISPLAY"] = desktest.StartX(t)
	elsewhere := s.start(shared.tray)
	s.says(s.panel.Item(t), "The translation service is not running")
	elsewhere.stop()
	first.stop()
	s.tray("The translation service is not running")
}

// TestNothingCanBeKept has a state folder that cannot even be made, as on a disk
// that can only be read.
func TestNothingCanBeKept(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	require.NoError(t, os.WriteFile(s.path("file"), nil, 0o600))
	s.service()
	s.env["DRAGOMAN_STATE"] = s.path("file/state")
	p, icon := s.tray("Ready")
	s.desk.Wait(t, saying("cannot write to "+s.env["DRAGOMAN_STATE"]))
	s.application().copy(ferry)
	s.translation(ferry)
	icon.Choose(t, "French")
	s.eventually("the language is chosen", func() bool {
		_, chosen := desktest.Find(icon.Menu(t), "Translate into: French")
		return chosen
	})
	second := s.start(shared.tray)
	require.Equal(t, exitFailed, second.wait())
	require.Contains(t, second.output.String(), "already runs in this session")
	p.stop()
	told := 0
	for _, n := range s.desk.Notes() {
		if strings.Contains(n.Body, "cannot write to") {
			told++
		}
	}
	require.Equal(t, 1, told)
}

func TestTheEnd(t *testing.T) {
	s := newSeat(t, "clipboard.watch = \"every\"\n")
	s.service()
	p, icon := s.tray("Ready")
	s.application().copy(ferry)
	_, note := s.translation(ferry)
	icon.Choose(t, "Quit (the service goes on)")
	require.Zero(t, p.wait(), "%s", &p.output)
	require.Contains(t, s.desk.Closed(), note.ID, "buttons that do nothing are left behind")
	_, err := s.client().Status(t.Context())
	require.NoError(t, err)

	p, _ = s.tray("Ready")
	p.stop()
	require.NotContains(t, p.output.String()+s.log(), "panic")
}

func TestWrongUse(t *testing.T) {
	s := newSeat(t, "")
	p := s.start(shared.tray, "--colour")
	require.Equal(t, exitUsage, p.wait())
	require.Contains(t, p.output.String(), "--help")
	require.NotContains(t, p.output.String(), "goroutine")
}

// TestAnAnswerThatIsNone has something else than the service at its address.
func TestAnAnswerThatIsNone(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"rubbish": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("\x00\xff{]")) },
		"other types": func(w http.ResponseWriter, _ *http.Request) {
			_, _ = w.Write([]byte(`{"state":7,"detections":{},"translations":"x"}`))
		},
		"empty":          func(http.ResponseWriter, *http.Request) {},
		"null":           func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("null")) },
		"cut":            func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"nothing so far": func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			s := newSeat(t, "clipboard.watch = \"every\"\n")
			require.NoError(t, os.MkdirAll(filepath.Dir(string(s.address())), 0o700))
			l, err := ipc.Listen(ipc.Options{Address: s.address()})
			require.NoError(t, err)
			fake := &http.Server{Handler: answer}
			go func() { _ = fake.Serve(l) }()
			t.Cleanup(func() { _ = fake.Close() })

			p := s.start(shared.tray, "--verbose")
			icon := s.panel.Item(t)
			s.eventually("the clipboard is watched", func() bool {
				_, watched := desktest.Find(icon.Menu(t), "Watched through X11")
				return watched
			})
			editor := s.application()
			editor.copy(ferry)
			editor.copy(last)
			if name != "nothing so far" {
				s.eventually("the text is given up", func() bool {
					return strings.Contains(s.log(), "A text was not translated") || strings.Contains(s.log(), "needs no translation")
				})
			}
			icon.Choose(t, "Off") // it can still be used
			s.eventually("clicks arrive", func() bool {
				_, off := desktest.Find(icon.Menu(t), "Watch the clipboard: off")
				return off
			})
			require.Equal(t, last, s.paste())
			p.alive()
			p.stop()
		})
	}
}
