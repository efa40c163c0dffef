package tray

import (
	"fmt"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the machine may have no time zones
	"unicode/utf16"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"dragoman/assets/icons"
	"dragoman/daemon/api"
	"dragoman/tray/message"
)

var noon = time.Date(2026, 11, 28, 12, 0, 0, 0, time.FixedZone("", 3600))

// ready is a state in which everything is as it should be.
func ready() State {
	return State{
		Snapshot: api.Snapshot{
			State: api.StateReady,
			Model: api.Model{Name: "m2m100_418M", Encoder: "NPU 4000", Decoder: "CPU"},
		},
		Clipboard: Clipboard{Mode: ClipDouble, Backend: "X11"},
		Target: Target{
			Language: "es", Recent: []string{"fr", "es"},
			Languages: []api.Language{{Code: "en", Name: "English"}, {Code: "es", Name: "Spanish"}, {Code: "fr", Name: "French"}, {Code: "de", Name: "German"}},
		},
		Power:         Power{Joules: 25, Texts: 10},
		Notifications: true,
		CanAddFolder:  true,
		Now:           noon,
		Texts:         message.New("en"),
	}
}

// change returns a ready state with something else.
func change(f func(*State)) State {
	s := ready()
	f(&s)
	return s
}

// find returns the item of an ID, which must be there once.
func find(t *testing.T, items []Item, id ID) Item {
	t.Helper()
	var found []Item
	var look func([]Item)
	look = func(items []Item) {
		for _, i := range items {
			if i.ID == id && !i.Separator {
				found = append(found, i)
			}
			look(i.Children)
		}
	}
	look(items)
	require.Len(t, found, 1, "%v", id)
	return found[0]
}

// draw writes the visible items as a person sees them: * checked, o not
// checked, - disabled.
func draw(items []Item) string {
	var b strings.Builder
	var write func([]Item, string)
	write = func(items []Item, indent string) {
		for _, i := range items {
			if i.Hidden {
				continue
			}
			mark := " "
			switch {
			case i.Checked:
				mark = "*"
			case i.Checkable:
				mark = "o"
			}
			if !i.Enabled {
				mark += "-"
			} else {
				mark += " "
			}
			if i.Separator {
				mark, i.Label = "", "----"
			}
			fmt.Fprintf(&b, "%s%s%s\n", indent, mark, i.Label)
			write(i.Children, indent+"    ")
		}
	}
	write(items, "")
	return b.String()
}

func TestTheWholeMenu(t *testing.T) {
	s := change(func(s *State) {
		s.Results = []Result{{"7", "Where is the station?", "¿Dónde está la estación?"}, {"6", "Good\nmorning", "Buenos días"}}
		s.Snapshot.Folders = []api.Folder{
			{ID: 3, Settings: api.FolderSettings{Path: "/home/ana/Translate"}, Status: api.FolderStatus{State: api.FolderWatching, Waiting: 2}},
			{ID: 4, Settings: api.FolderSettings{Path: "/home/ana/Briefe"}, Status: api.FolderStatus{State: api.FolderPaused}},
		}
		s.Target.TwoWay = TwoWay{First: "en", Second: "es"}
		s.Autostart = true
	})
	want := map[string]string{
		"en": ` -Ready
 -Encoder NPU 4000, decoder CPU
 -Energy: 2.5 J a text (of 10)
----
  Watch the clipboard: on double copy
    o Off
    * When a text is copied twice
    o At every copy
     -Watched through X11
    ----
    * Show notifications
  Translate into: Spanish
    o French
    * Spanish
    ----
    o Both ways: English ↔ Spanish
    o English
    o French
    o German
    * Spanish
----
 -Last translations (a click copies)
  Where is the station?
  Good morning
----
  Drop folders
      Add a folder…
      Translate
         -Watched, 2 files wait
          Open
          Pause
      Briefe
         -Paused, 0 files wait
          Open
          Resume
  Pause files
      For 1 hour
      Until tomorrow
    o Always while on battery
  History
  Settings
  Help
----
* Start at login
  Quit (the service goes on)
  Quit and stop the service
`,
		"de": ` -Bereit
 -Encoder NPU 4000, Decoder CPU
 -Energie: 2,5 J je Text (von 10)
----
  Zwischenablage beobachten: bei doppeltem Kopieren
    o Aus
    * Wenn ein Text zweimal kopiert wird
    o Bei jedem Kopieren
     -Beobachtet über X11
    ----
    * Benachrichtigungen zeigen
  Übersetzen in: Spanisch
    o Französisch
    * Spanisch
    ----
    o In beide Richtungen: Englisch ↔ Spanisch
    o Deutsch
    o Englisch
    o Französisch
    * Spanisch
----
 -Letzte Übersetzungen (Klick kopiert)
  Where is the station?
  Good morning
----
  Ablageordner
      Ordner hinzufügen …
      Translate
         -Beobachtet, 2 Dateien warten
          Öffnen
          Pausieren
      Briefe
         -Pausiert, 0 Dateien warten
          Öffnen
          Fortsetzen
  Dateien pausieren
      Für 1 Stunde
      Bis morgen
    o Immer im Akkubetrieb
  Verlauf
  Einstellungen
  Hilfe
----
* Beim Anmelden starten
  Beenden (der Dienst läuft weiter)
  Beenden und den Dienst anhalten
`,
	}
	for language, menu := range want {
		s.Texts = message.New(language)
		require.Equal(t, menu, draw(Render(s).Menu), language)
	}
}

