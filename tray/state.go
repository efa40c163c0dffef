package tray

import (
	"time"

	"dragoman/daemon/api"
	"dragoman/tray/message"
)

// State is all that Render looks at.
type State struct {
	// Snapshot is the service's last word. Its State is "" before there is one
	// and StateStopped while nobody answers.
	Snapshot api.Snapshot
	// Silent says that the service gave no answer to the person's last request.
	Silent bool
	// Fallback says why the processor does what an accelerator was to do, ""
	// where nothing else was to.
	Fallback string

	Clipboard Clipboard
	Target    Target
	Results   []Result // newest first; the first MaxResults are shown
	Power     Power

	Notifications bool  // whether they are shown
	Autostart     bool  // whether the tray starts at login
	BatteryPause  bool  // whether files wait while on battery
	Fixed         Fixed // what the administrator has decided
	CanAddFolder  bool  // whether a folder can be chosen in a dialogue here

	Now   time.Time      // in the user's time zone
	Texts *message.Texts // English if nil
}

// Fixed are the settings that the person cannot change, because the machine's
// policy has them.
type Fixed struct{ Mode, Target, TwoWay, Notifications, BatteryPause bool }

// Why names a reason. The constants are said in the user's language, any other
// is shown as it is.
type Why string

// ClipMode says which copies are translated.
type ClipMode string

const (
	ClipOff    ClipMode = "off"
	ClipDouble ClipMode = "double" // the same text twice
	ClipEvery  ClipMode = "every"
)

// ClipModes lists all, as the menu does.
var ClipModes = []ClipMode{ClipOff, ClipDouble, ClipEvery}

// Clipboard is how copies are watched.
type Clipboard struct {
	Mode    ClipMode // ClipOff if ""
	Backend string   // by what, such as "X11"; shown as it is
	// Impossible says why copies cannot be watched, "" if they can.
	Impossible Why
}

// Reasons why copies cannot be watched.
const (
	ClipNoDisplay  Why = "clip_no_display"
	ClipNoProtocol Why = "clip_no_protocol" // the compositor has no data control
	ClipLost       Why = "clip_lost"        // the display was there and went
)

// Target is what copies are translated into.
type Target struct {
	Language  string         // a code of Languages, "" before one is chosen
	Recent    []string       // last chosen first; the first MaxRecent are shown
	Languages []api.Language // those of the model
	// TwoWay is a pair that is translated either way, whichever a text is in;
	// without both languages it is not offered.
	TwoWay TwoWay
}

// TwoWay is a pair of languages.
type TwoWay struct {
	First, Second string
	On            bool
}

// Result is a translation that can be copied again.
type Result struct {
	Key         string // names it in clicks
	Source      string
	Translation string
}

// Bounds of what the menu lists.
const (
	MaxResults = 5
	MaxRecent  = 5
)

// Power is what texts cost, as measured on this machine.
type Power struct {
	Joules float64 // of all Texts together
	Texts  int64   // that were measured
	// Unknown says why nothing is known. It counts where Texts or Joules is
	// not above 0: a text that costs nothing has not been measured.
	Unknown Why
}

// Reasons why it is not known what texts cost.
const (
	PowerNoMeter      Why = "power_no_meter"
	PowerNoPermission Why = "power_no_permission"
	PowerNotMeasured  Why = "power_not_measured" // no text yet
	PowerNotReported  Why = "power_not_reported" // by the service
)
