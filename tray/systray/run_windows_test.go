package systray

import (
	"bytes"
	"context"
	"log"
	"os"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"

	"dragoman/assets/icons"
	"dragoman/daemon/api"
	"dragoman/tray"
)

const soon = 30 * time.Second

// Names and numbers are those of Microsoft's documentation of windows and menus.
const (
	wmClose, wmCommand, wmCancelMode, wmUser = 0x10, 0x111, 0x1f, 0x400
	wmRightButtonUp                          = 0x205
	mnGetMenu                                = 0x1e1 // MN_GETHMENU
	byPosition                               = 0x400
	stateGrayed, stateChecked                = 3, 8
	typeSeparator                            = 0x800
)

var (
	user32           = windows.NewLazySystemDLL("user32.dll")
	findWindow       = user32.NewProc("FindWindowW")
	postMessage      = user32.NewProc("PostMessageW")
	sendMessage      = user32.NewProc("SendMessageW")
	getMenuItemCount = user32.NewProc("GetMenuItemCount")
	getMenuItemID    = user32.NewProc("GetMenuItemID")
	getMenuState     = user32.NewProc("GetMenuState")
	getMenuString    = user32.NewProc("GetMenuStringW")
	getSubMenu       = user32.NewProc("GetSubMenu")
)

func window(class string) uintptr {
	name, _ := windows.UTF16PtrFromString(class)
	w, _, _ := findWindow.Call(uintptr(unsafe.Pointer(name)), 0)
	return w
}

// entry is an item of a menu as Windows has it.
type entry struct {
	label            string
	enabled, checked bool
	separator        bool
	children         []entry
}

func read(menu uintptr) (entries []entry, ids map[string]uintptr) {
	ids = map[string]uintptr{}
	count, _, _ := getMenuItemCount.Call(menu)
	for at := range count {
		var text [256]uint16
		n, _, _ := getMenuString.Call(menu, at, uintptr(unsafe.Pointer(&text[0])), uintptr(len(text)), byPosition)
		state, _, _ := getMenuState.Call(menu, at, byPosition)
		e := entry{label: windows.UTF16ToString(text[:n]), enabled: state&stateGrayed == 0, checked: state&stateChecked != 0}
		if sub, _, _ := getSubMenu.Call(menu, at); sub != 0 {
			// The upper byte of the state is the number of items.
			state &= 0xff
			e.checked = state&stateChecked != 0
			e.children, _ = read(sub)
		} else {
			id, _, _ := getMenuItemID.Call(menu, at)
			ids[e.label] = id
			if state&typeSeparator != 0 {
				e = entry{separator: true}
			}
		}
		entries = append(entries, e)
	}
	return entries, ids
}

// visible turns a view's items into what Windows should have of them.
func visible(items []tray.Item) (seen []entry) {
	for _, i := range items {
		switch {
		case i.Hidden:
		case i.Separator:
			seen = append(seen, entry{separator: true})
		default:
			seen = append(seen, entry{mnemonics(i.Label), i.Enabled, i.Checked, false, visible(i.Children)})
		}
	}
	return seen
}

// TestTheMenuOfWindows reads the real menu while it is open. The library works
// once in a process, so that all is in one test.
func TestTheMenuOfWindows(t *testing.T) {
	s := tray.State{
		Snapshot: api.Snapshot{
			State:   api.StateReady,
			Model:   api.Model{Encoder: "NPU 4000", Decoder: "CPU"},
			Folders: []api.Folder{{ID: 3, Settings: api.FolderSettings{Path: "/Letters & more"}, Status: api.FolderStatus{State: api.FolderWatching}}},
		},
		Target:  tray.Target{Language: "es", Recent: []string{"es"}, Languages: []api.Language{{Code: "es"}, {Code: "de"}}},
		Results: []tray.Result{{Key: "9", Source: "Good morning"}},
	}
	// The library tells its errors to the log only.
	var trouble bytes.Buffer
	log.SetOutput(&trouble)
	defer log.SetOutput(os.Stderr)
	ctx, cancel := context.WithCancel(t.Context())
	views, clicks, ended := make(chan tray.View), make(chan tray.Click), make(chan error, 1)
	go func() { ended <- Run(ctx, views, clicks) }()
	views <- tray.Render(s)

	var owner, popup uintptr
	require.Eventually(t, func() bool {
		select {
		case err := <-ended:
			require.NoError(t, err)
		default:
		}
		owner = window("SystrayClass")
		return owner != 0
	}, soon, 20*time.Millisecond, "the library's window")
	// The menu is complete when a second view is taken.
	views <- tray.Render(s)
	_, _, _ = postMessage.Call(owner, wmUser+1, 0, wmRightButtonUp)
	require.Eventually(t, func() bool { popup = window("#32768"); return popup != 0 }, soon, 20*time.Millisecond, "no menu opens")
	menu, _, _ := sendMessage.Call(popup, mnGetMenu, 0, 0)
	require.NotZero(t, menu)

	shows := func(s tray.State) map[string]uintptr {
		t.Helper()
		var ids map[string]uintptr
		require.EventuallyWithT(t, func(c *assert.CollectT) {
			var got []entry
			got, ids = read(menu)
			require.Equal(c, visible(tray.Render(s).Menu), got)
		}, soon, 20*time.Millisecond)
		return ids
	}
	ids := shows(s)
	_, _, _ = postMessage.Call(owner, wmCommand, ids["Good morning"], 0)
	require.Equal(t, tray.Click{ID: tray.ID{Action: tray.CopyResult, Arg: "9"}}, <-clicks)

	for name, change := range map[string]func(*tray.State){
		"paused": func(s *tray.State) { s.Snapshot.State = api.StatePaused },
		"more": func(s *tray.State) {
			s.Results = append(s.Results, tray.Result{Key: "8", Source: "a & b_c"})
			s.Snapshot.Folders = append(s.Snapshot.Folders, api.Folder{ID: 4, Settings: api.FolderSettings{Path: "/b", Paused: true}})
			s.Target.Languages = append(s.Target.Languages, api.Language{Code: "fr"}, api.Language{Code: "it"})
		},
		"away": func(s *tray.State) { s.Snapshot = api.Snapshot{State: api.StateStopped} },
		"bare": func(s *tray.State) { *s = tray.State{} },
	} {
		t.Run(name, func(t *testing.T) {
			changed := s
			change(&changed)
			views <- tray.Render(changed)
			shows(changed)
			views <- tray.Render(s)
			shows(s)
		})
	}
	_, _, _ = sendMessage.Call(owner, wmCancelMode, 0, 0)
	for _, icon := range icons.States {
		v := tray.Render(s)
		v.Icon = icon
		views <- v
	}
	cancel()
	require.NoError(t, <-ended)
	require.Zero(t, window("SystrayClass"), "the window is still there")
	require.Empty(t, trouble.String())
}