func TestStates(t *testing.T) {
	for name, test := range map[string]struct {
		state            State
		icon             icons.State
		en, de           string
		device, detail   string // in English, "" if hidden
		start, stop      bool   // what is offered
		resume, canPause bool
	}{
		"ready": {
			ready(), icons.Ready, "Ready", "Bereit", "Encoder NPU 4000, decoder CPU", "", false, true, false, true},
		"working": {change(func(s *State) { s.Snapshot.Queue.Running = 1 }),
			icons.Working, "Translating", "Übersetzt gerade", "Encoder NPU 4000, decoder CPU", "", false, true, false, true},
		"warming": {change(func(s *State) {
			s.Snapshot.State = api.StateWarming
			s.Snapshot.Model = api.Model{Warming: "compiling for the NPU", WarmUS: 12_400_000}
		}), icons.Warming, "Warming up", "Wird vorbereitet", "No model is loaded", "compiling for the NPU (last time: 12 s)", false, true, false, true},
		"warming for the first time": {change(func(s *State) {
			s.Snapshot.State, s.Snapshot.Model = api.StateWarming, api.Model{Warming: "reading weights"}
		}), icons.Warming, "Warming up", "Wird vorbereitet", "No model is loaded", "reading weights", false, true, false, true},
		"paused": {change(func(s *State) { s.Snapshot.State = api.StatePaused }),
			icons.Paused, "Paused: files wait", "Pausiert: Dateien warten", "Encoder NPU 4000, decoder CPU", "", false, true, true, true},
		"paused today": {change(func(s *State) {
			s.Snapshot.State, s.Snapshot.PausedUntil = api.StatePaused, noon.Add(time.Hour).UTC()
		}), icons.Paused, "Paused until 13:00: files wait", "Pausiert bis 13:00: Dateien warten", "Encoder NPU 4000, decoder CPU", "", false, true, true, true},
		"paused until tomorrow": {change(func(s *State) {
			s.Snapshot.State, s.Snapshot.PausedUntil = api.StatePaused, Tomorrow(noon)
		}), icons.Paused, "Paused until tomorrow 06:00: files wait", "Pausiert bis morgen 06:00: Dateien warten", "Encoder NPU 4000, decoder CPU", "", false, true, true, true},
		"paused for days": {change(func(s *State) {
			s.Snapshot.State, s.Snapshot.PausedUntil = api.StatePaused, noon.AddDate(0, 0, 3)
		}), icons.Paused, "Paused until 2026-12-01 12:00: files wait", "Pausiert bis 2026-12-01 12:00: Dateien warten", "Encoder NPU 4000, decoder CPU", "", false, true, true, true},
		"paused while a text is translated": {change(func(s *State) {
			s.Snapshot.State, s.Snapshot.Queue.Running = api.StatePaused, 1
		}), icons.Paused, "Paused: files wait", "Pausiert: Dateien warten", "Encoder NPU 4000, decoder CPU", "", false, true, true, true},
		"fallback": {change(func(s *State) {
			s.Fallback, s.Snapshot.Model.Encoder = "the NPU's answers were wrong", "CPU"
		}), icons.Fallback, "Ready, on the processor only", "Bereit, nur auf dem Prozessor", "Encoder CPU, decoder CPU", "the NPU's answers were wrong", false, true, false, true},
		"fault": {change(func(s *State) {
			s.Snapshot.State, s.Snapshot.Message, s.Snapshot.Model = api.StateFault, "no runtime: run `dragoman runtime install`", api.Model{}
		}), icons.Error, "Nothing can be translated", "Nichts kann übersetzt werden", "No model is loaded", "no runtime: run `dragoman runtime install`", false, true, false, true},
		"away": {change(func(s *State) {
			s.Snapshot = api.Snapshot{State: api.StateStopped, Message: api.ErrNotRunning.Error()}
			s.Fallback = "old news"
		}), icons.Away, "The translation service is not running", "Der Übersetzungsdienst läuft nicht", "", short(api.ErrNotRunning.Error(), shortLine), true, false, false, false},
		"another program at its address": {change(func(s *State) {
			s.Snapshot = api.Snapshot{State: api.StateStopped, Message: "the answer is none"}
		}), icons.Away, "The translation service does not answer", "Der Übersetzungsdienst antwortet nicht", "", "the answer is none", true, false, false, false},
		"no answer": {change(func(s *State) { s.Silent = true }),
			icons.Away, "The translation service does not answer", "Der Übersetzungsdienst antwortet nicht", "Encoder NPU 4000, decoder CPU", "", false, true, false, true},
		"before the first word": {change(func(s *State) { s.Snapshot = api.Snapshot{} }),
			icons.Warming, "Looking for the translation service", "Sucht den Übersetzungsdienst", "", "", false, true, false, false},
		"a notice": {change(func(s *State) {
			s.Snapshot.Notices = []api.Notice{{Level: "info", Message: "hello"}, {Level: "warning", Message: "the disk is full"}}
		}), icons.Ready, "Ready", "Bereit", "Encoder NPU 4000, decoder CPU", "the disk is full", false, true, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			v := Render(test.state)
			require.Equal(t, test.icon, v.Icon)
			tip := "Dragoman: " + test.en
			if test.device != "" {
				tip += "\n" + test.device
			}
			require.Equal(t, tip, v.Tooltip)
			label := func(action Action) string {
				i := find(t, v.Menu, ID{Action: action})
				require.False(t, i.Enabled, "a line that can be clicked")
				require.Equal(t, i.Label == "", i.Hidden)
				return i.Label
			}
			require.Equal(t, test.en, label(StatusLine))
			require.Equal(t, test.device, label(DeviceLine))
			require.Equal(t, test.detail, label(DetailLine))
			require.Equal(t, test.start, !find(t, v.Menu, ID{Action: StartService}).Hidden)
			require.Equal(t, test.stop, !find(t, v.Menu, ID{Action: QuitAndStop}).Hidden)
			require.Equal(t, test.resume, !find(t, v.Menu, ID{Action: Resume}).Hidden)
			require.Equal(t, test.canPause, find(t, v.Menu, ID{Pause, ForAnHour}).Enabled)
			require.Equal(t, test.canPause, find(t, v.Menu, ID{Action: History}).Enabled)

			test.state.Texts = message.New("de")
			require.Equal(t, test.de, find(t, Render(test.state).Menu, ID{Action: StatusLine}).Label)
		})
	}
}

