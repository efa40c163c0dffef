package notify

import (
	"context"
	"encoding/xml"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"git.sr.ht/~jackmordaunt/go-toast/wintoast"
	"golang.org/x/sys/windows"
)

// Notifier shows notes. Its methods may be called from several goroutines.
//
// go-toast's higher level and its PowerShell fallback are not used: they would
// write texts of the user's into a script file. The library can neither replace
// nor take back a toast; both are left to Windows' own list.
type Notifier struct {
	options Options
	events  chan Event
	toasts  chan push
	stop    chan struct{}
	ended   chan struct{} // closed when nothing of COM's is left
	once    sync.Once
}

type push struct {
	xml    string
	answer chan error
}

// Open returns a Notifier.
func Open(o Options) *Notifier {
	n := &Notifier{options: o, events: make(chan Event, clicks), toasts: make(chan push), stop: make(chan struct{}), ended: make(chan struct{})}
	go n.run()
	return n
}

// Events are the person's clicks. One that nobody takes is dropped when more
// than a few wait.
func (n *Notifier) Events() <-chan Event { return n.events }

// Show shows a note. The error says which step the Windows Runtime refused.
func (n *Notifier) Show(ctx context.Context, note Note) error {
	text, err := toastXML(note)
	if err != nil {
		return err
	}
	p := push{xml: text, answer: make(chan error, 1)}
	select {
	case n.toasts <- p:
	case <-n.stop:
		return ErrNoService
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-p.answer:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Withdraw does nothing: see Notifier.
func (n *Notifier) Withdraw(context.Context, string) error { return nil }

// Close ends the Notifier. Toasts stay until Windows takes them away.
func (n *Notifier) Close() {
	n.once.Do(func() { close(n.stop) })
	select {
	case <-n.ended:
	case <-time.After(endPatience):
	}
}

// Leave is Close.
func (n *Notifier) Leave() { n.Close() }

// endPatience is how long the Windows Runtime may take to let go.
const endPatience = 2 * time.Second

// roUninitialize gives back what the library has registered. COM would do so at
// the end of the process, by calls into Go on a thread that is none of Go's any
// more: the process then hangs instead of ending.
var roUninitialize = windows.NewLazySystemDLL("combase.dll").NewProc("RoUninitialize")

// run pushes from one thread, for which the runtime was initialised.
func (n *Notifier) run() {
	runtime.LockOSThread()
	defer close(n.ended)
	pushed := false
	wintoast.SetActivationCallback(func(_, arguments string, _ []wintoast.UserData) {
		action, key, _ := strings.Cut(arguments, " ")
		select {
		case n.events <- Event{Key: key, Action: action}:
		default:
		}
	})
	for {
		select {
		case p := <-n.toasts:
			pushed = true
			p.answer <- n.push(p.xml)
		case <-n.stop:
			if pushed && roUninitialize.Find() == nil {
				_, _, _ = roUninitialize.Call()
			}
			return
		}
	}
}

func (n *Notifier) push(text string) error {
	if err := wintoast.SetAppData(wintoast.AppData{AppID: n.options.App, GUID: n.options.Activator, IconPath: n.options.Icon}); err != nil {
		return fmt.Errorf("register for notifications: %w", err)
	}
	if err := wintoast.Push(text); err != nil {
		return fmt.Errorf("show a notification: %w", err)
	}
	return nil
}

// toastXML writes the toast's content (Microsoft's toast schema).
func toastXML(note Note) (string, error) {
	type action struct {
		Content   string `xml:"content,attr"`
		Arguments string `xml:"arguments,attr"`
		Type      string `xml:"activationType,attr"`
	}
	toast := struct {
		XMLName xml.Name `xml:"toast"`
		Launch  string   `xml:"launch,attr"`
		Binding struct {
			Template string   `xml:"template,attr"`
			Text     []string `xml:"text"`
		} `xml:"visual>binding"`
		Actions []action `xml:"actions>action"`
		Audio   struct {
			Silent bool `xml:"silent,attr"`
		} `xml:"audio"`
	}{Launch: Default + " " + note.Key}
	toast.Binding.Template = "ToastGeneric"
	toast.Binding.Text = []string{clean(note.Title), clean(note.Body)}
	toast.Audio.Silent = true
	for _, a := range note.Actions {
		if a.ID != Default {
			toast.Actions = append(toast.Actions, action{clean(a.Label), a.ID + " " + note.Key, "foreground"})
		}
	}
	out, err := xml.Marshal(toast)
	if err != nil {
		return "", fmt.Errorf("write a toast: %w", err)
	}
	return string(out), nil
}
