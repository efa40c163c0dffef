package tray

import (
	"math"
	"time"

	"dragoman/assets/icons"
	"dragoman/daemon/api"
	"dragoman/tray/message"
)

// Program is the name that people read.
const Program = "Dragoman"

// Render says what is to be shown. The same state always gives the same view.
func Render(s State) View {
	if s.Texts == nil {
		s.Texts = message.New()
	}
	r := renderer{s}
	icon, status := r.status()
	tip := Program + ": " + status
	if device := r.device(); device != "" {
		tip += "\n" + device
	}
	return View{Icon: icon, Tooltip: tooltip(tip), Menu: r.menu(status)}
}

type renderer struct{ State }

// away says that nobody answers, or has answered yet.
func (r renderer) away() bool {
	return r.Snapshot.State == api.StateStopped || r.Snapshot.State == ""
}

// silent says that something is there which gives no answer, or none that is one.
func (r renderer) silent() bool {
	s := r.Snapshot
	return r.Silent || s.State == api.StateStopped && s.Message != "" && s.Message != api.ErrNotRunning.Error()
}

// status is the state of the service in one icon and a few words. What stops
// people comes before what they only want to know.
func (r renderer) status() (icons.State, string) {
	say := r.Texts.Say
	if r.silent() {
		return icons.Away, say(message.StatusSilent)
	}
	switch r.Snapshot.State {
	case "":
		return icons.Warming, say(message.StatusConnecting)
	case api.StateStopped:
		return icons.Away, say(message.StatusAway)
	case api.StateFault:
		return icons.Error, say(message.StatusFault)
	case api.StateWarming:
		return icons.Warming, say(message.StatusWarming)
	case api.StatePaused:
		return icons.Paused, r.paused()
	}
	switch {
	case r.Snapshot.Queue.Running > 0:
		return icons.Working, say(message.StatusWorking)
	case r.Fallback != "":
		return icons.Fallback, say(message.StatusFallback)
	}
	return icons.Ready, say(message.StatusReady)
}

func (r renderer) paused() string {
	if r.Snapshot.PausedUntil.IsZero() {
		return r.Texts.Say(message.StatusPaused)
	}
	until := r.Snapshot.PausedUntil.In(r.Now.Location())
	clock := until.Format("15:04")
	switch days(r.Now, until) {
	case 0:
		return r.Texts.Say(message.StatusPausedTime, "Time", clock)
	case 1:
		return r.Texts.Say(message.StatusPausedTomorrow, "Time", clock)
	}
	return r.Texts.Say(message.StatusPausedDate, "Date", until.Format(time.DateOnly), "Time", clock)
}

// days between the dates of two times in the same zone.
func days(from, to time.Time) int {
	midnight := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return int(midnight(to).Sub(midnight(from)).Hours() / 24)
}

// device says what translates, "" while nobody answers.
func (r renderer) device() string {
	m := r.Snapshot.Model
	switch {
	case r.away():
		return ""
	case m.Encoder == "" || m.Decoder == "":
		return r.Texts.Say(message.DeviceNone)
	}
	return r.Texts.Say(message.Device, "Encoder", short(m.Encoder, shortText), "Decoder", short(m.Decoder, shortText))
}

// detail is the service's own word on its state, which is in English.
func (r renderer) detail() string {
	m := r.Snapshot.Model
	switch {
	case r.Snapshot.State == api.StateWarming && m.Warming != "" && m.WarmUS > 0:
		seconds := r.Texts.Number(float64(m.WarmUS) / 1e6)
		return r.Texts.Say(message.WarmingLast, "What", short(m.Warming, shortLine), "Seconds", seconds)
	case r.Snapshot.State == api.StateWarming && m.Warming != "":
		return short(m.Warming, shortLine)
	case r.Snapshot.Message != "":
		return short(r.Snapshot.Message, shortLine)
	case r.Fallback != "" && !r.away():
		return short(r.Fallback, shortLine)
	}
	for _, n := range r.Snapshot.Notices {
		if n.Level != "info" {
			return short(n.Message, shortLine)
		}
	}
	return ""
}

// power says what a text costs, or why that is not known: never 0.
func (r renderer) power() string {
	p := r.Power
	each := p.Joules / float64(p.Texts)
	if p.Texts > 0 && each > 0 && !math.IsInf(each, 0) {
		return r.Texts.Count(message.Power, p.Texts, "Joules", r.Texts.Number(each))
	}
	why := p.Unknown
	switch {
	case r.away():
		why = PowerNotReported
	case why == "":
		why = PowerNotMeasured
	}
	return r.Texts.Say(message.PowerUnknown, "Reason", why.Say(r.Texts))
}

// reasons that the catalogue has.
var reasons = map[Why]message.ID{
	ClipNoDisplay:     message.ClipNoDisplay,
	ClipNoProtocol:    message.ClipNoProtocol,
	ClipLost:          message.ClipLost,
	PowerNoMeter:      message.PowerNoMeter,
	PowerNoPermission: message.PowerNoPermission,
	PowerNotMeasured:  message.PowerNotMeasured,
	PowerNotReported:  message.PowerNotReported,
}

// Say is the reason for people, on one line.
func (w Why) Say(texts *message.Texts) string {
	if id, known := reasons[w]; known {
		return texts.Say(id)
	}
	return short(string(w), shortLine)
}