func TestPowerIsNeverNothing(t *testing.T) {
	for name, test := range map[string]struct {
		power  Power
		away   bool
		en, it string
	}{
		"one text":       {Power{Joules: 0.42, Texts: 1}, false, "Energy: 0.42 J for 1 text", "Energia: 0,42 J per 1 testo"},
		"many":           {Power{Joules: 3000, Texts: 2}, false, "Energy: 1,500 J a text (of 2)", "Energia: 1.500 J per testo (su 2)"},
		"no meter":       {Power{Unknown: PowerNoMeter}, false, "Energy: unknown (this machine has no meter)", "Energia: sconosciuta (questo computer non ha un contatore)"},
		"not allowed":    {Power{Unknown: PowerNoPermission}, false, "Energy: unknown (the meter may not be read)", "Energia: sconosciuta (il contatore non può essere letto)"},
		"nothing yet":    {Power{}, false, "Energy: unknown (nothing measured yet)", "Energia: sconosciuta (ancora nulla di misurato)"},
		"a meter at 0":   {Power{Texts: 5}, false, "Energy: unknown (nothing measured yet)", "Energia: sconosciuta (ancora nulla di misurato)"},
		"below 0":        {Power{Joules: -1, Texts: 5, Unknown: "the counter went back"}, false, "Energy: unknown (the counter went back)", "Energia: sconosciuta (the counter went back)"},
		"service away":   {Power{Unknown: PowerNoMeter}, true, "Energy: unknown (the service does not say)", "Energia: sconosciuta (il servizio non lo dice)"},
		"away, measured": {Power{Joules: 9, Texts: 3}, true, "Energy: 3 J a text (of 3)", "Energia: 3 J per testo (su 3)"},
	} {
		t.Run(name, func(t *testing.T) {
			s := change(func(s *State) {
				s.Power = test.power
				if test.away {
					s.Snapshot = api.Snapshot{State: api.StateStopped}
				}
			})
			require.Equal(t, test.en, find(t, Render(s).Menu, ID{Action: PowerLine}).Label)
			s.Texts = message.New("it")
			require.Equal(t, test.it, find(t, Render(s).Menu, ID{Action: PowerLine}).Label)
		})
	}
}

