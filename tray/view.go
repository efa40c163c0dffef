package tray

import "dragoman/assets/icons"

// View is what the tray shows.
type View struct {
	Icon    icons.State
	Tooltip string // state and device, at most MaxTooltip UTF-16 units
	// Menu always has the same items in the same places, some of them hidden,
	// except that the last of a sub-menu may be more or fewer. So a menu can be
	// changed while it is open, item by item.
	Menu []Item
}

// MaxTooltip is what Windows shows of a tooltip (NOTIFYICONDATAW.szTip without
// its NUL), in UTF-16 units.
const MaxTooltip = 127

// Item is a line of a menu. Labels are plain text: who draws them marks what
// the platform would take for a mnemonic.
type Item struct {
	ID        ID
	Label     string
	Enabled   bool
	Checkable bool
	Checked   bool
	Separator bool // a rule, which has nothing else
	Hidden    bool
	Children  []Item // of a sub-menu, else nil
}

// ID names an item, the same for as long as it means the same.
type ID struct {
	Action Action
	Arg    string // of what, as each Action says
}

// Click is an item that was chosen.
type Click struct{ ID }

// Action is what an item does.
type Action string

// What can be clicked.
const (
	StartService   Action = "service.start"
	RestartService Action = "service.restart"
	SetClipMode    Action = "clip.mode" // Arg: a ClipMode
	Notifications  Action = "notifications"
	SetTarget      Action = "target" // Arg: the language's code
	SetTwoWay      Action = "two-way"
	CopyResult     Action = "result"     // Arg: the result's Key
	AddFolder      Action = "folder.add" // by a dialogue
	OpenFolder     Action = "folder.open"
	PauseFolder    Action = "folder.pause" // Arg of these: the folder's number
	ResumeFolder   Action = "folder.resume"
	Pause          Action = "pause" // Arg: ForAnHour or TillTomorrow
	BatteryPause   Action = "pause.battery"
	Resume         Action = "resume"
	StopPull       Action = "pull.stop" // Arg: the pull's number
	History        Action = "history"
	Settings       Action = "settings"
	Help           Action = "help"
	Autostart      Action = "autostart"
	Quit           Action = "quit"
	QuitAndStop    Action = "quit.stop" // the service too
)

// What only tells or opens a sub-menu.
const (
	StatusLine Action = "line.status"
	DeviceLine Action = "line.device"
	DetailLine Action = "line.detail"
	PowerLine  Action = "line.power"
	InfoLine   Action = "line.info" // Arg: of what
	SubMenu    Action = "menu"      // Arg: of what
)

// How long a Pause is.
const (
	ForAnHour    = "hour"
	TillTomorrow = "tomorrow"
)

// line tells something.
func line(action Action, arg, label string) Item {
	return Item{ID: ID{action, arg}, Label: label}
}

func button(action Action, arg, label string, enabled bool) Item {
	return Item{ID: ID{action, arg}, Label: label, Enabled: enabled}
}

func check(action Action, arg, label string, checked, enabled bool) Item {
	return Item{ID: ID{action, arg}, Label: label, Enabled: enabled, Checkable: true, Checked: checked}
}

func menu(arg, label string, children ...Item) Item {
	return Item{ID: ID{SubMenu, arg}, Label: label, Enabled: true, Children: children}
}

func separator() Item { return Item{Separator: true} }

// unless hides an item.
func (i Item) unless(hidden bool) Item {
	i.Hidden = hidden
	return i
}