func TestClipboard(t *testing.T) {
	for name, test := range map[string]struct {
		clip           Clipboard
		en, fr         string
		line           string
		chosen         ClipMode
		canBe, hasLine bool
	}{
		"off":   {Clipboard{}, "Watch the clipboard: off", "Surveiller le presse-papiers : non", "", ClipOff, true, false},
		"every": {Clipboard{ClipEvery, "Wayland", ""}, "Watch the clipboard: on every copy", "Surveiller le presse-papiers : chaque copie", "Watched through Wayland", ClipEvery, true, true},
		"no data control": {Clipboard{ClipEvery, "", ClipNoProtocol}, "Watch the clipboard: not possible", "Surveiller le presse-papiers : impossible",
			"Not possible: this desktop does not let programs watch it", "", false, true},
		"another reason": {Clipboard{ClipDouble, "", "the moon\x07"}, "Watch the clipboard: not possible", "Surveiller le presse-papiers : impossible",
			"Not possible: the moon", "", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := change(func(s *State) { s.Clipboard = test.clip })
			v := Render(s)
			require.Equal(t, test.en, find(t, v.Menu, ID{SubMenu, "clip"}).Label)
			for _, m := range ClipModes {
				i := find(t, v.Menu, ID{SetClipMode, string(m)})
				require.Equal(t, []bool{test.canBe, m == test.chosen}, []bool{i.Enabled, i.Checked}, m)
			}
			l := find(t, v.Menu, ID{InfoLine, "clip"})
			require.Equal(t, test.hasLine, !l.Hidden)
			if test.hasLine {
				require.Equal(t, test.line, l.Label)
			}
			s.Texts = message.New("fr")
			require.Equal(t, test.fr, find(t, Render(s).Menu, ID{SubMenu, "clip"}).Label)
		})
	}
}

func TestWhatThePolicyFixesCannotBeChosen(t *testing.T) {
	free := Render(ready()).Menu
	fixed := Render(change(func(s *State) { s.Fixed = Fixed{true, true, true, true, true} })).Menu
	for _, id := range []ID{
		{SetClipMode, string(ClipOff)}, {SetClipMode, string(ClipEvery)}, {Notifications, ""}, {BatteryPause, ""},
		{SetTwoWay, ""},
	} {
		require.True(t, find(t, free, id).Enabled, id)
		require.False(t, find(t, fixed, id).Enabled, id)
		require.Equal(t, find(t, free, id).Checked, find(t, fixed, id).Checked, "what counts is shown")
	}
	for _, of := range []string{"clip", "target", "pause"} {
		id := ID{InfoLine, "fixed." + of}
		require.True(t, find(t, free, id).Hidden)
		require.False(t, find(t, fixed, id).Hidden)
		require.Equal(t, "Fixed by the administrator", find(t, fixed, id).Label)
	}
}

func TestTargets(t *testing.T) {
	title := func(s State) string { return find(t, Render(s).Menu, ID{SubMenu, "target"}).Label }
	shown := func(s State) (recent []string, hidden int) {
		for _, i := range find(t, Render(s).Menu, ID{SubMenu, "target"}).Children[1 : 1+MaxRecent] {
			if i.Hidden {
				hidden++
			} else {
				recent = append(recent, i.ID.Arg)
			}
		}
		return recent, hidden
	}
	none := change(func(s *State) { s.Target = Target{} })
	require.Equal(t, "Translate into: not chosen", title(none))
	require.False(t, find(t, Render(none).Menu, ID{InfoLine, "target"}).Hidden)
	require.Equal(t, "The languages are not known yet", find(t, Render(none).Menu, ID{InfoLine, "languages"}).Label)

	two := change(func(s *State) { s.Target.TwoWay = TwoWay{"en", "es", true} })
	require.Equal(t, "Translate into: English ↔ Spanish", title(two))
	require.True(t, find(t, Render(two).Menu, ID{Action: SetTwoWay}).Checked)
	for _, i := range find(t, Render(two).Menu, ID{SubMenu, "target"}).Children {
		require.False(t, i.Checked && i.ID.Action == SetTarget, "one language is checked beside the pair")
	}
	same := change(func(s *State) { s.Target.TwoWay = TwoWay{"en", "en", true} })
	require.True(t, find(t, Render(same).Menu, ID{Action: SetTwoWay}).Hidden)
	require.Equal(t, "Translate into: Spanish", title(same))

	recent, hidden := shown(change(func(s *State) { s.Target.Recent = []string{"fr", "de", "fr", ""} }))
	require.Equal(t, []string{"es", "fr", "de"}, recent, "the present one is added, none is there twice")
	require.Equal(t, 2, hidden)
	recent, _ = shown(change(func(s *State) { s.Target.Recent = []string{"fr", "de", "en", "it", "pt", "es"} }))
	require.Equal(t, []string{"es", "fr", "de", "en", "it"}, recent)

	odd := change(func(s *State) {
		s.Target.Language = "xx-what"
		s.Target.Languages = append(s.Target.Languages, api.Language{Code: "xx-what", Native: "Nanu"})
	})
	require.Equal(t, "Translate into: Nanu", title(odd))
}

func TestResults(t *testing.T) {
	s := change(func(s *State) {
		for i := range 7 {
			s.Results = append(s.Results, Result{Key: fmt.Sprint(i), Source: fmt.Sprintf("Text %d", i)})
		}
		s.Results[1].Source = "\x00\u202e"
	})
	v := Render(s)
	require.Equal(t, "Text 4", find(t, v.Menu, ID{CopyResult, "4"}).Label)
	require.Equal(t, "…", find(t, v.Menu, ID{CopyResult, "1"}).Label)
	require.NotContains(t, draw(v.Menu), "Text 5")
	s.Results = nil
	require.Equal(t, "No translations yet", find(t, Render(s).Menu, ID{InfoLine, "results"}).Label)
}

func TestFolders(t *testing.T) {
	s := change(func(s *State) {
		s.CanAddFolder = false
		s.Snapshot.Folders = []api.Folder{
			{ID: 1, Settings: api.FolderSettings{Path: "/a/In"}, Status: api.FolderStatus{State: api.FolderMissing}},
			{ID: 2, Settings: api.FolderSettings{Path: "/b/In"}, Status: api.FolderStatus{State: api.FolderFailed}},
			{ID: 3, Settings: api.FolderSettings{Path: "/b/Out"}, Status: api.FolderStatus{State: api.FolderPolling, Waiting: 1}},
			{ID: 4, Settings: api.FolderSettings{Path: "/b/\u05d0\n\u05d1"}, Status: api.FolderStatus{State: api.FolderStarting}},
		}
	})
	v := Render(s)
	require.True(t, find(t, v.Menu, ID{Action: AddFolder}).Hidden)
	require.Equal(t, "Add a folder by command: dragoman folders add", find(t, v.Menu, ID{InfoLine, "folder.add"}).Label)
	for number, want := range map[string][2]string{
		"1": {"/a/In", "The folder is missing"},
		"2": {"/b/In", "Nothing comes out"},
		"3": {"Out", "Looked at now and then, 1 file waits"},
		"4": {"\u2068\u05d0 \u05d1\u2069", "Being opened"},
	} {
		require.Equal(t, want[0], find(t, v.Menu, ID{SubMenu, "folder." + number}).Label)
		require.Equal(t, want[1], find(t, v.Menu, ID{InfoLine, "folder." + number}).Label)
	}
	require.False(t, find(t, v.Menu, ID{OpenFolder, "1"}).Enabled)
	require.True(t, find(t, v.Menu, ID{OpenFolder, "2"}).Enabled)
	s.Snapshot.State = api.StateStopped
	require.False(t, find(t, Render(s).Menu, ID{PauseFolder, "3"}).Enabled, "nobody would answer")
}

// kinds are what a place in a menu is made for.
func kinds(items []Item) (k []string) {
	for _, i := range items {
		switch {
		case i.Separator:
			k = append(k, "separator")
		case i.Checkable:
			k = append(k, "check")
		case i.Children != nil:
			k = append(k, "menu")
		default:
			k = append(k, "button")
		}
	}
	return k
}

// TestPlacesStayTheSame holds Render to what View.Menu promises.
func TestPlacesStayTheSame(t *testing.T) {
	first := Render(State{})
	states := []State{ready(), change(func(s *State) { s.Snapshot.State = api.StatePaused; s.Results = make([]Result, 3) }),
		change(func(s *State) { s.Snapshot.State = api.StateStopped; s.CanAddFolder = false }),
		change(func(s *State) { s.Snapshot.Folders = make([]api.Folder, 3); s.Target = Target{} }),
		change(func(s *State) {
			s.Clipboard = Clipboard{Impossible: "x"}
			s.Fallback = "y"
			s.Target.TwoWay = TwoWay{"a", "b", true}
		})}
	var same func(t *testing.T, a, b []Item)
	same = func(t *testing.T, a, b []Item) {
		n := min(len(a), len(b))
		require.Equal(t, kinds(a)[:n], kinds(b)[:n])
		for i := range n {
			same(t, a[i].Children, b[i].Children)
		}
	}
	for _, s := range states {
		v := Render(s)
		require.Len(t, v.Menu, len(first.Menu), "the top of the menu cannot grow")
		same(t, first.Menu, v.Menu)
		requireNoBareRules(t, v.Menu)
	}
}

// requireNoBareRules: no rule at an end or beside another.
func requireNoBareRules(t *testing.T, items []Item) {
	t.Helper()
	before := true
	for _, i := range items {
		if i.Hidden {
			continue
		}
		require.False(t, before && i.Separator)
		before = i.Separator
		requireNoBareRules(t, i.Children)
	}
	require.False(t, before && len(items) > 0, "a rule at the end")
}

func TestTooltipFitsIntoWindows(t *testing.T) {
	v := Render(change(func(s *State) { s.Snapshot.Model.Encoder = strings.Repeat("👩‍👩‍👧", 200) }))
	units := len(utf16.Encode([]rune(v.Tooltip)))
	require.LessOrEqual(t, units, MaxTooltip)
	require.True(t, strings.HasSuffix(v.Tooltip, "👩‍👩‍👧…"), "cut within a cluster: %q", v.Tooltip)
	require.True(t, utf8.ValidString(v.Tooltip))
}

func TestTheSameStateIsTheSameView(t *testing.T) {
	require.Equal(t, Render(ready()), Render(ready()))
	require.NotEqual(t, Render(ready()), Render(change(func(s *State) { s.Autostart = true })))
}

func TestTomorrow(t *testing.T) {
	for now, want := range map[string]string{
		"2026-11-28T12:00": "2026-11-29T06:00",
		"2026-11-28T23:59": "2026-11-29T06:00",
		"2026-11-29T02:30": "2026-11-29T06:00",
		"2026-11-29T03:30": "2026-11-30T06:00",
		"2026-10-24T22:00": "2026-10-25T06:00", // the night with an hour more
		"2026-12-31T12:00": "2027-01-01T06:00",
	} {
		zone, err := time.LoadLocation("Europe/Madrid")
		require.NoError(t, err)
		at, err := time.ParseInLocation("2006-01-02T15:04", now, zone)
		require.NoError(t, err)
		require.Equal(t, want, Tomorrow(at).Format("2006-01-02T15:04"), now)
	}
}

// BenchmarkRender is with the hundred languages of M2M-100, for each piece of
// news.
func BenchmarkRender(b *testing.B) {
	s := ready()
	s.Target.Languages = nil
	for a := 'a'; a < 'e'; a++ {
		for z := 'a'; z <= 'y'; z++ {
			s.Target.Languages = append(s.Target.Languages, api.Language{Code: string(a) + string(z)})
		}
	}
	for b.Loop() {
		Render(s)
	}
}

// Models that are fetched have a sub-menu while they are, with how far they are and
// the way to end them.
func TestPulls(t *testing.T) {
	menuID := ID{Action: SubMenu, Arg: "pulls"}
	require.True(t, find(t, Render(ready()).Menu, menuID).Hidden)
	s := change(func(s *State) {
		s.Snapshot.Pulls = []api.Pull{
			{ID: 1, Model: "old", State: api.PullDone, Done: 5e6, Total: 5e6},
			{ID: 2, Model: "m2m100_418M", State: api.PullRunning, Done: 1.5e9, Total: 2e9},
			{ID: 3, Model: "small100", State: api.PullRunning},
		}
	})
	m := find(t, Render(s).Menu, menuID)
	require.False(t, m.Hidden)
	require.Equal(t, "Fetching models: 75 %", m.Label)
	require.Len(t, m.Children, 4)
	require.Equal(t, "m2m100_418M: 1,500 of 2,000 MB", m.Children[0].Label)
	stop := find(t, m.Children, ID{StopPull, "2"})
	require.True(t, stop.Enabled)
	require.Equal(t, "Stop fetching m2m100_418M", stop.Label)
	require.Equal(t, "small100: 0 of 0 MB", m.Children[2].Label)

	s.Snapshot.Pulls[1].Speed, s.Snapshot.Pulls[1].RestMS = 12_400_000, 65_400
	require.Equal(t, "m2m100_418M: 1,500 of 2,000 MB, 12 MB/s, 1:05 left", find(t, Render(s).Menu, menuID).Children[0].Label)
	s.Snapshot.Pulls[1].RestMS = 3_725_000
	require.Contains(t, find(t, Render(s).Menu, menuID).Children[0].Label, "1:02:05 left")

	s.Snapshot.State = api.StateStopped
	require.True(t, find(t, Render(s).Menu, menuID).Hidden, "nobody fetches")
}
